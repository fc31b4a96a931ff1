import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time.ts'
import type { EncryptionKey } from './keys.ts'
import type { PartitionedTable } from './partitions.ts'
import type { AssetPrice } from './prices.ts'
import type { RunningProcess } from './processes.ts'
import type { ProviderHealth } from './provider-calls.ts'
import type { QueueLag } from './queue.ts'

export const PROBLEM_KINDS = [
  'worker_missing',
  'work_overdue',
  'provider_down',
  'price_old',
  'invariant_violated',
  'key_missing',
  'process_silent',
  'versions_differ',
  'redis_unreachable',
  'deliveries_overdue',
  'work_stuck',
  'refunds_refused',
  'receipts_undecided',
  'webhooks_disabled',
  'webhooks_failing',
  'prices_differ',
  'audit_late',
  'audit_unfinished',
  'partitions_missing',
] as const

export type ProblemKind = (typeof PROBLEM_KINDS)[number]

/** `page` cannot wait until morning, as an alarm of this severity cannot. */
export type Problem = { kind: ProblemKind; severity: 'page' | 'ticket'; summary: string }

export type OperationsFacts = {
  processes: readonly RunningProcess[]
  providers: readonly ProviderHealth[]
  queue: QueueLag
  stuck: ReadonlyMap<string, number>
  webhooks: { failing: number; disabled: number }
  refusedRefunds: number
  undecidedReceipts: number
  prices: readonly AssetPrice[]
  audit: { finishedAt: Date; violations: Record<string, number>; unfinished: number } | undefined
  partitions: readonly PartitionedTable[]
  keys: readonly EncryptionKey[]
}

const WORKER_MS = MINUTE_MS
const WORK_MS = MINUTE_MS
const DELIVERY_MS = 5 * MINUTE_MS
const PRICE_MS = 2 * MINUTE_MS
const AUDIT_MS = 6 * HOUR_MS
const SPREAD_PPM = 10_000n
/** Maintenance makes three months, or three days, ahead. */
const LEAST_AHEAD_MS = { month: 31 * DAY_MS, day: DAY_MS }

export function findProblems(facts: OperationsFacts, realNow: Date): Problem[] {
  const found = [
    ...findInProcesses(facts, realNow),
    ...findInQueue(facts),
    ...findInProviders(facts, realNow),
    ...findInAudit(facts, realNow),
    ...findInStores(facts),
  ]
  const order = (kind: ProblemKind) => PROBLEM_KINDS.indexOf(kind)
  return found.sort((one, other) => order(one.kind) - order(other.kind))
}

const page = (kind: ProblemKind, summary: string): Problem => ({ kind, severity: 'page', summary })
const ticket = (kind: ProblemKind, summary: string): Problem => ({
  ...{ kind, severity: 'ticket', summary },
})

function findInProcesses({ processes, queue }: OperationsFacts, realNow: Date): Problem[] {
  const heard = processes.filter(({ isSilent }) => !isSilent)
  const builds = new Set(heard.map(({ version, report }) => `${version} (${report.schema})`))
  const without = heard.filter(({ report }) => report.redis === 'unreachable').length
  const seenMs = queue.workerSeenAt && realNow.getTime() - queue.workerSeenAt.getTime()
  return [
    ...(seenMs === undefined || seenMs > WORKER_MS
      ? [page('worker_missing', `No worker has run for ${describeAge(seenMs)}.`)]
      : []),
    ...processes
      .filter(({ isSilent }) => isSilent)
      .map(({ kind, host, reportedAt }) =>
        ticket(
          'process_silent',
          `The ${kind === 'api' ? 'API process' : 'worker'} on ${host} has not reported for ${describeAge(realNow.getTime() - reportedAt.getTime())}.`,
        ),
      ),
    ...(builds.size > 1
      ? [ticket('versions_differ', `Processes run different builds: ${[...builds].join(', ')}.`)]
      : []),
    ...(without > 0
      ? [
          ticket(
            'redis_unreachable',
            `Redis does not answer ${without} of ${heard.length} processes.`,
          ),
        ]
      : []),
  ]
}

function findInQueue(facts: OperationsFacts): Problem[] {
  const { queue, stuck, webhooks, refusedRefunds, undecidedReceipts } = facts
  const { deliveries } = queue
  return [
    ...queue.classes
      .filter(({ oldestMs }) => oldestMs > WORK_MS)
      .map(({ name, oldestMs }) =>
        page('work_overdue', `Work of the class ${name} is ${describeAge(oldestMs)} overdue.`),
      ),
    ...(deliveries.oldestMs > DELIVERY_MS
      ? [ticket('deliveries_overdue', `A delivery is ${describeAge(deliveries.oldestMs)} overdue.`)]
      : []),
    ...[...stuck].map(([topic, count]) =>
      ticket('work_stuck', `${topic}: ${count} stuck, failed ten times or more.`),
    ),
    ...(refusedRefunds > 0
      ? [ticket('refunds_refused', `Refunds that the treasury refused: ${refusedRefunds}.`)]
      : []),
    ...(undecidedReceipts > 0
      ? [
          ticket(
            'receipts_undecided',
            `Receipts about which an operator has to decide: ${undecidedReceipts}.`,
          ),
        ]
      : []),
    ...(webhooks.disabled > 0
      ? [ticket('webhooks_disabled', `Webhooks that are disabled: ${webhooks.disabled}.`)]
      : []),
    ...(webhooks.failing > 0
      ? [
          ticket(
            'webhooks_failing',
            `Webhooks that have failed 25 times or more in a row: ${webhooks.failing}.`,
          ),
        ]
      : []),
  ]
}

function findInProviders({ providers, prices }: OperationsFacts, realNow: Date): Problem[] {
  return [
    ...providers
      .filter(({ breaker }) => breaker !== 'closed')
      .map(({ provider }) =>
        page('provider_down', `Calls to ${provider} are held back after too many failures.`),
      ),
    ...prices.flatMap(({ asset, acceptedAt, spreadPpm }) => {
      const ageMs = realNow.getTime() - acceptedAt.getTime()
      return [
        ...(ageMs > PRICE_MS
          ? [page('price_old', `The price of ${asset} is ${describeAge(ageMs)} old.`)]
          : []),
        ...(spreadPpm > SPREAD_PPM
          ? [ticket('prices_differ', `The sources of ${asset} differ by more than 1 %.`)]
          : []),
      ]
    }),
  ]
}

function findInAudit({ audit }: OperationsFacts, realNow: Date): Problem[] {
  const ageMs = audit && realNow.getTime() - audit.finishedAt.getTime()
  return [
    ...Object.entries(audit?.violations ?? {})
      .filter(([, count]) => count > 0)
      .map(([invariant, count]) =>
        page('invariant_violated', `${invariant} is violated: ${count} found by the last audit.`),
      ),
    ...(ageMs === undefined || ageMs > AUDIT_MS
      ? [ticket('audit_late', `No audit has ended for ${describeAge(ageMs)}.`)]
      : []),
    ...(audit && audit.unfinished > 0
      ? [
          ticket(
            'audit_unfinished',
            `Checks of the last audit that did not finish: ${audit.unfinished}.`,
          ),
        ]
      : []),
  ]
}

function findInStores({ partitions, keys }: OperationsFacts): Problem[] {
  return [
    ...keys
      .filter(({ signingSecrets, missingIn }) => signingSecrets > 0 && missingIn.length > 0)
      .map(({ keyId, missingIn }) =>
        page(
          'key_missing',
          `The encryption key ${keyId} is in use, and ${missingIn.length} processes do not have it.`,
        ),
      ),
    ...partitions
      .filter(({ partitions: spans, aheadMs }) => {
        const [first] = spans
        const lengthMs = first ? first.until.getTime() - first.from.getTime() : 0
        return aheadMs < (lengthMs > DAY_MS ? LEAST_AHEAD_MS.month : LEAST_AHEAD_MS.day)
      })
      .map(({ table }) =>
        ticket('partitions_missing', `Partitions of ${table} are not made ahead: run migrate.`),
      ),
  ]
}

/** In the largest whole unit; `ever` for none. */
function describeAge(ms: number | undefined): string {
  if (ms === undefined) return 'ever'
  const units = [
    ['day', DAY_MS],
    ['hour', HOUR_MS],
    ['minute', MINUTE_MS],
    ['second', SECOND_MS],
  ] as const
  const [name, unit] = units.find(([, length]) => ms >= length) ?? units[3]
  const count = Math.floor(ms / unit)
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
