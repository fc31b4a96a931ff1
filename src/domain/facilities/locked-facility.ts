import { isId } from '../../core/ids.ts'
import type { InstantFor } from '../tenants/tenant-clock.ts'
import type { TenantContext } from '../tenants/tenant-context.ts'
import { type Facility, toFacility, unknownFacility } from './facilities.ts'
import {
  type FacilityRow,
  lockApprovedRows,
  lockFacilityRow,
  lockFacilityStates,
  selectFacilitiesOf,
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
  const row = await lockRow(context, facilityId)
  return { ...context, facility: toFacility(row) } as LockedFacility<Context>
}

type Opened = Pick<TenantContext, 'tx' | 'tenantId'>

/** As `lockFacility`, at the instant of the lock: one message for both. */
export async function lockFacilityNow<Context extends Opened>(
  context: Context,
  facilityId: string,
  instantFor: InstantFor,
): Promise<LockedFacility<Context & TenantContext>> {
  const { tx, tenantId } = context
  const [row, instant] = await Promise.all([lockRow(context, facilityId), instantFor(tenantId, tx)])
  const locked = { ...context, ...instant, facility: toFacility(row) }
  return locked as LockedFacility<Context & TenantContext>
}

async function lockRow({ tx, tenantId }: Opened, facilityId: string): Promise<FacilityRow> {
  const row = isId('fac', facilityId) && (await lockFacilityRow(tx, tenantId, facilityId))
  if (!row) throw unknownFacility()
  return row
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
  const rows = await selectFacilitiesOf(tx, tenantId, [...states.keys()])
  return rows.map((row) => ({ ...context, facility: toFacility(row) }) as LockedFacility<Context>)
}

/** `ask`: what settling needs is read under the lock, in one message with it. */
export async function lockForRequest<Context extends TenantContext, Asked>(
  context: Context,
  facilityId: string,
  ask: () => Promise<Asked>,
  settle: (locked: LockedFacility<Context>, asked: Asked) => Promise<void>,
): Promise<FacilityChange<Context>> {
  const [row, asked] = await Promise.all([lockRow(context, facilityId), ask()])
  const locked = { ...context, facility: toFacility(row) } as LockedFacility<Context>
  await settle(locked, asked)
  return locked as FacilityChange<Context>
}

/** In the order of their ids, those that are no longer approved left out. */
export async function lockApproved(
  { tx, tenantId }: Opened,
  facilityIds: readonly string[],
): Promise<Facility[]> {
  return (await lockApprovedRows(tx, tenantId, facilityIds)).map(toFacility)
}
