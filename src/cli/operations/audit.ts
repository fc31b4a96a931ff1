import { InvalidArgumentError } from 'commander'
import { isReadOnly, sqlState } from '../../db/errors.ts'
import { audit, type Finding } from '../../domain/audit/audit.ts'
import { INVARIANTS, type Invariant } from '../../domain/audit/check.ts'
import { readProgress, recordAudit, requestAudit } from '../../domain/audit/runs.ts'
import type { ChangeSession } from '../command/change.ts'
import { type CliCommand, change } from '../command/commands.ts'
import { MAY_REASON } from '../command/members.ts'
import { type Answer, formatItems } from '../command/output.ts'
import { counting, flag, optional } from '../command/parameters.ts'

export const AUDIT_COMMANDS: CliCommand[] = [
  change({
    name: 'audit',
    about:
      'Check the invariants I1 to I9 and print each violation. Checks what changed since the last audit, and is recorded as one where it checks every invariant and the database takes writes. Exits with code 1 when there is a violation, or when a check took too long. Takes no lock that a writer waits for, and is safe while the service runs.',
    examples: ['audit', 'audit --full', 'audit --only I2,I4', 'audit --by-worker'],
    takes: {
      only: optional('--only <invariants>', 'some of them, such as I2,I4', readInvariants),
      full: flag('--full', 'check everything, however old'),
      seconds: counting(
        '--seconds <number>',
        'how long a page of a check may take',
        [1, 86_400],
        30,
      ),
      lanes: counting(
        '--lanes <number>',
        'how many groups of checks are made side by side',
        [1, 16],
        2,
      ),
      byWorker: flag('--by-worker', 'have a worker do it within a minute instead, and do not wait'),
      reason: MAY_REASON,
    },
    connections: ({ lanes }) => lanes,
    async change(session, { only, full, seconds, lanes, byWorker }) {
      if (byWorker) return await requestByWorker(session)
      const { db, stack } = session
      const findings = await audit(db, {
        ...{ since: full ? undefined : await readProgress(db), hasSimulation: stack === 'sandbox' },
        ...{ secondsEach: seconds, lanes, ...(only && { invariants: only }) },
      })
      const isRecorded = only === undefined && (await record(session, findings))
      return answerFindings(findings, isRecorded)
    },
  }),
]

async function requestByWorker({ makeChange, now }: ChangeSession): Promise<Answer> {
  const requested = await makeChange(async (tx) => {
    const isNew = await requestAudit(tx, now)
    return { result: isNew, act: isNew ? { action: 'audit.request' as const } : undefined }
  })
  const shown = requested
    ? 'A worker checks the invariants within a minute; operations audit shows the result.'
    : 'An audit was requested before, and no worker has begun it.'
  return { data: { requested }, shown }
}

const PERMISSION_DENIED = '42501'

/** False on a replica, or as a role that only reads. */
async function record(
  { makeChange, io }: ChangeSession,
  findings: readonly Finding[],
): Promise<boolean> {
  const violations = findings.reduce((sum, finding) => sum + finding.violations.length, 0)
  const unfinished = findings.filter(({ timedOut }) => timedOut).length
  const after = { checks: findings.length, violations, unfinished }
  try {
    await makeChange(async (tx) => ({
      result: await recordAudit(tx, findings, io.clock()),
      act: { action: 'audit.record', after },
    }))
    return true
  } catch (error) {
    if (isReadOnly(error) || sqlState(error) === PERMISSION_DENIED) return false
    throw error
  }
}

function answerFindings(findings: readonly Finding[], isRecorded: boolean): Answer {
  const items = findings.flatMap(({ invariant, name: check, violations }) =>
    violations.map(({ tenantId, subject, detail }) => ({
      ...{ invariant, check, tenant_id: tenantId, subject, detail },
    })),
  )
  const namesOf = (chosen: (finding: Finding) => boolean) =>
    findings.filter(chosen).map(({ name }) => name)
  const unfinished = namesOf(({ timedOut }) => timedOut)
  const shortened = namesOf(({ hasMore }) => hasMore)
  return {
    data: { items, checks: findings.length, unfinished, shortened, recorded: isRecorded },
    shown: [
      items.length > 0
        ? formatItems(items)
        : `No violation in ${findings.length - unfinished.length} checks.`,
      ...shortened.map((name) => `There are more of ${name}.`),
      ...unfinished.map((name) => `${name} took too long and is not complete.`),
    ].join('\n'),
    isFault: items.length > 0 || unfinished.length > 0,
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
