import { DAY_MS } from '../../../src/core/time.ts'
import { execute } from '../../../src/db/transactions/execute.ts'
import * as corrections from '../../../src/domain/facilities/corrections/correction-queries.ts'
import * as holds from '../../../src/domain/facilities/holds/hold-queries.ts'
import * as pauses from '../../../src/domain/facilities/pauses/pause-queries.ts'
import * as amendments from '../../../src/domain/margin/amendments/amendment-queries.ts'
import * as book from '../../../src/domain/margin/book/book-queries.ts'
import * as bookFacts from '../../../src/domain/margin/book/fact-queries.ts'
import * as bookLists from '../../../src/domain/margin/book/list-queries.ts'
import * as calls from '../../../src/domain/margin/call-queries.ts'
import * as decisions from '../../../src/domain/margin/decisions/decision-queries.ts'
import * as candidates from '../../../src/domain/margin/evaluation/candidate-queries.ts'
import * as due from '../../../src/domain/margin/evaluation/due-queries.ts'
import * as pushes from '../../../src/domain/margin/evaluation/push-queries.ts'
import * as questions from '../../../src/domain/margin/evaluation/question-queries.ts'
import * as notices from '../../../src/domain/margin/notices/notice-queries.ts'
import * as outages from '../../../src/domain/margin/outages/outage-queries.ts'
import { DEFAULT_MARGIN_TERMS } from '../../../src/domain/margin/policy.ts'
import * as keys from '../../../src/domain/margin/receipts/key-queries.ts'
import * as receipts from '../../../src/domain/margin/receipts/receipt-queries.ts'
import * as changes from '../../../src/domain/margin/stress/change-queries.ts'
import * as outcomes from '../../../src/domain/margin/stress/outcome-queries.ts'
import { toPassTerms, toRates } from '../../../src/domain/margin/stress/rates.ts'
import * as saleSteps from '../../../src/domain/margin/stress/sale-queries.ts'
import * as stress from '../../../src/domain/margin/stress/stress-queries.ts'
import * as versions from '../../../src/domain/margin/versions/version-queries.ts'
import * as margin from '../../../src/domain/margin/warning-queries.ts'
import { looksSealed } from '../../support/stores/sealer.ts'
import { raiseOf } from '../crash-day-margin.ts'
import { inEachScope } from '../each-scope.ts'
import { queriesFile } from '../queries-file.ts'
import type { Sample } from '../sample.ts'

/** At this price no other facility is to be warned; half of it would warn all. */
const LINES = { noticeLtvPpm: [600_000n, 650_000n], floorLtvPpm: 700_000n, leastCents: 1_000n }
const ROUNDS = [new Map([['BTC', '0.1']]), new Map([['BTC', '0.1']])]
const SALE_RATES = new Map([['BTC', '0.05']])
const RATES = {
  inForce: 0,
  versions: [{ version: 0, rounds: ROUNDS, saleRates: SALE_RATES, ...LINES }],
}

/** A pass over the book of one tenant, at prices that sell some of it. */
export function passOf({ tenantId, now }: Sample, usd: bigint) {
  const prices = new Map(
    ['BTC', 'ETH', 'USDC', 'USD'].map((asset) => [asset, { price: usd, at: now }]),
  )
  const terms = DEFAULT_MARGIN_TERMS
  const bound = { version: 0, inForce: 0 }
  return {
    markets: [toRates({ tenantId, now, prices }, terms)],
    terms: { ...toPassTerms(terms), bound },
  }
}

const openWarning = ({ warned, soon, past }: Sample) => ({
  facilityId: warned.facilityId,
  number: 1,
  tier: 2 as const,
  cureDeadline: soon,
  windowDeadline: soon,
  raisedAt: past,
  ltvAtRaise: '0.760000',
  extendedSeconds: 0,
  upheld: false,
  stored: { windowDeadline: soon, cutAt: undefined, extendedSeconds: 0, countedFrom: past },
})

const order = ({ tenantId, selling }: Sample) => ({
  tenantId,
  facilityId: selling.facilityId,
  callNumber: 1,
  number: 2,
})

export const MARGIN_CALLS = [
  queriesFile('domain/margin/versions/version-queries.ts', versions, {
    lockVersions: (tx) => versions.lockVersions(tx),
    selectVersions: (tx) => versions.selectVersions(tx),
    insertOwnTerms: (tx, { now }) =>
      versions.insertOwnTerms(tx, { terms: {}, name: '2026-11', now }),
    selectBoundVersions: (tx) => versions.selectBoundVersions(tx, 0),
    countByVersion: (tx) => versions.countByVersion(tx),
    selectNextVersions: (tx) => versions.selectNextVersions(tx),
    selectTenantsUnbound: (tx) => versions.selectTenantsUnbound(tx),
    bindApproved: (tx, { tenantId, soon }) =>
      versions.bindApproved(tx, { tenantId, version: 0, from: undefined, to: soon }),
    insertVersion: (tx, { now, soon }) =>
      versions.insertVersion(tx, {
        ...{ number: 301, terms: {}, effectiveFrom: soon, note: 'new', createdAt: now },
        ...{ proposedBy: 'operator1@lender.example', signedBy: 'operator2@lender.example' },
      }),
    insertWithdrawal: (tx, { now }) =>
      versions.insertWithdrawal(tx, {
        ...{ number: 300, note: 'a mistake', at: now },
        ...{ proposedBy: 'operator1@lender.example', signedBy: 'operator2@lender.example' },
      }),
  }),
  queriesFile('domain/margin/amendments/amendment-queries.ts', amendments, {
    selectFreeSince: (tx, { tenantId, warned }) =>
      amendments.selectFreeSince(tx, tenantId, warned.facilityId),
    selectOlder: (tx) => amendments.selectOlder(tx, { version: 1, tenantId: undefined }, 1_000),
    selectPending: async (tx, { past }) => {
      await amendments.selectPending(tx, { limit: 101 })
      await amendments.selectPending(tx, { after: [past.toISOString(), 'fac_0'], limit: 101 })
    },
    selectNotices: async (tx) => {
      await amendments.selectNotices(tx, await amendments.selectPending(tx, { limit: 100 }))
    },
  }),
  queriesFile('domain/margin/receipts/receipt-queries.ts', receipts, {
    selectDecisionsOf: (tx, { tenantId, facilityIds }) =>
      receipts.selectDecisionsOf(
        tx,
        tenantId,
        facilityIds.map((facilityId) => ({ facilityId, number: 1 })),
      ),
    insertReceipts: (tx, { tenantId, selling }) =>
      receipts.insertReceipts(tx, [
        {
          ...{ tenant_id: tenantId, facility_id: selling.facilityId, call_number: 1, body: '{}' },
          ...{ sha256: Buffer.alloc(32), key_id: 'rck_1', public_key: Buffer.alloc(32) },
          signature: Buffer.alloc(64),
        },
      ]),
    selectReceipt: (tx, { tenantId, sold }) =>
      receipts.selectReceipt(tx, tenantId, sold.facilityId, 1),
  }),
  queriesFile('domain/margin/receipts/key-queries.ts', keys, {
    selectCurrentKey: (tx) => keys.selectCurrentKey(tx),
    insertKey: (tx, { now }) =>
      keys.insertKey(tx, {
        ...{ key_id: 'rck_2', public_key: Buffer.alloc(32), sealed: 'k1.aa', created_at: now },
        retired_at: null,
      }),
    retireKey: (tx, { now }) => keys.retireKey(tx, 'rck_1', now),
    updateSealedKey: (tx) => keys.updateSealedKey(tx, 'rck_1', 'k1.aa'),
    selectKeys: (tx) => keys.selectKeys(tx),
  }),
  queriesFile('domain/margin/notices/notice-queries.ts', notices, {
    selectRaisesNoticed: (tx, { tenantId, facilityIds }) =>
      notices.selectRaisesNoticed(tx, { tenantId, facilityIds }),
    selectRaise: (tx, { tenantId, warned: { facilityId } }) =>
      notices.selectRaise(tx, tenantId, {
        ...{ facilityId, warningNumber: 1, eventId: raiseOf(facilityId) },
      }),
    insertNotice: (tx, { tenantId, warned, now }) =>
      notices.insertNotice(tx, {
        ...{ tenant_id: tenantId, event_id: raiseOf(warned.facilityId), number: 1 },
        ...{ channel: 'email', at: now, recorded_at: now, reference: looksSealed('mail-1') },
      }),
    countUnnoticed: (tx, { now }) => notices.countUnnoticed(tx, now, 60_000),
  }),
  queriesFile('domain/margin/warning-queries.ts', margin, {
    selectOpenWarnings: (tx, { tenantId, facilityIds }) =>
      execute(tx, margin.selectOpenWarnings({ tenantId, ids: facilityIds })),
    countOpenWarnings: (tx) => margin.countOpenWarnings(tx),
    selectHistory: (tx, { tenantId, facilityIds }) =>
      execute(tx, margin.selectHistory({ tenantId, ids: facilityIds })),
    selectReportedCures: (tx, { tenantId, facilityIds }) =>
      margin.selectReportedCures(tx, tenantId, facilityIds),
    insertWarnings: (tx, s) =>
      margin.insertWarnings(tx, s.tenantId, [
        { ...openWarning(s), facilityId: s.sold.facilityId, number: 2 },
      ]),
    updateOpenWarnings: (tx, s) => margin.updateOpenWarnings(tx, s.tenantId, [openWarning(s)]),
    updateNoticed: (tx, { tenantId, facilityIds }) =>
      margin.updateNoticed(
        tx,
        tenantId,
        facilityIds.map((facilityId) => ({ facilityId, ltvPpm: 600_000n, isReported: true })),
      ),
    selectWarning: (tx, { tenantId, warned }) =>
      margin.selectWarning(tx, tenantId, warned.facilityId, 1),
    selectWarnings: (tx, { tenantId, warned }) =>
      margin.selectWarnings(tx, tenantId, warned.facilityId, { before: 9, limit: 101 }),
  }),
  queriesFile('domain/margin/evaluation/due-queries.ts', due, {
    isOverdue: (tx, { tenantId, warned, now }) =>
      due.isOverdue(tx, tenantId, warned.facilityId, new Date(now.getTime() + 3 * DAY_MS)),
    selectIndebted: (tx, { tenantId, facilityIds }) =>
      due.selectIndebted(tx, tenantId, facilityIds[0] ?? '', 500),
  }),
  queriesFile('domain/margin/call-queries.ts', calls, {
    selectLiveCalls: (tx, { tenantId, facilityIds }) =>
      execute(tx, calls.selectLiveCalls({ tenantId, ids: facilityIds })),
    selectLiveTotals: (tx, { now }) => calls.selectLiveTotals(tx, now),
    insertCalls: (tx, { tenantId, warned, now }) =>
      calls.insertCalls(
        tx,
        tenantId,
        [{ facilityId: warned.facilityId, number: 1, marginWarningNumber: 1 }],
        now,
      ),
    selectCall: (tx, { tenantId, sold }) => calls.selectCall(tx, tenantId, sold.facilityId, 1),
    selectCalls: (tx, { tenantId, sold }) =>
      calls.selectCalls(tx, tenantId, sold.facilityId, { before: 9, limit: 101 }),
    updateLiveCall: (tx, { tenantId, selling }) =>
      calls.updateLiveCall(
        tx,
        tenantId,
        { facility_id: selling.facilityId, number: 1 },
        { costs_cents: 1n },
      ),
    selectSales: (tx, { tenantId, sold }) =>
      calls.selectSales(tx, tenantId, [sold.facilityId], [1, 2]),
    insertSale: (tx, { tenantId, sold, now }) =>
      calls.insertSale(tx, {
        tenant_id: tenantId,
        facility_id: sold.facilityId,
        call_number: 1,
        number: 2,
        asset: 'BTC',
        ordered_units: 1n,
        in_kind: false,
        status: 'ORDERED',
        ordered_at: now,
      }),
    acknowledgeSale: (tx, s) => calls.acknowledgeSale(tx, order(s), s.now),
    recallOrders: (tx, { tenantId, selling, now }) =>
      calls.recallOrders(tx, tenantId, selling.facilityId, now),
    selectSaleRecords: (tx, { tenantId, facilityIds }) =>
      calls.selectSaleRecords(tx, tenantId, facilityIds, [1]),
    updateOrderedSale: (tx, s) =>
      calls.updateOrderedSale(tx, order(s), {
        status: 'FILLED',
        filled_units: 1n,
        executed_at: s.now,
      }),
  }),
  queriesFile('domain/margin/evaluation/candidate-queries.ts', candidates, {
    selectCandidates: (tx, { tenantId, now }) =>
      inEachScope(tenantId, (scope) => candidates.selectCandidates(tx, scope, RATES, now)),
    countUnwarned: (tx, { now }) => candidates.countUnwarned(tx, RATES, now),
    selectWarned: (tx, { tenantId }) =>
      inEachScope(tenantId, (scope) => candidates.selectWarned(tx, scope)),
  }),
  queriesFile('domain/margin/stress/outcome-queries.ts', outcomes, {}),
  queriesFile('domain/margin/stress/sale-queries.ts', saleSteps, {}),
  queriesFile('domain/margin/stress/stress-queries.ts', stress, {
    sumOutcomes: (tx, sample) => {
      const { markets, terms } = passOf(sample, 10n ** 8n)
      return stress.sumOutcomes(tx, markets, terms)
    },
    selectOutcomes: (tx, sample) => {
      const { markets, terms } = passOf(sample, 10n ** 8n)
      return stress.selectOutcomes(tx, markets, terms)
    },
  }),
  queriesFile('domain/margin/stress/change-queries.ts', changes, {
    selectChanges: (tx, sample) =>
      changes.selectChanges(tx, [passOf(sample, 10n ** 12n)], [passOf(sample, 10n ** 8n)], {
        limit: 10,
      }),
  }),
  queriesFile('domain/margin/book/fact-queries.ts', bookFacts, {}),
  queriesFile('domain/margin/book/book-queries.ts', book, {
    sumBook: (tx, sample) =>
      book.sumBook(tx, [passOf(sample, 10n ** 8n)], {
        ...{ bandsPpm: [700_000n, 1_000_000n], largest: 20 },
      }),
  }),
  queriesFile('domain/margin/book/list-queries.ts', bookLists, {
    selectListed: (tx, sample) =>
      bookLists.selectListed(
        tx,
        [passOf(sample, 10n ** 8n)],
        { figure: 'interest' },
        { after: undefined, limit: 101 },
      ),
  }),
  queriesFile('domain/margin/decisions/decision-queries.ts', decisions, {
    insertDecisions: async (tx, { tenantId, warned, now }) => {
      decisions.insertDecisions(tx, tenantId, { sharedFacts: {}, decidedAt: now }, [
        { facilityId: warned.facilityId, warningNumber: 1, kind: 'worsen', facts: {} },
      ])
    },
    selectRaises: (tx, { tenantId, warned }) =>
      decisions.selectRaises(tx, tenantId, [{ facilityId: warned.facilityId, number: 1 }]),
    selectDecisions: (tx, { tenantId, warned }) =>
      decisions.selectDecisions(tx, tenantId, warned.facilityId, [1]),
  }),
  queriesFile('domain/margin/outages/outage-queries.ts', outages, {
    selectHeartbeat: (tx) => outages.selectHeartbeat(tx),
    upsertHeartbeat: (tx, { now }) => outages.upsertHeartbeat(tx, now),
    lockWarned: (tx, { tenantId }) =>
      inEachScope(tenantId, (scope) =>
        outages.lockWarned(tx, {
          ...{ tenantId: scope, after: { tenantId: '', facilityId: '' }, limit: 500 },
        }),
      ),
  }),
  queriesFile('domain/facilities/corrections/correction-queries.ts', corrections, {
    insertCorrection: (tx, { tenantId, warned, now }) =>
      corrections.insertCorrection(tx, {
        ...{ tenant_id: tenantId, facility_id: warned.facilityId, correction_id: 'cor_new' },
        ...{ kind: 'close', corrected_at: now, amount_cents: null, rate_ppm: null },
        ...{ from_at: null, until_at: null },
      }),
    selectCorrections: (tx, { tenantId, sold }) =>
      corrections.selectCorrections(tx, tenantId, sold.facilityId),
    markUndone: (tx, { tenantId, sold: { facilityId }, now }) =>
      corrections.markUndone(tx, tenantId, { facilityId, correctionId: 'cor_1' }, now),
    insertForbearance: (tx, { tenantId, warned, now, soon }) =>
      corrections.insertForbearance(tx, tenantId, warned.facilityId, {
        ...{ id: 'pau_forbearance', from: now, until: soon },
      }),
    countEntries: (tx, { tenantId, warned }) =>
      corrections.countEntries(tx, tenantId, warned.facilityId),
    selectEntryIds: (tx, { tenantId, warned }) =>
      corrections.selectEntryIds(tx, tenantId, warned.facilityId),
    selectEntriesBeside: (tx, { tenantId, warned }) =>
      corrections.selectEntriesBeside(tx, tenantId, warned.facilityId, ['draw/drw_1']),
    hasSuspense: (tx, { tenantId, sold }) => corrections.hasSuspense(tx, tenantId, sold.facilityId),
    askWriteOffReading: (tx, { tenantId, warned: { facilityId }, soon }) =>
      corrections.askWriteOffReading(tx, { tenantId, facilityId }, soon),
    selectWriteOffReading: (tx, { tenantId, sold }) =>
      corrections.selectWriteOffReading(tx, tenantId, sold.facilityId),
    storeWriteOffReading: (tx, { tenantId, sold: { facilityId }, now }) =>
      corrections.storeWriteOffReading(
        tx,
        { tenantId, facilityId },
        { readAt: now, positions: [{ asset: 'BTC', units: '1' }] },
      ),
  }),
  queriesFile('domain/facilities/holds/hold-queries.ts', holds, {
    insertHold: (tx, { tenantId, warned, now }) =>
      holds.insertHold(tx, tenantId, warned.facilityId, {
        ...{ id: 'pau_new', kind: 'freeze', reason: looksSealed('order'), now },
      }),
    endHold: (tx, { tenantId, warned, now }) =>
      holds.endHold(tx, tenantId, { facilityId: warned.facilityId, holdId: 'pau_hold' }, now),
    selectHolds: (tx, { tenantId, warned }) => holds.selectHolds(tx, tenantId, warned.facilityId),
    selectLyingHolds: async (tx, { past }) => {
      await holds.selectLyingHolds(tx, {})
      await holds.selectLyingHolds(tx, { after: [past.toISOString(), 'pau_0'], limit: 100 })
    },
    recallDraws: (tx, { tenantId, paying, now }) =>
      holds.recallDraws(tx, tenantId, paying.facilityId, now),
    lockUnsentDraws: (tx, { tenantId, drawing }) =>
      holds.lockUnsentDraws(tx, tenantId, drawing.facilityId),
    selectPendingRefunds: (tx, { tenantId, refunded }) =>
      holds.selectPendingRefunds(tx, tenantId, refunded.facilityId),
  }),
  queriesFile('domain/facilities/pauses/pause-queries.ts', pauses, {
    selectLastBeat: (tx, { tenantId }) => pauses.selectLastBeat(tx, tenantId),
    selectPauses: (tx, { tenantId, facilityIds }) => pauses.selectPauses(tx, tenantId, facilityIds),
    insertOutages: async (tx, { tenantId, warned, stranger, past, now }) => {
      const own = { tenantId, facilityId: warned.facilityId, from: past, until: now }
      await pauses.insertOutages(tx, [own])
      await pauses.insertOutages(tx, [own, { ...own, ...stranger }])
    },
    endOutages: (tx, { tenantId, facilityIds, now }) =>
      pauses.endOutages(tx, tenantId, facilityIds, now),
  }),
  queriesFile('domain/margin/evaluation/question-queries.ts', questions, {
    updateQuestions: (tx, { tenantId, borrowerIds, now }) =>
      questions.updateQuestions(
        tx,
        tenantId,
        borrowerIds.map((borrowerId) => ({
          borrowerId,
          digest: Buffer.alloc(32),
          askedSince: undefined,
          checkingSince: undefined,
          answer: { positions: [{ asset: 'BTC', units: 1n }], askedAt: now },
        })),
      ),
    selectQuestions: (tx, { tenantId, borrowerIds }) =>
      questions.selectQuestions(tx, tenantId, borrowerIds),
  }),
  queriesFile('domain/margin/evaluation/push-queries.ts', pushes, {
    lockBorrowers: (tx, { tenantId, borrowerIds }) =>
      execute(tx, pushes.lockBorrowers({ tenantId, borrowerIds })),
    lockAvailableBorrowers: (tx, { tenantId, borrowerIds }) =>
      execute(tx, pushes.lockAvailableBorrowers({ tenantId, borrowerIds })),
    selectHolders: (tx, { tenantId, borrowerIds }) =>
      execute(tx, pushes.selectHolders({ tenantId, borrowerIds })),
    upsertSnapshots: (tx, { tenantId, borrowerIds, now }) =>
      execute(
        tx,
        pushes.upsertSnapshots({
          tenantId,
          borrowerIds,
          asOfMicros: borrowerIds.map(() => BigInt(now.getTime()) * 1_000n),
          digests: borrowerIds.map(() => Buffer.alloc(32)),
          positions: borrowerIds.map(() => ({ BTC: '1' })),
          receivedAt: borrowerIds.map(() => now),
          isNew: borrowerIds.map(() => true),
        }),
      ),
  }),
]
