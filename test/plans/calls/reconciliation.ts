import * as breaks from '../../../src/domain/reconciliation/break-queries.ts'
import * as days from '../../../src/domain/reconciliation/reconciliation-queries.ts'
import * as transfers from '../../../src/providers/sandbox/transfer-queries.ts'
import { looksSealed } from '../../support/stores/sealer.ts'
import { inEachScope } from '../each-scope.ts'
import { queriesFile } from '../queries-file.ts'
import type { Sample } from '../sample.ts'

const dayOf = (at: Date) => at.toISOString().slice(0, 10)

const breakIdOf = ({ tenantId }: Sample) => `brk_${tenantId.slice(-20)}000001`

const rowOf = ({ tenantId, now }: Sample) => ({
  ...{ tenant_id: tenantId, transfer_id: 'new', asset: 'USD', units: 1n, call_id: 'drw_1' },
  ...{ returns: null, booked_at: now },
})

export const RECONCILIATION_CALLS = [
  queriesFile('domain/reconciliation/reconciliation-queries.ts', days, {
    selectNewTenants: (tx, sample) =>
      inEachScope(sample.tenantId, (scope) => days.selectNewTenants(tx, scope)),
    insertReconciliation: (tx, { tenantId, now }) =>
      days.insertReconciliation(tx, {
        ...{ tenant_id: tenantId, first_day: dayOf(now), next_day: dayOf(now) },
        ...{ time_zone: 'UTC', due_at: now },
      }),
    selectProgress: (tx, sample) =>
      inEachScope(sample.tenantId, (scope) => days.selectProgress(tx, scope)),
    leaseReconciliation: (tx, { tenantId, now, soon }) =>
      days.leaseReconciliation(tx, tenantId, { realNow: now, until: soon }),
    updateLease: (tx, { tenantId, soon }) => days.updateLease(tx, tenantId, soon),
    updateProgress: (tx, { tenantId, now }) =>
      days.updateProgress(tx, tenantId, {
        ...{ day: dayOf(now), nextDay: '2099-01-01', timeZone: 'UTC', dueAt: now },
      }),
    insertListed: (tx, sample) => {
      const { booked_at, ...row } = rowOf(sample)
      return days.insertListed(tx, [{ ...row, day: dayOf(booked_at) }])
    },
    insertListedDay: (tx, { tenantId, now }) =>
      days.insertListedDay(tx, {
        ...{ tenant_id: tenantId, day: '2099-01-01', balances: { USD: '1' }, accounts: 1 },
        listed_at: now,
      }),
    selectListedDays: (tx, { tenantId, past, now }) =>
      days.selectListedDays(tx, tenantId, [
        dayOf(past),
        dayOf(new Date(now.getTime() - 86_400_000)),
      ]),
    selectListedOn: (tx, { tenantId, now }) => days.selectListedOn(tx, tenantId, dayOf(now)),
    selectListed: (tx, { tenantId, facilityIds }) =>
      days.selectListed(tx, tenantId, {
        transferIds: facilityIds.map((id) => `out ${Number(id.slice(-8))}`),
        subjects: facilityIds.map((id) => `drw_${id.slice(-26)}`),
      }),
    selectConfirmed: (tx, { tenantId, facilityIds }) =>
      days.selectConfirmed(tx, tenantId, {
        transferIds: facilityIds.map((id) => `in ${Number(id.slice(-8))}`),
        repaymentIds: facilityIds.map((id) => `rep_${id.slice(-26)}`),
      }),
    selectPostedCash: async (tx, { tenantId, monthAgo, now }) => {
      const period = { from: monthAgo, to: now }
      await days.selectPostedCash(tx, tenantId, { ...period, writtenFrom: monthAgo })
      await days.selectPostedCash(tx, tenantId, { ...period, writtenFrom: undefined })
    },
    selectCash: (tx, { tenantId, facilityIds }) =>
      days.selectCash(
        tx,
        tenantId,
        facilityIds.map((facilityId) => ({ facilityId, entryId: 'accrual/000001' })),
      ),
    selectSubjects: (tx, { tenantId, facilityIds }) =>
      days.selectSubjects(
        tx,
        tenantId,
        facilityIds.flatMap((id) => [`drw_${id.slice(-26)}`, `rep_${id.slice(-26)}`]),
      ),
    selectOwnAccounts: async (tx, { tenantId, facilityIds }) => {
      const last = [...facilityIds].sort().at(-1)
      await days.selectOwnAccounts(tx, tenantId, { after: '', last })
      await days.selectOwnAccounts(tx, tenantId, { after: '', last: undefined })
    },
  }),
  queriesFile('domain/reconciliation/break-queries.ts', breaks, {
    insertBreaks: (tx, { tenantId, now }) => {
      const item = { itemId: 'new', facilityId: undefined, day: dayOf(now) }
      const kind = { kind: 'missing_here', area: 'bank' } as const
      const sides = { ours: undefined, theirs: { units: '1' } }
      const instant = { now, realNow: now }
      return breaks.insertBreaks(
        tx,
        tenantId,
        [{ id: 'brk_1', ...kind, ...item, ...sides }],
        instant,
      )
    },
    selectOpenBreaks: (tx, { tenantId }) => breaks.selectOpenBreaks(tx, tenantId),
    resolveBreaks: (tx, sample) =>
      breaks.resolveBreaks(tx, sample.tenantId, [breakIdOf(sample)], {
        ...{ at: sample.now, by: 'ada@lender.example', resolution: looksSealed('asked the bank') },
      }),
    lockBreak: (tx, sample) => breaks.lockBreak(tx, sample.tenantId, breakIdOf(sample)),
    updateOwner: (tx, sample) =>
      breaks.updateOwner(tx, sample.tenantId, breakIdOf(sample), {
        ...{ owner: 'ada@lender.example', note: looksSealed('asked'), at: sample.now },
      }),
    selectBreaks: async (tx, { tenantId, past }) => {
      const after = [past.toISOString(), '']
      await breaks.selectBreaks(tx, { state: 'open' }, { limit: 101 })
      await breaks.selectBreaks(tx, { state: 'open', kind: 'missing_here' }, { limit: 101 })
      await breaks.selectBreaks(tx, { state: 'resolved', tenantId, area: 'bank' }, { limit: 101 })
      const owner = 'ada@lender.example'
      await breaks.selectBreaks(tx, { state: 'resolved', owner }, { after, limit: 101 })
    },
    countOpenBreaks: (tx) => breaks.countOpenBreaks(tx),
    selectDueTimes: (tx) => breaks.selectDueTimes(tx),
  }),
  queriesFile('providers/sandbox/transfer-queries.ts', transfers, {
    insertSandboxTransfer: (tx, sample) => transfers.insertSandboxTransfer(tx, rowOf(sample)),
    selectSandboxTransfers: async (tx, { tenantId, monthAgo, soon: to }) => {
      const period = { from: monthAgo, to, limit: 100 }
      await transfers.selectSandboxTransfers(tx, tenantId, { ...period, after: undefined })
      await transfers.selectSandboxTransfers(tx, tenantId, { ...period, after: 'a' })
    },
    selectSandboxBalances: (tx, { tenantId, now }) =>
      transfers.selectSandboxBalances(tx, tenantId, now),
    lockSandboxTransfer: (tx, { tenantId, facilityIds }) =>
      transfers.lockSandboxTransfer(tx, tenantId, drawOf(facilityIds)),
    updateSandboxTransfer: (tx, { tenantId, facilityIds, now }) =>
      transfers.updateSandboxTransfer(tx, tenantId, transferOf(facilityIds), {
        ...{ units: 1n, booked_at: now },
      }),
    deleteSandboxTransfer: (tx, { tenantId, facilityIds }) =>
      transfers.deleteSandboxTransfer(tx, tenantId, transferOf(facilityIds)),
    selectPledged: (tx, { tenantId }) =>
      transfers.selectPledged(tx, tenantId, { after: undefined, limit: 500 }),
  }),
]

/** Every fifth has one. */
const fifthOf = (facilityIds: readonly string[]) =>
  facilityIds.find((id) => Number(id.slice(-8)) % 5 === 0) ?? ''

const drawOf = (facilityIds: readonly string[]) => `drw_${fifthOf(facilityIds).slice(-26)}`

const transferOf = (facilityIds: readonly string[]) =>
  `out ${Number(fifthOf(facilityIds).slice(-8))}`
