import { type Command, InvalidArgumentError } from 'commander'
import { listStuckWork, retryFailedWork } from '../domain/work/stuck.ts'
import { TOPICS, type Topic } from '../domain/work/topics.ts'
import { type ChangeOptions, defineChange, offerReason, runChange } from './command/change.ts'
import type { CliIo } from './command/cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from './command/define-command.ts'
import { FIRST_PAGE, readId } from './command/options.ts'
import { reportList, showTime } from './command/output.ts'

type Filter = { tenant?: string; topic?: Topic; subject?: string }

export function addWorkCommands(program: Command, io: CliIo): void {
  const group = program.command('work').description('Work that fails repeatedly.')
  addStuck(group, io)
  addRetry(group, io)
}

function addStuck(group: Command, io: CliIo): void {
  const command = defineCommand(
    group,
    'stuck',
    'List work that has failed ten times or more in a row, longest failing first. It is still retried.',
    ['work stuck', 'work stuck --topic push-floor --json'],
  )
  addFilter(command).action(async (options: CommonOptions & Filter) => {
    await runCommand(io, options, async ({ db }) => {
      const { items: stuck } = await listStuckWork(db, filterOf(options), FIRST_PAGE)
      const items = stuck.map((work) => ({
        tenant_id: work.tenantId,
        topic: work.topic,
        subject_id: work.subjectId,
        attempts: work.attempts,
        failing_since: work.failingSince,
        error: work.error,
      }))
      return reportList(items, {
        columns: ['tenant', 'topic', 'subject', 'attempts', 'failing since', 'error'],
        rows: stuck.map((work) => [
          ...[work.tenantId, work.topic, work.subjectId, String(work.attempts)],
          ...[showTime(work.failingSince), work.error],
        ]),
        empty: 'No work is stuck.',
      })
    })
  })
}

function addRetry(group: Command, io: CliIo): void {
  const command = defineChange(
    group,
    'retry',
    'Retry stuck work now instead of after its pause. With --subject also work that has failed fewer than ten times.',
    [
      'work retry --topic push-floor',
      'work retry --tenant ten_… --topic release-draw --subject drw_…',
    ],
  )
  addFilter(offerReason(command)).action(async (options: ChangeOptions & Filter) => {
    await runChange(io, options, async ({ now, change }) => {
      const { tenant: tenantId, topic, subject: subjectId } = options
      const retried = await change(async (tx) => {
        const count = await retryFailedWork(tx, filterOf(options), now)
        const subject = subjectId === undefined ? {} : { subject: { kind: 'work', id: subjectId } }
        const act = { action: 'work.retry' as const, tenantId, after: { topic, retried: count } }
        return { result: count, act: count === 0 ? undefined : { ...act, ...subject } }
      })
      const pieces = retried === 1 ? '1 piece' : `${retried} pieces`
      return {
        data: { retried },
        text: `${pieces} of work will be retried within a second, if a worker runs.`,
      }
    })
  })
}

function addFilter(command: Command): Command {
  return command
    .option('--tenant <id>', 'of one tenant, ten_…', readId('ten'))
    .option('--topic <name>', 'of one topic', readTopic)
    .option('--subject <id>', 'on one borrower, facility, draw, repayment or refund')
}

function filterOf({ tenant, topic, subject }: Filter) {
  return { tenantId: tenant, topic, subjectId: subject }
}

function readTopic(text: string): Topic {
  if (Object.hasOwn(TOPICS, text)) return text as Topic
  throw new InvalidArgumentError(`The topics are ${Object.keys(TOPICS).join(', ')}.`)
}
