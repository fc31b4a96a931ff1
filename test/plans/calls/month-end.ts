import { addMs, DAY_MS } from '../../../src/core/time.ts'
import * as months from '../../../src/domain/month-end/month-end-queries.ts'
import { queriesFile } from '../queries-file.ts'
import type { Sample } from '../sample.ts'

const YEAR_MS = 366 * 86_400_000

const monthOf = (at: Date) => at.toISOString().slice(0, 7)

/** All that the crash day has. */
const periodOf = ({ now, soon }: Sample) => ({
  ...{ start: new Date(now.getTime() - YEAR_MS), end: soon },
})

export const MONTH_END_CALLS = [
  queriesFile('domain/month-end/month-end-queries.ts', months, {
    selectTape: (tx, sample) =>
      months.selectTape(tx, sample.tenantId, { end: sample.soon, after: '', limit: 2_000 }),
    selectPostedSince: (tx, sample) =>
      months.selectPostedSince(tx, sample.tenantId, sample.facilityIds, periodOf(sample).start),
    selectInterest: (tx, sample) => months.selectInterest(tx, sample.tenantId, periodOf(sample)),
    selectProceeds: (tx, sample) => months.selectProceeds(tx, sample.tenantId, periodOf(sample)),
    selectTurnover: (tx, sample) => months.selectTurnover(tx, sample.tenantId, periodOf(sample)),
    selectHoldsOf: (tx, sample) => months.selectHoldsOf(tx, sample.tenantId, periodOf(sample)),
    selectCorrectionsOf: (tx, sample) =>
      months.selectCorrectionsOf(tx, sample.tenantId, periodOf(sample)),
    selectBreaksUntil: (tx, { tenantId }) => months.selectBreaksUntil(tx, tenantId, '2099-01-01'),
    selectClosedMonth: (tx, { tenantId, now }) =>
      months.selectClosedMonth(tx, tenantId, monthOf(addMs(now, -90 * DAY_MS))),
  }),
]
