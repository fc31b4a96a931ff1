import { type Command, InvalidArgumentError } from 'commander'
import { FaultReported } from '../command-line/program.ts'
import type { Report } from '../command-line/text.ts'
import { audit, type Finding } from '../domain/audit/audit.ts'
import { INVARIANTS, type Invariant } from '../domain/audit/check.ts'
import { readProgress } from '../domain/audit/runs.ts'
import type { CliIo } from './cli-io.ts'
import { type CommonOptions, defineCommand, printReport } from './define-command.ts'
import { formatRows } from './output.ts'
import { withSession } from './session.ts'

type AuditCommandOptions = CommonOptions & {
  only?: Invariant[]
  seconds: number
  full?: boolean
}

export function addAuditCommand(program: Command, io: CliIo): void {
  defineCommand(
    program,
    'audit',
    'Check the invariants I1 to I9 and print each violation. Checks what changed since the last audit of a worker. Exits with code 1 when there is a violation, or when a check took too long. Reads only, takes no locks, and is safe while the service runs.',
    ['audit', 'audit --full', 'audit --only I2,I4', 'audit --json'],
  )
    .option('--only <invariants>', 'some of them, such as I2,I4', readInvariants)
    .option('--full', 'check everything, however old')
    .option('--seconds <number>', 'how long a page of a check may take', readSeconds, 30)
    .action(async (options: AuditCommandOptions) => {
      const findings = await withSession(io, async ({ db, stack }) =>
        audit(db, {
          since: options.full ? undefined : await readProgress(db),
          hasSimulation: stack === 'sandbox',
          secondsEach: options.seconds,
          ...(options.only && { invariants: options.only }),
        }),
      )
      printReport(io, options, reportFindings(findings))
      if (findings.some(({ violations, timedOut }) => timedOut || violations.length > 0)) {
        throw new FaultReported()
      }
    })
}

function reportFindings(findings: readonly Finding[]): Report {
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
    data: { items, checks: findings.length, unfinished, shortened },
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

function readSeconds(text: string): number {
  const seconds = Number(text)
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 86_400) return seconds
  throw new InvalidArgumentError('Expected whole seconds, from 1 to 86400.')
}
