import { type Command, Option } from 'commander'
import { deskLink } from '../../config/page-address.ts'
import { Refusal } from '../../core/errors.ts'
import { LENDER } from '../../db/sql/people-tables.ts'
import { type RecordedOperatorAction, readOperatorActions } from '../../domain/operators/actions.ts'
import { INVITE_OPERATOR } from '../../domain/operators/acts/access-acts.ts'
import { actRemove } from '../../domain/operators/people-acts.ts'
import { OPERATOR_ROLES, type OperatorRole } from '../../domain/operators/roles.ts'
import { listPeople } from '../../domain/people/people.ts'
import { writeDeskLink } from '../../local/page-links.ts'
import { findRunningStack } from '../../local/running-stack.ts'
import {
  type ChangeOptions,
  defineChange,
  offerReason,
  reportOutcome,
  runChange,
} from '../command/change.ts'
import type { CliIo } from '../command/cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from '../command/define-command.ts'
import { locateDesk } from '../command/locate-pages.ts'
import { readEmail, readId, readWholeNumber } from '../command/options.ts'
import { formatFields, reportList, showTime } from '../command/output.ts'
import { addTokenCommands } from './operator-tokens.ts'

export function addOperatorCommands(program: Command, io: CliIo): void {
  const group = program
    .command('operators')
    .description("The lender's own people, and the record of what they did.")
  addInvite(group, io)
  addList(group, io)
  addRemove(group, io)
  addLink(group, io)
  addActions(group, io)
  addTokenCommands(group, io)
}

type Invitation = ChangeOptions & { email: string; name?: string; role: OperatorRole }

function addInvite(group: Command, io: CliIo): void {
  const command = defineChange(
    group,
    'invite',
    'Invite an operator to the desk, or again one who lost their passkeys, with the role given. The link opens once, within 24 hours; a day later what they had ends. With --actor, another operator confirms it for one who can sign in. Viewers read, reviewers decide on borrowers, risk changes policy and refunds, admins do everything.',
    ['operators invite --email ada@lender.example --name "Ada" --role admin'],
  )
  offerReason(command)
    .requiredOption('--email <address>', 'the e-mail address', readEmail)
    .option('--name <text>', 'the name of the person; by default the address')
    .addOption(
      new Option('--role <role>', 'what they may do').choices(OPERATOR_ROLES).makeOptionMandatory(),
    )
    .action(async (options: Invitation) => {
      await runChange(io, options, async ({ changeOrPropose }) => {
        const { email, name = email, role } = options
        const outcome = await changeOrPropose(
          INVITE_OPERATOR,
          { email, name, role },
          options.reason,
        )
        return reportOutcome(outcome, ({ person, token }) => {
          const fields = { operator: person.id, email: person.email, role: person.role }
          const link = deskLink(locateDesk(io), token)
          return {
            data: { ...person, invitation_url: link },
            text: `${formatFields(fields)}\n\n${link}\nThis link is shown only now.`,
          }
        })
      })
    })
}

function addLink(group: Command, io: CliIo): void {
  defineChange(
    group,
    'link',
    'Print a link that signs an operator in to the desk of the local stack (npm start). It opens once.',
    ['operators link'],
  ).action(async (options: ChangeOptions) => {
    await runChange(io, options, async ({ now, change }) => {
      const { localFolder } = io.loadConfig()
      const deskUrl = findRunningStack(localFolder)?.deskUrl
      if (deskUrl === undefined) {
        const detail = `No local stack runs from ${localFolder}: run npm start. In a deployment use operators invite.`
        throw new Refusal('unavailable', detail)
      }
      const link = await change(async (tx) => ({
        result: await writeDeskLink(tx, deskUrl, now),
        act: { action: 'operators.link' },
      }))
      return { data: { url: link }, text: link }
    })
  })
}

function addList(group: Command, io: CliIo): void {
  defineCommand(group, 'list', 'List the operators.', ['operators list']).action(
    async (options: CommonOptions) => {
      await runCommand(io, options, async ({ db }) => {
        const operators = await listPeople(db, LENDER)
        return reportList(
          operators.map(({ createdAt, lastSeenAt, ...operator }) => ({
            ...operator,
            created_at: createdAt,
            last_seen_at: lastSeenAt,
          })),
          {
            columns: ['id', 'email', 'name', 'role', 'passkeys', 'last seen', 'since'],
            rows: operators.map(({ id, email, name, role, ...operator }) => [
              ...[id, email, name, role, String(operator.passkeys)],
              ...[showTime(operator.lastSeenAt), showTime(operator.createdAt)],
            ]),
            empty: 'There are no operators yet: operators invite adds one.',
          },
        )
      })
    },
  )
}

function addRemove(group: Command, io: CliIo): void {
  const command = defineChange(
    group,
    'remove',
    'Remove an operator. What they did stays on record.',
    ['operators remove ada@lender.example --reason "left on 3 November"'],
  ).argument('<email>', 'the e-mail address', readEmail)
  offerReason(command).action(async (email: string, options: ChangeOptions) => {
    await runChange(io, options, async ({ now, change }) => {
      const operator = await change((tx) => actRemove(tx, email, now))
      return { data: { ...operator, removed_at: now }, text: `${operator.email} is removed.` }
    })
  })
}

type ActionsOptions = CommonOptions & {
  tenant?: string
  subject?: string
  by?: string
  limit: number
}

function addActions(group: Command, io: CliIo): void {
  defineCommand(group, 'actions', 'List who did what, newest first.', [
    'operators actions',
    'operators actions --subject bor_… --limit 10',
  ])
    .option('--tenant <id>', 'about one tenant, ten_…', readId('ten'))
    .option('--subject <id>', 'about one thing: a borrower, a key, a refund, …')
    .option('--by <actor>', 'of one actor: an e-mail address, or os: and a user')
    .option('--limit <number>', 'at most so many', readWholeNumber(1, 1_000), 100)
    .action(async (options: ActionsOptions) => {
      await runCommand(io, options, async ({ db }) => {
        const { tenant: tenantId, subject: subjectId, by: actor, limit } = options
        const actions = await readOperatorActions(db, { tenantId, subjectId, actor }, limit)
        return reportList(actions.map(toJson), {
          columns: ['number', 'at', 'actor', 'action', 'subject', 'reason'],
          rows: actions.map((action) => [
            ...[String(action.number), showTime(action.actedAt), action.actor, action.action],
            ...[action.subject?.id ?? '', action.reason ?? ''],
          ]),
          empty: 'Nothing was done yet.',
        })
      })
    })
}

function toJson(action: RecordedOperatorAction) {
  return {
    number: Number(action.number),
    at: action.actedAt,
    actor: action.actor,
    operator_id: action.operatorId,
    action: action.action,
    subject: action.subject,
    tenant_id: action.tenantId,
    reason: action.reason,
    before: action.before,
    after: action.after,
    request_id: action.requestId,
  }
}
