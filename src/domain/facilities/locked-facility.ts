import { isId } from '../../core/ids.ts'
import type { TenantContext } from '../tenants/tenant-context.ts'
import { type Facility, toFacility, unknownFacility } from './facilities.ts'
import type { BoundFacility } from './policy.ts'
import {
  type ActedRow,
  lockApprovedRows,
  lockFacilityRow,
  lockFacilityStates,
  noteActs,
} from './queries.ts'

// A change of a facility takes one of these types, which only this file makes: without the lock, or
// for a request without settling what is overdue, it does not compile.
declare const LOCKED: unique symbol
declare const SETTLED: unique symbol

export type LockedFacility<Context extends TenantContext = TenantContext> = Context & {
  facility: Facility
  readonly [LOCKED]: true
}

/** What a request changes: nothing about it is overdue. */
export type FacilityChange<Context extends TenantContext = TenantContext> =
  LockedFacility<Context> & { readonly [SETTLED]: true }

/** For a provider's answer or a deadline, which settle nothing that is overdue. Refuses `not_found`. */
export async function lockFacility<Context extends TenantContext>(
  context: Context,
  facilityId: string,
): Promise<LockedFacility<Context>> {
  const { tx, tenantId } = context
  const row =
    isId('fac', facilityId) && (await lockFacilityRow(tx, tenantId, facilityId, context.now))
  if (!row) throw unknownFacility()
  return toLocked(context, row)
}

/** Acts not before the facility's last one, whenever the instant was read, and by the facility's own
 * terms. */
function toLocked<Context extends TenantContext>(
  context: Context & { termsOf?: (facility: BoundFacility) => object },
  row: ActedRow,
) {
  const facility = toFacility(row)
  const own = context.termsOf?.(facility)
  return { ...context, ...own, now: row.acted_at, facility } as unknown as LockedFacility<Context>
}

/** Locks facilities in the order of their ids; waits for those that others hold, or leaves them out. */
export async function lockFacilities<Context extends TenantContext>(
  context: Context,
  facilityIds: readonly string[],
  locked: 'wait for' | 'pass over',
): Promise<LockedFacility<Context>[]> {
  const { tx, tenantId } = context
  const states = await lockFacilityStates(tx, tenantId, facilityIds, locked)
  // Read under the locks: what was committed while they were waited for counts.
  const rows = await noteActs(tx, tenantId, [...states.keys()], context.now)
  return rows.map((row) => toLocked(context, row))
}

/** `settle` returns whether it has changed the facility. */
export async function lockForRequest<Context extends TenantContext>(
  context: Context,
  facilityId: string,
  settle: (locked: LockedFacility<Context>) => Promise<boolean>,
): Promise<FacilityChange<Context>> {
  const locked = await lockFacility(context, facilityId)
  const hasChanged = await settle(locked)
  const settled = hasChanged ? await lockFacility(context, facilityId) : locked
  return settled as FacilityChange<Context>
}

/** In the order of their ids, those that are no longer approved left out. What is decided about a group
 * is dated its `now`, which is not before the last act of any, and is to be noted (`noteActs`). Those
 * that have acted after `now` are a group of their own: they date nothing of the others. */
export async function lockApproved(
  { tx, tenantId, now }: Pick<TenantContext, 'tx' | 'tenantId' | 'now'>,
  facilityIds: readonly string[],
): Promise<{ facilities: Facility[]; now: Date }[]> {
  const rows = await lockApprovedRows(tx, tenantId, facilityIds)
  const groups = Map.groupBy(rows, ({ acted_at: at }) => at !== null && at > now)
  return [...groups.values()].map((group) => ({
    facilities: group.map(toFacility),
    now: group.reduce((latest, { acted_at: at }) => (at && at > latest ? at : latest), now),
  }))
}
