import { newId } from '../../core/ids.ts'
import type { Amount } from '../../core/money.ts'
import { asSealed } from '../../core/personal-text.ts'
import { addDays, addMs, DAY_MS, dayIn, HOUR_MS, MINUTE_MS, startOfDay } from '../../core/time.ts'
import { type Db, inTransaction, type Tx } from '../../db/database.ts'
import { loadHoldings, loadPushed } from '../facilities/custody/holdings.ts'
import type { Custodian, Payments } from '../facilities/ports.ts'
import { listPresentScopes, sumScopes } from '../tenants/each-tenant.ts'
import type { InstantFor } from '../tenants/tenant-clock.ts'
import { insertBreaks, resolveBreaks, selectOpenBreaks } from './break-queries.ts'
import { loadDay } from './load-day.ts'
import { type Finding, matchBalances, matchTransfers } from './match.ts'
import { matchCollateral, type OwnAccount } from './match-collateral.ts'
import {
  insertListed,
  insertListedDay,
  insertReconciliation,
  leaseReconciliation,
  type OwnAccountRow,
  selectListedDays,
  selectListedOn,
  selectNewTenants,
  selectOwnAccounts,
  selectProgress,
  type Turn,
  updateLease,
  updateProgress,
} from './reconciliation-queries.ts'

// A day is listed an hour after its end. Transfers are compared when the day after theirs is listed too: what
// is under way over midnight is then on both sides.

export type ReconcileContext = {
  db: Db
  payments: Payments
  custodian: Custodian
  instant: InstantFor
  isSandbox: boolean
}

/** Longer than the longest answer of a provider; a worker that was killed holds a tenant up no longer. */
const LEASE_MS = 5 * MINUTE_MS

/** So that banks can end their day. */
const AFTER_DAY_MS = HOUR_MS

/** Days of one tenant in one run: a sandbox clock may leap by a year. */
const MAX_DAYS = 60

/** A statement reads what a tenant has booked in two months. */
const LONGEST_SECONDS = 120

/** Until a provider names its own. */
const FIRST_ZONE = 'UTC'

/** Reconciles each tenant's days that have ended; returns how many days. A tenant whose providers fail holds
 * up no other; the first failure is thrown at the end. */
export async function reconcileDue(context: ReconcileContext, stop: AbortSignal): Promise<number> {
  const { db, instant } = context
  return await sumScopes(await listPresentScopes(db), async (scope) => {
    for (const tenantId of await selectNewTenants(db, scope)) {
      await begin(db, tenantId, (await instant(tenantId)).now)
    }
    const due: string[] = []
    for (const { tenantId, dueAt, leasedUntil } of await selectProgress(db, scope)) {
      const { now, realNow } = await instant(tenantId)
      if (dueAt <= now && !(leasedUntil && leasedUntil > realNow)) due.push(tenantId)
    }
    return await sumScopes(due, async (tenantId) => {
      let days = 0
      while (!stop.aborted && days < MAX_DAYS && (await reconcileNext(context, tenantId))) {
        days += 1
      }
      return days
    })
  })
}

async function begin(db: Db, tenantId: string, now: Date): Promise<void> {
  const day = dayIn(FIRST_ZONE, now)
  await insertReconciliation(db, {
    ...{ tenant_id: tenantId, first_day: day, next_day: day, time_zone: FIRST_ZONE },
    due_at: dueAt(FIRST_ZONE, day),
  })
}

const endOfDay = (timeZone: string, day: string) => startOfDay(timeZone, addDays(day, 1))

const dueAt = (timeZone: string, day: string) => addMs(endOfDay(timeZone, day), AFTER_DAY_MS)

/** False where nothing is due, a provider has not answered yet, or another worker has the tenant. */
export async function reconcileNext(context: ReconcileContext, tenantId: string): Promise<boolean> {
  const { db, instant } = context
  const { now, realNow } = await instant(tenantId)
  const until = addMs(realNow, LEASE_MS)
  const turn = await leaseReconciliation(db, tenantId, { realNow, until })
  if (!turn) return false
  if (dueAt(turn.timeZone, turn.day) > now) {
    await updateLease(db, tenantId, null)
    return false
  }
  try {
    const listed = await listPayments(context, tenantId, turn.day)
    if ('askAgainAt' in listed) {
      await updateLease(db, tenantId, listed.askAgainAt)
      return false
    }
    // The holdings of an account on a day long past are not known any more.
    const isNewest = dueAt(turn.timeZone, addDays(turn.day, 1)) > now
    const accounts = isNewest ? await listAccounts(context, tenantId, turn.day) : undefined
    if (accounts && 'askAgainAt' in accounts) {
      await updateLease(db, tenantId, accounts.askAgainAt)
      return false
    }
    return await settle(context, tenantId, { ...turn, ...listed }, accounts)
  } catch (error) {
    await updateLease(db, tenantId, null)
    throw error
  }
}

/** Stores the transfers, page by page. */
async function listPayments(
  { db, payments, instant }: ReconcileContext,
  tenantId: string,
  day: string,
): Promise<{ zone: string; balances: readonly Amount[] } | { askAgainAt: Date }> {
  let after: string | undefined
  for (let page = 0; ; page += 1) {
    const { realNow } = await instant(tenantId)
    await updateLease(db, tenantId, addMs(realNow, LEASE_MS))
    const callId = `${tenantId}/day/${day.replaceAll('-', '')}/${page}`
    const answer = await payments.listDay({ tenantId, callId, realNow, day, after })
    if (answer.status === 'pending') return answer
    if (answer.status === 'refused') return { askAgainAt: addMs(realNow, HOUR_MS) }
    await insertListed(
      db,
      answer.transfers.map(({ transferId, amount, callId: of, returns }) => ({
        ...{ tenant_id: tenantId, transfer_id: transferId, asset: amount.asset },
        ...{ units: amount.units, call_id: of ?? null, returns: returns ?? null, day },
      })),
    )
    after = answer.next
    if (after === undefined) return { zone: answer.timeZone, balances: answer.balances }
  }
}

/** Compares them page by page with ours. */
async function listAccounts(
  { db, custodian, instant }: ReconcileContext,
  tenantId: string,
  day: string,
): Promise<{ accounts: number; findings: Finding[] } | { askAgainAt: Date }> {
  const findings: Finding[] = []
  let accounts = 0
  let after: string | undefined
  for (let page = 0; ; page += 1) {
    const { now, realNow } = await instant(tenantId)
    await updateLease(db, tenantId, addMs(realNow, LEASE_MS))
    const callId = `${tenantId}/accounts/${day.replaceAll('-', '')}/${page}`
    const answer = await custodian.accounts({ tenantId, callId, realNow, after })
    if (answer.status === 'pending') return answer
    if (answer.status === 'refused') return { askAgainAt: addMs(realNow, HOUR_MS) }
    const stretch = { after: after ?? '', last: answer.next }
    const own = await selectOwnAccounts(db, tenantId, stretch)
    findings.push(...matchCollateral(day, answer.accounts, await loadOwn(db, tenantId, own, now)))
    accounts += answer.accounts.length
    after = answer.next
    if (after === undefined) return { accounts, findings }
  }
}

async function loadOwn(
  db: Db,
  tenantId: string,
  rows: readonly OwnAccountRow[],
  now: Date,
): Promise<OwnAccount[]> {
  const pledged = rows.filter((row) => lienOf(row) === 'pledged')
  const borrowerIds = pledged.map((row) => row.borrower_id)
  const counted = await loadHoldings(db, tenantId, borrowerIds)
  const pushed = await loadPushed(db, tenantId, borrowerIds)
  return rows.map((row) => {
    const push = pushed.get(row.borrower_id)
    const isOld = push !== undefined && push.receivedAt <= addMs(now, -DAY_MS)
    const isKnown = row.custodian_sequence > 0n && row.floor_sequence === row.custodian_sequence
    return {
      facilityId: row.facility_id,
      lien: lienOf(row),
      floorCents: isKnown ? row.custodian_floor_cents : undefined,
      counted: counted.get(row.borrower_id)?.positions ?? [],
      pushed: isOld ? push.positions : undefined,
    }
  })
}

function lienOf({ state, close_reason: reason }: OwnAccountRow): OwnAccount['lien'] {
  if (state === 'APPROVED' || state === 'CLOSING') return 'pledged'
  return state === 'CLOSED' && reason !== 'cancelled' ? 'released' : 'unsure'
}

type Listed = Turn & { zone: string; balances: readonly Amount[] }

/** Books the day as listed and its breaks, once. */
async function settle(
  { db, instant, isSandbox }: ReconcileContext,
  tenantId: string,
  listed: Listed,
  collateral: { accounts: number; findings: Finding[] } | undefined,
): Promise<boolean> {
  const { now, realNow } = await instant(tenantId)
  const { day, zone, balances } = listed
  return await inTransaction(db, async (tx) => {
    tx.limitStatements(LONGEST_SECONDS)
    const nextDay = addDays(day, 1)
    const step = { day, nextDay, timeZone: zone, dueAt: dueAt(zone, nextDay) }
    if (!(await updateProgress(tx, tenantId, step))) return false
    await insertListedDay(tx, {
      ...{ tenant_id: tenantId, day, listed_at: realNow, accounts: collateral?.accounts ?? null },
      balances: Object.fromEntries(balances.map(({ asset, units }) => [asset, String(units)])),
    })
    const open = await selectOpenBreaks(tx, tenantId)
    const money = open.filter(({ area }) => area !== 'collateral')
    const writtenFrom = isSandbox ? undefined : addMs(startOfDay(zone, day), -7 * DAY_MS)
    const request = { day: addDays(day, -1), timeZone: zone, writtenFrom }
    const carried = money.map((one) => one.item_id)
    const compared = matchTransfers(
      request.day,
      await loadDay(tx, tenantId, { ...request, carried }),
    )
    const findings = [
      ...compared.findings.filter((one) => isFromStart(one, listed)),
      ...(await findBalanceBreaks(tx, tenantId, listed)),
      ...(collateral?.findings ?? []),
    ]
    const isOpenStill = new Set([
      ...compared.unmatched.map(nameOf),
      ...(collateral?.findings ?? []).map(nameOf),
    ])
    const ended = open.filter((one) => {
      if (one.area === 'collateral' && !collateral) return false
      // An item that was booked differently stays so: an operator resolves the break.
      if (one.area !== 'collateral' && !one.kind.startsWith('missing')) return false
      return !isOpenStill.has(nameOf({ kind: one.kind, itemId: one.item_id }))
    })
    const resolution = asSealed('Both sides agree, or know of it, since.')
    const ids = ended.map((one) => one.break_id)
    await resolveBreaks(tx, tenantId, ids, { at: realNow, by: 'reconciliation', resolution })
    const breaks = findings.map((one) => ({ ...one, id: newId('brk') }))
    await insertBreaks(tx, tenantId, breaks, { now, realNow })
    return true
  })
}

const nameOf = ({ kind, itemId }: Pick<Finding, 'kind' | 'itemId'>) => `${kind} ${itemId}`

/** An item that the provider may have listed before the first day is not missing. */
function isFromStart({ kind, ours, day }: Finding, { firstDay }: Turn): boolean {
  if (day < firstDay) return false
  if (kind !== 'missing_there') return true
  const { from } = ours as { from?: string }
  return from !== undefined && from >= firstDay
}

async function findBalanceBreaks(tx: Tx, tenantId: string, listed: Listed): Promise<Finding[]> {
  const { day, balances } = listed
  const [before] = await selectListedDays(tx, tenantId, [addDays(day, -1)])
  if (!before) return []
  const moved = await selectListedOn(tx, tenantId, day)
  return matchBalances(day, {
    before: Object.entries(before.balances).map(([asset, units]) => ({
      asset,
      units: BigInt(units),
    })),
    after: balances,
    moved,
  })
}
