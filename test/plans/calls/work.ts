import { DAY_MS } from '../../../src/core/time.ts'
import { execute } from '../../../src/db/transactions/execute.ts'
import * as claim from '../../../src/domain/work/claim-queries.ts'
import * as clocks from '../../../src/domain/work/clock-queries.ts'
import * as deadlines from '../../../src/domain/work/deadline-queries.ts'
import { PARTS } from '../../../src/domain/work/lanes.ts'
import * as work from '../../../src/domain/work/queries.ts'
import * as settle from '../../../src/domain/work/settle-queries.ts'
import * as stuck from '../../../src/domain/work/stuck-queries.ts'
import { PRIORITIES, TOPICS, type Topic } from '../../../src/domain/work/topics.ts'
import { inEachScope } from '../each-scope.ts'
import { queriesFile } from '../queries-file.ts'
import type { Sample } from '../sample.ts'

const TOKEN = '00000000-0000-4000-8000-000000000000'
const ALL_TOPICS = Object.keys(TOPICS) as Topic[]
const RANKS = Object.values(PRIORITIES).map(({ rank }) => rank)

const leaseOf = ({ soon }: Sample) => ({ token: TOKEN, until: soon })

const saleOf = ({ tenantId, selling }: Sample) => ({
  tenantId,
  topic: 'sell-collateral',
  subjectId: selling.facilityId,
})

const advanceOf = ({ tenantId, soon }: Sample) => ({
  tenant_id: tenantId,
  request: 'advance',
  target: soon,
  held_until: soon,
})

const settlementOf = ({ tenantId, selling, now, soon }: Sample) => ({
  tenant_id: tenantId,
  topic: 'sell-collateral',
  subject_id: selling.facilityId,
  lease: TOKEN,
  generation: 1n,
  now,
  done: false,
  due_at: soon,
  held_until: undefined,
  error: undefined,
})

export const WORK_CALLS = [
  queriesFile('domain/work/queries.ts', work, {
    upsertWork: async (tx, { tenantId, facilityIds, now }) =>
      work.upsertWork(
        tx,
        tenantId,
        facilityIds.map((subjectId) => ({
          topic: 'read-positions',
          subjectId,
          dueAt: now,
          isReady: true,
        })),
      ),
    makeWorkDue: (tx, { tenantId, facilityIds, now }) =>
      work.makeWorkDue(
        tx,
        tenantId,
        { topics: ['read-positions', 'push-floor'], subjectIds: facilityIds },
        now,
      ),
    selectRunningOrDue: (tx, { tenantId, soon }) =>
      work.selectRunningOrDue(tx, tenantId, 'sell-collateral', soon),
    selectWorkOn: (tx, { tenantId, facilityIds }) =>
      work.selectWorkOn(tx, tenantId, ['read-positions', 'push-floor'], facilityIds),
    selectLongestDue: (tx, { now }) => work.selectLongestDue(tx, ALL_TOPICS, RANKS, now),
  }),
  queriesFile('domain/work/claim-queries.ts', claim, {
    selectTenantsWithDue: (tx, { now }) => claim.selectTenantsWithDue(tx, ALL_TOPICS, now),
    markDue: (tx, { tenantId, now }) =>
      inEachScope(tenantId, (scope) =>
        claim.markDue(tx, ALL_TOPICS, { tenantId: scope, realNow: now, limit: 1_000 }),
      ),
    selectWaitingLanes: async (tx, { now }) =>
      claim.selectWaitingLanes(
        tx,
        RANKS.map((rank) => ({ rank, tenant_id: '', topic: '', part: 0 })),
        { most: 500, now },
      ),
    selectAllWaitingLanes: (tx, { tenantId, now }) =>
      inEachScope(tenantId, (scope) =>
        claim.selectAllWaitingLanes(tx, RANKS, { tenantId: scope, now }),
      ),
    claimOfLane: async (tx, s) => {
      const sales = { ...saleOf(s), topic: 'sell-collateral' as const, rank: 0 }
      for (let part = 0; part < PARTS; part += 1) {
        claim.claimOfLane(tx, { ...sales, part, most: 16, lease: TOKEN, until: s.soon })
      }
    },
    claimEarliest: async (tx, s) =>
      claim.claimEarliest(tx, {
        tenantId: s.tenantId,
        topics: ALL_TOPICS,
        realNow: s.now,
        lease: TOKEN,
        until: s.soon,
      }),
    freeItems: async (tx, s) => {
      const { tenantId, subjectId } = saleOf(s)
      await claim.leaseItem(tx, saleOf(s), leaseOf(s), s.now)
      const item = { tenantId, topic: 'sell-collateral' as const, subjectIds: [subjectId] }
      tx.send(claim.freeItems({ ...item, lease: TOKEN, now: s.now }))
    },
    leaseItem: (tx, s) => claim.leaseItem(tx, saleOf(s), leaseOf(s), s.now),
    leaseDeadline: async (tx, s) => {
      const until = new Date(s.now.getTime() + 3 * DAY_MS)
      const next = await deadlines.selectNextDeadline(tx, s.tenantId, ['refresh-floor'], until)
      if (!next) throw new Error('no deadline stands')
      const { topic, subject_id: subjectId, due_at: dueAt } = next
      await claim.leaseDeadline(tx, { tenantId: s.tenantId, topic, subjectId, dueAt }, leaseOf(s))
    },
  }),
  queriesFile('domain/work/settle-queries.ts', settle, {
    settleRows: async (tx, s) => {
      await claim.leaseItem(tx, saleOf(s), leaseOf(s), s.now)
      await settle.settleRows(tx, [settlementOf(s)], 'wait for locked')
      const another = { ...settlementOf(s), tenant_id: 'another' }
      await settle.settleRows(tx, [settlementOf(s), another], 'pass over locked')
    },
  }),
  queriesFile('domain/work/deadline-queries.ts', deadlines, {
    upsertDeadlines: async (tx, { tenantId, facilityIds, soon }) =>
      deadlines.upsertDeadlines(
        tx,
        tenantId,
        'evaluate-facility',
        facilityIds.map((subjectId) => ({ subjectId, dueAt: soon })),
      ),
    insertDeadlineIfAbsent: (tx, { tenantId, soon }) =>
      deadlines.insertDeadlineIfAbsent(tx, tenantId, 'accrue-interest', {
        subjectId: tenantId,
        dueAt: soon,
      }),
    deleteDeadlines: (tx, { tenantId, facilityIds }) =>
      execute(
        tx,
        deadlines.deleteDeadlines({
          tenantId,
          topic: 'evaluate-facility',
          subjectIds: facilityIds,
        }),
      ),
    selectNextDeadline: (tx, { tenantId, soon }) =>
      deadlines.selectNextDeadline(tx, tenantId, ['refresh-floor', 'evaluate-facility'], soon),
  }),
  queriesFile('domain/work/clock-queries.ts', clocks, {
    insertAdvance: (tx, s) => clocks.insertAdvance(tx, advanceOf(s)),
    selectAdvance: async (tx, s) => {
      await clocks.insertAdvance(tx, advanceOf(s))
      await clocks.selectAdvance(tx, s.tenantId)
    },
    releaseAdvance: async (tx, s) => {
      await clocks.insertAdvance(tx, advanceOf(s))
      await clocks.releaseAdvance(tx, s.tenantId, 'advance')
    },
    deleteAdvance: async (tx, s) => {
      await clocks.insertAdvance(tx, advanceOf(s))
      await clocks.deleteAdvance(tx, s.tenantId, 'advance')
    },
    deleteWaiting: (tx, { tenantId, facilityIds: [subjectId = ''] }) =>
      clocks.deleteWaiting(tx, { tenantId, topic: 'push-floor', subjectId }),
  }),
  queriesFile('domain/work/stuck-queries.ts', stuck, {
    selectStuck: (tx, { tenantId }) =>
      stuck.selectStuck(tx, { tenantId }, 10, { after: undefined, limit: 100 }),
    countStuckByTopic: (tx) => stuck.countStuckByTopic(tx, 10),
    makeOutageDue: (tx, { tenantId, now }) =>
      inEachScope(tenantId, (scope) =>
        stuck.makeOutageDue(tx, scope, { provider: 'custodian', since: new Date(0), now }),
      ),
    makeFailedDue: (tx, { tenantId, now }) =>
      inEachScope(tenantId, (scope) =>
        stuck.makeFailedDue(tx, { tenantId: scope, topic: 'push-floor' }, { atLeast: 10, now }),
      ),
  }),
]
