import { isId } from '../../core/ids.ts'
import type { TenantContext } from '../tenants/tenant-context.ts'
import { type Facility, toFacility, unknownFacility } from './facilities.ts'
import { lockApprovedRows, lockFacilityRow } from './queries.ts'

// Whatever changes a facility takes one of the two types below, which only this file makes: without
// the lock, or without settling what is overdue before a request, a change does not compile.
declare const LOCKED: unique symbol
declare const SETTLED: unique symbol

/** A facility under its lock, in the transaction that changes it. */
export type LockedFacility<Context extends TenantContext = TenantContext> = Context & {
  facility: Facility
  readonly [LOCKED]: true
}

/** A locked facility of which nothing is overdue: what a request changes. */
export type FacilityChange<Context extends TenantContext = TenantContext> =
  LockedFacility<Context> & { readonly [SETTLED]: true }

/**
 * Locks a facility for a provider's answer or a deadline. Neither settles what is overdue: money that
 * has moved is booked in any case, and the handler of a deadline is what settles. Refuses `not_found`.
 */
export async function lockFacility<Context extends TenantContext>(
  context: Context,
  facilityId: string,
): Promise<LockedFacility<Context>> {
  const { tx, tenantId } = context
  const row = isId('fac', facilityId) && (await lockFacilityRow(tx, tenantId, facilityId))
  if (!row) throw unknownFacility()
  return { ...context, facility: toFacility(row) } as LockedFacility<Context>
}

/** Locks a facility for a request, then settles what is overdue. Refuses `not_found`. */
export async function lockForRequest<Context extends TenantContext>(
  context: Context,
  facilityId: string,
  settle: (locked: LockedFacility<Context>) => Promise<void>,
): Promise<FacilityChange<Context>> {
  const locked = await lockFacility(context, facilityId)
  await settle(locked)
  return locked as FacilityChange<Context>
}

/** Locks facilities in the order of their ids and returns those that are still approved. */
export async function lockApproved(
  { tx, tenantId }: Pick<TenantContext, 'tx' | 'tenantId'>,
  facilityIds: readonly string[],
): Promise<Facility[]> {
  return (await lockApprovedRows(tx, tenantId, facilityIds)).map(toFacility)
}
