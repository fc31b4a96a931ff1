import { expect, test } from 'vitest'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/core/time.ts'
import { spanOf } from '../../../src/domain/operations/partitions.ts'
import {
  findProblems,
  type OperationsFacts,
  type ProblemKind,
} from '../../../src/domain/operations/problems.ts'

const NOW = new Date('2026-11-23T10:00:00Z')
const ago = (ms: number) => addMs(NOW, -ms)

const process = {
  ...{ processId: 'p1', kind: 'worker' as const, host: 'w1', version: '1.0.0' },
  ...{ startedAt: ago(HOUR_MS), reportedAt: ago(SECOND_MS), isSilent: false },
  report: {
    ...{ schema: '0035', keyIds: ['k1'], redis: 'ok' as const, providers: [] },
    connections: { used: 1, idle: 1, waiting: 0 },
  },
}
const month = (aheadMs: number) => ({
  ...{ table: 'events', keptDays: 90, bytes: 1n, nextDrop: undefined, aheadMs },
  partitions: [
    {
      ...{ name: 'events_2026_11', from: new Date('2026-11-01'), until: new Date('2026-12-01') },
      ...{ bytes: 1n, rows: 1n },
    },
  ],
})
const key = {
  ...{ keyId: 'k1', signingSecrets: 1, storedAnswers: 0, encryptedBy: 1, decryptedBy: 0 },
  missingIn: [] as string[],
}
const price = { asset: 'BTC', price: 1n, acceptedAt: ago(SECOND_MS), quotes: [], spreadPpm: 100n }

const well: OperationsFacts = {
  processes: [process],
  providers: [],
  queue: {
    ...{ workerSeenAt: ago(SECOND_MS), running: 1 },
    classes: [{ name: 'floors', ready: 3, oldestMs: MINUTE_MS }],
    deliveries: { due: 4, webhooks: 1, oldestMs: 5 * MINUTE_MS },
  },
  stuck: new Map(),
  webhooks: { failing: 0, disabled: 0 },
  refusedRefunds: 0,
  undecidedReceipts: 0,
  prices: [price],
  audit: { finishedAt: ago(6 * HOUR_MS), violations: { I1: 0 }, unfinished: 0 },
  partitions: [month(31 * DAY_MS)],
  keys: [key],
}
const kinds = (more: Partial<OperationsFacts>) =>
  findProblems({ ...well, ...more }, NOW).map(({ kind }) => kind)

test('where everything is within the limits of the alarms, nothing is wrong', () => {
  expect(kinds({})).toEqual([])
})

const { queue } = well
test.each<[ProblemKind, Partial<OperationsFacts>]>([
  ['worker_missing', { queue: { ...queue, workerSeenAt: ago(MINUTE_MS + 1) } }],
  ['worker_missing', { queue: { ...queue, workerSeenAt: undefined } }],
  [
    'work_overdue',
    { queue: { ...queue, classes: [{ name: 'sales', ready: 1, oldestMs: MINUTE_MS + 1 }] } },
  ],
  [
    'deliveries_overdue',
    { queue: { ...queue, deliveries: { ...queue.deliveries, oldestMs: 5 * MINUTE_MS + 1 } } },
  ],
  ['price_old', { prices: [{ ...price, acceptedAt: ago(2 * MINUTE_MS + 1) }] }],
  ['prices_differ', { prices: [{ ...price, spreadPpm: 10_001n }] }],
  ['invariant_violated', { audit: { ...well.audit, violations: { I4: 1 } } as never }],
  ['audit_late', { audit: undefined }],
  ['audit_late', { audit: { finishedAt: ago(6 * HOUR_MS + 1), violations: {}, unfinished: 0 } }],
  ['audit_unfinished', { audit: { finishedAt: NOW, violations: {}, unfinished: 1 } }],
  ['key_missing', { keys: [{ ...key, missingIn: ['p2'] }] }],
  ['process_silent', { processes: [process, { ...process, isSilent: true }] }],
  ['versions_differ', { processes: [process, { ...process, version: '1.0.1' }] }],
  [
    'redis_unreachable',
    { processes: [{ ...process, report: { ...process.report, redis: 'unreachable' } }] },
  ],
  ['work_stuck', { stuck: new Map([['push-floor', 2]]) }],
  ['refunds_refused', { refusedRefunds: 1 }],
  ['receipts_undecided', { undecidedReceipts: 1 }],
  ['webhooks_disabled', { webhooks: { failing: 0, disabled: 1 } }],
  ['webhooks_failing', { webhooks: { failing: 1, disabled: 0 } }],
  ['partitions_missing', { partitions: [month(31 * DAY_MS - 1)] }],
])('%s is found, and nothing else: case %#', (kind, facts) => {
  expect(kinds(facts)).toEqual([kind])
})

test('a key that no secret needs may be missing, as during a rotation', () => {
  expect(kinds({ keys: [{ ...key, signingSecrets: 0, missingIn: ['p2'] }] })).toEqual([])
})

test('what cannot wait until morning comes first', () => {
  const found = findProblems(
    { ...well, stuck: new Map([['push-floor', 1]]), keys: [{ ...key, missingIn: ['p2'] }] },
    NOW,
  )
  expect(found.map(({ severity }) => severity)).toEqual(['page', 'ticket'])
})

test('a partition is a month or a day by its name', () => {
  expect(spanOf('events_2026_12')).toEqual({
    ...{ from: new Date('2026-12-01T00:00:00Z'), until: new Date('2027-01-01T00:00:00Z') },
  })
  expect(spanOf('request_log_2026_02_28')).toEqual({
    ...{ from: new Date('2026-02-28T00:00:00Z'), until: new Date('2026-03-01T00:00:00Z') },
  })
  expect(spanOf('events')).toBeUndefined()
})
