import { type Command, InvalidArgumentError } from 'commander'
import { FaultReported } from '../command-line/program.ts'
import type { Report } from '../command-line/text.ts'
import type { Tx } from '../db/database.ts'
import { isReadOnly, sqlState } from '../db/errors.ts'
import { audit, type Finding } from '../domain/audit/audit.ts'
import { INVARIANTS, type Invariant } from '../domain/audit/check.ts'
import { readProgress, recordAudit, requestAudit } from '../domain/audit/runs.ts'
import {
  type ChangeOptions,
  type ChangeSession,
  defineChange,
  runChange,
  withChanges,
} from './command/change.ts'
import type { CliIo } from './command/cli-io.ts'
import { printReport } from './command/define-command.ts'
import { readWholeNumber } from './command/options.ts'
import { formatRows } from './command/output.ts'

type AuditCommandOptions = ChangeOptions & {
  only?: Invariant[]
  seconds: number
  lanes: number
  full?: boolean
  byWorker?: true
}

export function addAuditCommand(program: Command, io: CliIo): void {
  defineChange(
    program,
    'audit',
    'Check the invariants I1 to I9 and print each violation. Checks what changed since the last audit, and is recorded as one where it checks every invariant and the database takes writes. Exits with code 1 when there is a violation, or when a check took too long. Takes no lock that a writer waits for, and is safe while the service runs.',
    ['audit', 'audit --full', 'audit --only I2,I4', 'audit --by-worker'],
  )
    .option('--only <invariants>', 'some of them, such as I2,I4', readInvariants)
    .option('--full', 'check everything, however old')
    .option(
      '--seconds <number>',
      'how long a page of a check may take',
      readWholeNumber(1, 86_400),
      30,
    )
    .option(
      '--lanes <number>',
      'how many groups of checks are made side by side',
      readWholeNumber(1, 16),
      2,
    )
    .option('--by-worker', 'have a worker do it within a minute instead, and do not wait')
    .option('--reason <text>', 'why, for the record')
    .action(async (options: AuditCommandOptions) => {
      if (options.byWorker) {
        await runChange(io, options, requestByWorker)
        return
      }
      const audited = async (session: ChangeSession) => {
        const { db, stack } = session
        const found = await audit(db, {
          since: options.full ? undefined : await readProgress(db),
          hasSimulation: stack === 'sandbox',
          secondsEach: options.seconds,
          lanes: options.lanes,
          ...(options.only && { invariants: options.only }),
        })
        const isWhole = options.only === undefined
        return {
          findings: found,
          isRecorded: isWhole && (await record(session, found, io.clock())),
        }
      }
      const { findings, isRecorded } = await withChanges(
        io,
        { ...options, connections: options.lanes },
        audited,
      )
      printReport(io, options, reportFindings(findings, isRecorded))
      if (findings.some(({ violations, timedOut }) => timedOut || violations.length > 0)) {
        throw new FaultReported()
      }
    })
}

async function requestByWorker({ change, now }: ChangeSession): Promise<Report> {
  const requested = await change(async (tx) => {
    const isNew = await requestAudit(tx, now)
    return { result: isNew, act: isNew ? { action: 'audit.request' as const } : undefined }
  })
  const text = requested
    ? 'A worker checks the invariants within a minute; operations audit shows the result.'
    : 'An audit was requested before, and no worker has begun it.'
  return { data: { requested }, text }
}

const PERMISSION_DENIED = '42501'

/** False on a replica, or as a role that only reads. */
async function record(
  { change }: ChangeSession,
  findings: readonly Finding[],
  now: Date,
): Promise<boolean> {
  const violations = findings.reduce((sum, finding) => sum + finding.violations.length, 0)
  const unfinished = findings.filter(({ timedOut }) => timedOut).length
  try {
    await change(async (tx: Tx) => ({
      result: await recordAudit(tx, findings, now),
      act: { action: 'audit.record', after: { checks: findings.length, violations, unfinished } },
    }))
    return true
  } catch (error) {
    if (isReadOnly(error) || sqlState(error) === PERMISSION_DENIED) return false
    throw error
  }
}

function reportFindings(findings: readonly Finding[], isRecorded: boolean): Report {
  const items = findings.flatMap(({ invariant, name, violations }) =>
    violations.map(({ tenantId, subject, detail }) => ({
      invariant,
      check: name,
      tenant_id: tenantId,
      subject,
      detail,
    })),
  )
  const namesOf = (chosen: (finding: Finding) => boolean) =>
    findings.filter(chosen).map(({ name }) => name)
  const unfinished = namesOf(({ timedOut }) => timedOut)
  const shortened = namesOf(({ hasMore }) => hasMore)
  return {
    data: { items, checks: findings.length, unfinished, shortened, recorded: isRecorded },
    text: [
      items.length > 0
        ? formatRows(
            ['invariant', 'check', 'tenant', 'subject', 'detail'],
            items.map((item) => Object.values(item)),
          )
        : `No violation in ${findings.length - unfinished.length} checks.`,
      ...shortened.map((name) => `There are more of ${name}.`),
      ...unfinished.map((name) => `${name} took too long and is not complete.`),
    ].join('\n'),
  }
}

function readInvariants(text: string): Invariant[] {
  const names = text.split(',').map((name) => name.trim().toUpperCase())
  if (names.every(isInvariant)) return names.filter(isInvariant)
  throw new InvalidArgumentError(`The invariants are ${Object.keys(INVARIANTS).join(', ')}.`)
}

function isInvariant(name: string): name is Invariant {
  return Object.hasOwn(INVARIANTS, name)
}
