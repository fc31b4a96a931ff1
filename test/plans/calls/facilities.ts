import { asSealed } from '../../../src/core/personal-text.ts'
import { execute } from '../../../src/db/transactions/execute.ts'
import * as books from '../../../src/domain/facilities/books/books-queries.ts'
import * as holdings from '../../../src/domain/facilities/custody/holding-queries.ts'
import * as inquiries from '../../../src/domain/facilities/custody/inquiry-queries.ts'
import * as doubts from '../../../src/domain/facilities/doubts/doubt-queries.ts'
import * as draws from '../../../src/domain/facilities/draws/draw-queries.ts'
import * as journal from '../../../src/domain/facilities/ledger/journal-queries.ts'
import * as ledger from '../../../src/domain/facilities/ledger/ledger-queries.ts'
import * as names from '../../../src/domain/facilities/name-queries.ts'
import * as facilities from '../../../src/domain/facilities/queries.ts'
import * as refunds from '../../../src/domain/facilities/refunds/refund-queries.ts'
import * as statements from '../../../src/domain/facilities/statements/statement-queries.ts'
import * as underWay from '../../../src/domain/facilities/under-way-queries.ts'
import * as repayments from '../../../src/domain/repayments/queries.ts'
import * as returns from '../../../src/domain/repayments/returns/return-queries.ts'
import { LOOKS_SEALED, looksSealed } from '../../support/stores/sealer.ts'
import { queriesFile } from '../queries-file.ts'
import type { Sample } from '../sample.ts'

const inquiryOf = ({ tenantId, warned, now }: Sample) => ({
  tenantId,
  facilityId: warned.facilityId,
  purpose: 'escalation' as const,
  basis: 'warning 1',
  now,
})

const declinedOf = ({ tenantId, borrowerId, now }: Sample) => ({
  ...{ tenant_id: tenantId, facility_id: 'fac_new', borrower_id: borrowerId },
  ...{ state: 'DECLINED' as const, limit_cents: 1n, rate_ppm: 0, decline_reasons: [] },
  ...{ accrued_at: now, created_at: now, updated_at: now },
})

export const FACILITY_CALLS = [
  queriesFile('domain/facilities/queries.ts', facilities, {
    selectFacility: (tx, { tenantId, sold }) =>
      facilities.selectFacility(tx, tenantId, sold.facilityId),
    lockFacilityRow: (tx, { tenantId, sold, now }) =>
      facilities.lockFacilityRow(tx, tenantId, sold.facilityId, now),
    noteActs: async (tx, { tenantId, facilityIds, now }) => {
      await facilities.noteActs(tx, tenantId, facilityIds, now)
    },
    lockApprovedRows: (tx, { tenantId, facilityIds }) =>
      facilities.lockApprovedRows(tx, tenantId, facilityIds),
    selectApprovedPage: (tx, { tenantId, facilityIds }) =>
      facilities.selectApprovedPage(tx, tenantId, { after: facilityIds[0] ?? '', limit: 100 }),
    selectFacilitiesOf: (tx, { tenantId, facilityIds }) =>
      facilities.selectFacilitiesOf(tx, tenantId, facilityIds),
    lockFacilityStates: async (tx, { tenantId, facilityIds }) => {
      await facilities.lockFacilityStates(tx, tenantId, facilityIds, 'wait for')
      await facilities.lockFacilityStates(tx, tenantId, facilityIds, 'pass over')
    },
    selectApprovedOf: (tx, { tenantId, borrowerIds }) =>
      facilities.selectApprovedOf(tx, tenantId, borrowerIds),
    selectFacilities: async (tx, { tenantId, borrowerId, facilityIds }) => {
      const page = { before: facilityIds.at(-1), limit: 101 }
      const all = { borrowerId: undefined, state: undefined, externalId: undefined }
      await facilities.selectFacilities(tx, tenantId, { ...page, ...all, before: undefined })
      await facilities.selectFacilities(tx, tenantId, { ...page, ...all })
      await facilities.selectFacilities(tx, tenantId, { ...page, ...all, borrowerId })
      await facilities.selectFacilities(tx, tenantId, { ...page, ...all, state: 'APPROVED' })
      await facilities.selectFacilities(tx, tenantId, { ...page, ...all, state: 'CLOSED' })
      await facilities.selectFacilities(tx, tenantId, { ...page, ...all, externalId: 'loan-7' })
    },
    insertFacility: (tx, s) => facilities.insertFacility(tx, declinedOf(s)),
    updateFacilityRow: (tx, { tenantId, warned, now }) =>
      facilities.updateFacilityRow(
        tx,
        tenantId,
        { id: warned.facilityId, state: 'APPROVED' },
        {
          updated_at: now,
        },
      ),
    updateEased: (tx, { tenantId, warned }) =>
      facilities.updateEased(tx, tenantId, warned.facilityId, null),
    lockAccruing: (tx, { tenantId, soon }) => facilities.lockAccruing(tx, tenantId, soon, 500),
    updateAccrued: (tx, { tenantId, warned, now }) =>
      facilities.updateAccrued(
        tx,
        tenantId,
        [{ facilityId: warned.facilityId, interestNumerator: 1n, interestBookedCents: 1n }],
        now,
      ),
    hasAccruing: (tx, { tenantId, soon }) => facilities.hasAccruing(tx, tenantId, soon),
    selectIdOfExternal: async (tx, s) => {
      await facilities.insertFacility(tx, { ...declinedOf(s), external_id: 'loan-7' })
      await facilities.selectIdOfExternal(tx, s.tenantId, 'loan-7')
    },
    selectDeficit: (tx, { tenantId, borrowerId }) =>
      facilities.selectDeficit(tx, tenantId, borrowerId),
    selectMarginState: (tx, { tenantId, warned }) =>
      facilities.selectMarginState(tx, tenantId, warned.facilityId),
  }),
  queriesFile('domain/facilities/name-queries.ts', names, {
    selectExternalIdsOfAll: (tx, { tenantId, borrowerIds, facilityIds }) =>
      names.selectExternalIdsOfAll(
        tx,
        [...borrowerIds, ...facilityIds].map((id) => `${tenantId}/${id}`),
      ),
    selectExternalIds: (tx, { tenantId, borrowerIds, facilityIds }) =>
      names.selectExternalIds(tx, tenantId, [...borrowerIds, ...facilityIds]),
    selectByNameStart: (tx, { tenantId }) => names.selectByNameStart(tx, tenantId, 'loan-', 8),
    selectTenantNames: (tx, { tenantId }) => names.selectTenantNames(tx, [tenantId]),
  }),
  queriesFile('domain/facilities/ledger/journal-queries.ts', journal, {
    requireOpenMonth: (tx, { tenantId, now }) =>
      execute(tx, journal.requireOpenMonth({ tenantId, id: 'accrual/new', bookedAt: now })),
    insertEntry: (tx, { tenantId, warned, now }) =>
      journal.insertEntry(tx, tenantId, warned.facilityId, {
        id: 'accrual/new',
        kind: 'accrual',
        valueAt: now,
        bookedAt: now,
        postings: [
          { account: 'interest_receivable', asset: 'USD', units: 1n },
          { account: 'interest_income', asset: 'USD', units: -1n },
        ],
      }),
    insertAccruals: (tx, { tenantId, warned, now }) =>
      journal.insertAccruals(tx, tenantId, [
        { facilityId: warned.facilityId, id: 'interest/new', cents: 1n, postedAt: now },
      ]),
    insertPrincipalMovement: (tx, { tenantId, warned, now }) =>
      journal.insertPrincipalMovement(tx, {
        tenant_id: tenantId,
        facility_id: warned.facilityId,
        source_id: 'rep_new',
        effective_at: now,
        delta_cents: -1n,
      }),
    selectHistory: (tx, { tenantId, warned }) =>
      journal.selectHistory(tx, tenantId, warned.facilityId),
    selectProvisionalEntries: (tx, { tenantId, refunded }) =>
      journal.selectProvisionalEntries(tx, tenantId, refunded.facilityId),
    countWaivers: (tx, { tenantId, warned }) =>
      journal.countWaivers(tx, tenantId, warned.facilityId),
    selectLines: (tx, { tenantId, sold }) =>
      journal.selectLines(tx, tenantId, { facilityId: sold.facilityId, entryId: 'charge_off' }),
    selectChargedOffAt: (tx, { tenantId, sold }) =>
      journal.selectChargedOffAt(tx, tenantId, sold.facilityId),
  }),
  queriesFile('domain/facilities/books/books-queries.ts', books, {
    selectBalances: (tx, { tenantId, now }) =>
      books.selectBalances(tx, { tenantId, at: now, by: 'posting' }),
    selectEntries: (tx, { tenantId, monthAgo, now }) =>
      books.selectEntries(
        tx,
        { tenantId, from: monthAgo, to: now },
        { after: undefined, limit: 1_000 },
      ),
    selectClosedUntil: (tx) =>
      books.selectClosedUntil(tx, undefined, { before: undefined, limit: 101 }),
    lockMonths: (tx, { tenantId }) => books.lockMonths(tx, tenantId),
    insertClosedMonth: (tx, { tenantId, now }) =>
      books.insertClosedMonth(tx, tenantId, '2000-01-01', now),
  }),
  queriesFile('domain/facilities/statements/statement-queries.ts', statements, {
    selectSums: (tx, { tenantId, warned, monthAgo, past, now }) =>
      statements.selectSums(tx, tenantId, warned.facilityId, [monthAgo, past, now]),
    selectEntries: (tx, { tenantId, warned, monthAgo, now }) =>
      statements.selectEntries(tx, tenantId, warned.facilityId, {
        ...{ from: monthAgo, to: now, limit: 500 },
      }),
    selectParts: (tx, { tenantId, warned, monthAgo, now }) =>
      statements.selectParts(tx, tenantId, warned.facilityId, {
        ...{ from: monthAgo, to: now, limit: 500 },
      }),
  }),
  queriesFile('domain/facilities/under-way-queries.ts', underWay, {
    hasMoneyUnderWay: (tx, { tenantId, drawing }) =>
      underWay.hasMoneyUnderWay(tx, tenantId, drawing.facilityId),
    hasDebtUnderWay: (tx, { tenantId, drawing }) =>
      underWay.hasDebtUnderWay(tx, tenantId, drawing.facilityId),
    hasUnsettledMoney: (tx, { tenantId, refunded }) =>
      underWay.hasUnsettledMoney(tx, tenantId, refunded.facilityId),
  }),
  queriesFile('domain/facilities/draws/draw-queries.ts', draws, {
    insertDraw: (tx, { tenantId, warned, now }) =>
      draws.insertDraw(tx, {
        tenant_id: tenantId,
        draw_id: 'drw_new',
        facility_id: warned.facilityId,
        status: 'PENDING',
        asset: 'USD',
        amount_units: 1n,
        debt_cents: 1n,
        destination: looksSealed('account'),
        requested_at: now,
      }),
    selectDraw: (tx, { tenantId, drawing }) => draws.selectDraw(tx, tenantId, drawing.drawId),
    lockDraw: (tx, { tenantId, drawing }) => draws.lockDraw(tx, tenantId, drawing.drawId),
    updatePendingDraw: (tx, { tenantId, drawing, now }) =>
      draws.updatePendingDraw(tx, tenantId, drawing.pendingDrawId, { payout_sent_at: now }),
    selectDraws: (tx, { tenantId, drawing }) =>
      draws.selectDraws(tx, tenantId, drawing.facilityId, { before: 'drw_z', limit: 101 }),
    hasCompletedDraw: (tx, { tenantId, warned }) =>
      draws.hasCompletedDraw(tx, tenantId, warned.facilityId),
    hasReturnedDraw: (tx, { tenantId, returned: { facilityId } }) =>
      draws.hasReturnedDraw(tx, tenantId, {
        facility_id: facilityId,
        destination: asSealed(LOOKS_SEALED),
      }),
    updateReturnedDraw: (tx, { tenantId, drawing, now }) =>
      draws.updateReturnedDraw(tx, tenantId, drawing.drawId, {
        units: 1n,
        code: 'closed',
        at: now,
      }),
    selectLatestCompletedDraw: (tx, { tenantId, drawing }) =>
      draws.selectLatestCompletedDraw(tx, tenantId, drawing.facilityId),
  }),
  queriesFile('domain/facilities/custody/holding-queries.ts', holdings, {
    selectSold: async (tx, { tenantId, borrowerIds, sold }) => {
      await execute(tx, holdings.selectSold({ tenantId, borrowerIds }))
      await execute(tx, holdings.selectSold({ tenantId, borrowerIds: [sold.borrowerId] }))
    },
    selectSalesProgress: (tx, { tenantId, selling }) =>
      holdings.selectSalesProgress(tx, tenantId, [selling.borrowerId]),
  }),
  queriesFile('domain/facilities/custody/inquiry-queries.ts', inquiries, {
    beginInquiry: (tx, s) => inquiries.beginInquiry(tx, inquiryOf(s)),
    endInquiry: async (tx, s) => {
      const { number } = await inquiries.beginInquiry(tx, inquiryOf(s))
      await inquiries.endInquiry(tx, { ...inquiryOf(s), number })
    },
    endInquiries: (tx, { tenantId, facilityIds }) =>
      inquiries.endInquiries(tx, { tenantId, facilityIds, purpose: 'escalation' }),
  }),
  queriesFile('domain/facilities/ledger/ledger-queries.ts', ledger, {
    selectDisagreements: (tx) => ledger.selectDisagreements(tx),
  }),
  queriesFile('domain/facilities/refunds/refund-queries.ts', refunds, {
    insertRefund: (tx, { tenantId, warned, now }) =>
      refunds.insertRefund(tx, {
        tenant_id: tenantId,
        refund_id: 'ref_new',
        facility_id: warned.facilityId,
        source_id: 'rep_new',
        status: 'PENDING',
        asset: 'USD',
        amount_units: 1n,
        cents: 1n,
        destination: looksSealed('account'),
        created_at: now,
      }),
    updateRefundOrdered: (tx, { tenantId, refunded, now }) =>
      refunds.updateRefundOrdered(
        tx,
        tenantId,
        { refundId: refunded.refundId, units: 1n, cents: 1n },
        now,
      ),
    selectOpenRefunds: (tx, { tenantId, refunded }) =>
      refunds.selectOpenRefunds(tx, tenantId, refunded.facilityId),
    updatePendingRefund: (tx, { tenantId, refunded }) =>
      refunds.updatePendingRefund(tx, tenantId, refunded.refundId, { taken_cents: 0n }),
    selectRefund: (tx, { tenantId, refunded }) =>
      refunds.selectRefund(tx, tenantId, refunded.refundId),
    selectPayableRefunds: (tx, { tenantId, refunded, now }) =>
      refunds.selectPayableRefunds(tx, tenantId, refunded.facilityId, now),
    lockRefund: (tx, { tenantId, refunded }) => refunds.lockRefund(tx, tenantId, refunded.refundId),
    updateRefundDestination: (tx, { tenantId, refunded }) =>
      refunds.updateRefundDestination(tx, tenantId, refunded.refundId, looksSealed('another')),
    insertRedirect: (tx, { tenantId, refunded, now }) =>
      refunds.insertRedirect(tx, {
        tenant_id: tenantId,
        refund_id: refunded.refundId,
        from_destination: looksSealed('account'),
        to_destination: looksSealed('another'),
        refusals: 1,
        reason: looksSealed('closed account'),
        redirected_at: now,
      }),
    countRefused: (tx) => refunds.countRefused(tx, 1_000),
    selectRefused: async (tx, { past }) => {
      await refunds.selectRefused(tx, {})
      await refunds.selectRefused(tx, { after: [past.toISOString(), ''], limit: 101 })
    },
    selectRefundRow: (tx, { tenantId, refunded }) =>
      refunds.selectRefundRow(tx, tenantId, refunded.refundId),
    updateReturnedRefund: (tx, { tenantId, sold, now }) =>
      refunds.updateReturnedRefund(tx, tenantId, sold.refundId, { code: 'closed', at: now }),
    selectRefundOrigin: (tx, { tenantId, refunded }) =>
      refunds.selectRefundOrigin(tx, tenantId, {
        facility_id: refunded.facilityId,
        source_id: 'rep_new',
      }),
    lockRefundOf: (tx, { tenantId, refunded }) =>
      refunds.lockRefundOf(tx, tenantId, [refunded.repaymentId]),
    recallRefunds: async (tx, { tenantId, refunded: { facilityId }, now }) => {
      await refunds.recallRefunds(tx, tenantId, { facilityId }, now)
      await refunds.recallRefunds(
        tx,
        tenantId,
        { facilityId, destination: asSealed(LOOKS_SEALED) },
        now,
      )
    },
    suspendRefundsTo: (tx, { tenantId, unordered: { facilityId } }) =>
      refunds.suspendRefundsTo(tx, tenantId, { facilityId, destination: asSealed(LOOKS_SEALED) }),
    selectOldestRefused: (tx, { now }) => refunds.selectOldestRefused(tx, now),
  }),
  queriesFile('domain/facilities/doubts/doubt-queries.ts', doubts, {
    upsertDoubt: (tx, { tenantId, refunded, now }) =>
      doubts.upsertDoubt(tx, {
        tenant_id: tenantId,
        subject_id: refunded.refundId,
        facility_id: refunded.facilityId,
        reason: 'refused',
        answer: '{}',
        since: now,
      }),
    settleDoubt: (tx, { tenantId, refunded, now }) =>
      doubts.settleDoubt(tx, tenantId, refunded.refundId, now),
    selectOldestDoubt: (tx, { now }) => doubts.selectOldestDoubt(tx, now),
    selectOldestUnanswered: (tx, { now }) => doubts.selectOldestUnanswered(tx, now),
    selectUnanswered: (tx, { now }) =>
      doubts.selectUnanswered(tx, { realNow: now, waitedMs: 1 }, { limit: 101 }),
    selectDoubts: async (tx, { past }) => {
      await doubts.selectDoubts(tx, {})
      await doubts.selectDoubts(tx, { after: [past.toISOString(), ''], limit: 101 })
    },
  }),
  queriesFile('domain/repayments/returns/return-queries.ts', returns, {
    selectTransfer: (tx, { tenantId, sold }) =>
      returns.selectTransfer(tx, tenantId, sold.repaymentId),
    lockPart: (tx, { tenantId, sold }) => returns.lockPart(tx, tenantId, sold.repaymentId),
    selectPayoutCents: (tx, { tenantId, sold: { facilityId } }) =>
      returns.selectPayoutCents(tx, tenantId, { facilityId, payoutId: 'charge_off' }),
  }),
  queriesFile('domain/repayments/queries.ts', repayments, {
    insertRepayment: (tx, { tenantId, warned, now }) =>
      repayments.insertRepayment(tx, {
        tenant_id: tenantId,
        repayment_id: 'rep_new',
        facility_id: warned.facilityId,
        status: 'PENDING',
        asset: 'USD',
        amount_units: 1n,
        requested_at: now,
      }),
    selectRepayment: (tx, { tenantId, repaying }) =>
      repayments.selectRepayment(tx, tenantId, repaying.repaymentId),
    lockRepaymentRow: (tx, { tenantId, repaying }) =>
      repayments.lockRepaymentRow(tx, tenantId, repaying.repaymentId),
    updateRepayment: (tx, { tenantId, repaying, now }) =>
      repayments.updateRepayment(
        tx,
        tenantId,
        { id: repaying.repaymentId, status: 'PENDING' },
        {
          requested_at: now,
        },
      ),
    claimReference: (tx, { tenantId, repaying }) =>
      repayments.claimReference(tx, {
        tenant_id: tenantId,
        reference: 'in new',
        folded: 'IN NEW',
        repayment_id: repaying.repaymentId,
      }),
    claimTransfer: (tx, { tenantId, repaying }) =>
      repayments.claimTransfer(tx, {
        tenant_id: tenantId,
        transfer_id: 'new',
        repayment_id: repaying.repaymentId,
      }),
    insertConfirmed: (tx, { tenantId, repaying }) =>
      repayments.insertConfirmed(tx, {
        tenant_id: tenantId,
        transfer_id: 'new',
        repayment_id: repaying.repaymentId,
      }),
    selectUndecided: async (tx, { past }) => {
      await repayments.selectUndecided(tx, {})
      await repayments.selectUndecided(tx, { after: [past.toISOString(), ''], limit: 101 })
    },
    updateFinality: (tx, { tenantId, repaying, now }) =>
      repayments.updateFinality(tx, tenantId, repaying.repaymentId, now),
    selectNextFinality: (tx, { tenantId, repaying }) =>
      repayments.selectNextFinality(tx, tenantId, repaying.facilityId),
    selectClaims: (tx) => repayments.selectClaims(tx, ['in 3', 'in 4']),
    countUndecided: (tx) => repayments.countUndecided(tx, 1_000),
    selectOldestUndecided: (tx, { now }) => repayments.selectOldestUndecided(tx, now),
    countRefusedInquiry: (tx, { tenantId, repaying }) =>
      repayments.countRefusedInquiry(tx, tenantId, repaying.repaymentId, 0),
    selectRepayments: (tx, { tenantId, repaying }) =>
      repayments.selectRepayments(tx, tenantId, repaying.facilityId, {
        before: 'rep_z',
        limit: 101,
      }),
  }),
]
