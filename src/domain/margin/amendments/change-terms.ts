import { execute } from '../../../db/transactions/execute.ts'
import { agreedRates } from '../../facilities/corrections/rates.ts'
import type { Facility, NextTerms } from '../../facilities/facilities.ts'
import { changeRate, updateFacility } from '../../facilities/ledger/ledger.ts'
import { type LockedFacility, lockFacilities } from '../../facilities/locked-facility.ts'
import { PUSH_FLOOR } from '../../facilities/topics.ts'
import type { TenantContext } from '../../tenants/tenant-context.ts'
import { requestWork } from '../../work/work.ts'
import { selectLiveCalls } from '../call-queries.ts'
import { selectOpenWarnings } from '../warning-queries.ts'
import { selectFreeSince } from './amendment-queries.ts'

/** From now on; a rate from `at` on, which is not later. The custodian's floor follows. */
export async function changeTerms(
  locked: LockedFacility,
  { version, ratePpm, at }: NextTerms,
): Promise<LockedFacility> {
  const { tx, tenantId, facility, realNow } = locked
  const isSameRate = ratePpm === undefined || isAgreedRate(facility, ratePpm)
  const { facility: changed } = isSameRate ? locked : await changeRate(locked, ratePpm, at)
  const termsVersion = version ?? changed.termsVersion
  await updateFacility(locked, { terms_version: termsVersion ?? null })
  await requestWork(tx, { tenantId, topic: PUSH_FLOOR, subjectId: facility.id }, realNow)
  return { ...locked, facility: { ...changed, termsVersion } }
}

/** Whether it is in force, and not by a correction: that ends where an amendment names a rate. */
export function isAgreedRate(facility: Facility, ratePpm: bigint): boolean {
  return ratePpm === facility.debt.ratePpm && ratePpm === agreedRates(facility).ratePpm
}

export function hasDueTerms({ nextTerms }: Facility, now: Date): boolean {
  return nextTerms !== undefined && nextTerms.at <= now
}

/** Under their locks. A stricter amendment, and only those wait, waits also for the end of an open warning
 * or a live call. Returns all, those that are bound now as they are then. */
export async function bindDue(
  tenant: TenantContext,
  facilities: readonly Facility[],
): Promise<readonly Facility[]> {
  const { tx, tenantId, now } = tenant
  const due = facilities.filter((facility) => hasDueTerms(facility, now)).map(({ id }) => id)
  if (due.length === 0) return facilities
  const [warnings, calls] = await Promise.all([
    execute(tx, selectOpenWarnings({ tenantId, ids: due })),
    execute(tx, selectLiveCalls({ tenantId, ids: due })),
  ])
  const busy = new Set([...warnings, ...calls].map((row) => row.facility_id))
  const free = due.filter((id) => !busy.has(id))
  const bound = new Map<string, Facility>()
  for (const locked of await lockFacilities(
    { tx, tenantId, now, realNow: tenant.realNow },
    free,
    'wait for',
  )) {
    const { nextTerms } = locked.facility
    if (!nextTerms) continue
    // However late a worker comes, interest runs at the new rate from the instant that was announced.
    const freeSince = await selectFreeSince(tx, tenantId, locked.facility.id)
    const at = freeSince && freeSince > nextTerms.at ? freeSince : nextTerms.at
    const { facility } = await changeTerms(await forgetNext(locked), { ...nextTerms, at })
    bound.set(facility.id, facility)
  }
  return facilities.map((facility) => bound.get(facility.id) ?? facility)
}

export async function forgetNext(locked: LockedFacility): Promise<LockedFacility> {
  await updateFacility(locked, {
    ...{ next_terms_at: null, next_terms_version: null, next_rate_ppm: null, next_terms_by: null },
  })
  return { ...locked, facility: { ...locked.facility, nextTerms: undefined } }
}
