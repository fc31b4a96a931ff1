import { addMs, DAY_MS } from '../../../src/core/time.ts'
import * as desk from '../../../src/domain/margin/desk/desk-queries.ts'
import { queriesFile } from '../queries-file.ts'
import type { Sample } from '../sample.ts'

const TIERS = [1, 2, 3] as const
const NOTHING_BEFORE = { after: undefined, limit: 101 }

/** After the first half of the warnings, all of which have one deadline. */
const afterHalf = ({ now, warned }: Sample) => ({
  after: { at: addMs(now, 2 * DAY_MS), facilityId: warned.facilityId },
  limit: 101,
})

const beforeHalf = ({ now, sold }: Sample) => ({
  before: { at: now, facilityId: sold.facilityId, number: 2 },
  limit: 101,
})

export const MARGIN_DESK_CALLS = [
  queriesFile('domain/margin/desk/desk-queries.ts', desk, {
    selectWarningsByDeadline: async (tx, sample) => {
      const { tenantId, now } = sample
      const dueBefore = addMs(now, 3 * DAY_MS)
      await desk.selectWarningsByDeadline(tx, { tiers: TIERS }, NOTHING_BEFORE)
      await desk.selectWarningsByDeadline(tx, { tiers: TIERS, dueBefore }, afterHalf(sample))
      await desk.selectWarningsByDeadline(tx, { tenantId, tiers: TIERS }, NOTHING_BEFORE)
      const ofOne = { tenantId, tiers: [1] as const, dueBefore }
      await desk.selectWarningsByDeadline(tx, ofOne, afterHalf(sample))
      const unnoticed = { realNow: now, patienceMs: 60_000 }
      await desk.selectWarningsByDeadline(tx, { tiers: TIERS, unnoticed }, NOTHING_BEFORE)
    },
    selectNewestCalls: async (tx, sample) => {
      const { tenantId } = sample
      for (const isRunning of [true, false]) {
        const newest = { before: undefined, limit: 101 }
        await desk.selectNewestCalls(tx, { isRunning }, newest)
        await desk.selectNewestCalls(tx, { isRunning }, beforeHalf(sample))
        await desk.selectNewestCalls(tx, { isRunning, tenantId }, newest)
        await desk.selectNewestCalls(tx, { isRunning, tenantId }, beforeHalf(sample))
      }
    },
    selectTimeline: async (tx, { tenantId, sold, soon }) => {
      const limit = 101
      await desk.selectTimeline(tx, tenantId, sold.facilityId, { before: undefined, limit })
      const before = { at: soon, rank: 1, subject: '' }
      await desk.selectTimeline(tx, tenantId, sold.facilityId, { before, limit })
    },
    selectTimelineRepayments: (tx, { tenantId, warned }) =>
      desk.selectTimelineRepayments(tx, tenantId, [warned.repaymentId]),
    selectCallsNumbered: (tx, { tenantId, sold }) =>
      desk.selectCallsNumbered(tx, tenantId, sold.facilityId, [1]),
  }),
]
