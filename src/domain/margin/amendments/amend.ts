import { Refusal } from '../../../core/errors.ts'
import { ONE_PPM } from '../../../core/ratio.ts'
import { addMs, DAY_MS } from '../../../core/time.ts'
import type { Db, Tx } from '../../../db/database.ts'
import { appendEvents, type EventToAppend } from '../../events/append/append.ts'
import { type Facility, type FacilityKey, getFacility } from '../../facilities/facilities.ts'
import { updateFacility } from '../../facilities/ledger/ledger.ts'
import { type LockedFacility, lockFacilities } from '../../facilities/locked-facility.ts'
import { requestEvaluation } from '../../facilities/topics.ts'
import type { TenantContext } from '../../tenants/tenant-context.ts'
import { clearDeadline, setDeadline } from '../../work/deadlines.ts'
import { AMEND_FACILITY } from '../topics.ts'
import { assertFewKept } from '../versions/kept-versions.ts'
import { type Policies, policyIn, readPolicies } from '../versions/versions.ts'
import { selectOlder } from './amendment-queries.ts'
import { changeTerms, forgetNext, isAgreedRate } from './change-terms.ts'
import { type BoundTerms, showFacilityTerms } from './facility-terms.ts'
import { isStricter } from './is-stricter.ts'

/** A stricter amendment takes effect so long after its notice, at the earliest. */
const NOTICE_MS = 30 * DAY_MS

/** In one proposal: their locks are held until all are amended. */
export const MOST_AMENDED = 1_000

/** What is left out stays. `from`: of the tenants' time; what is not stricter takes effect immediately. */
export type Amendment = {
  version: number | undefined
  ratePpm: bigint | undefined
  from: Date | undefined
}

export type Compared = FacilityKey & { isStricter: boolean }

export type Amended = { bound: string[]; noticed: { id: string; at: Date }[]; leftOut: string[] }

/** Named facilities, those of a proposal, or all that are bound to an older version. */
export type Chosen =
  | { facilities: readonly FacilityKey[] }
  | { proposed: readonly Compared[] }
  | { tenantId: string | undefined }

export type ComparedTerms = Compared & { before: BoundTerms; after: BoundTerms }

/** At most `MOST_AMENDED`; `left` counts the others, or those of a proposal whose comparison has changed.
 * Refuses `not_found`, and `validation_failed` where one that is named cannot be amended or there is nothing
 * to amend. */
export async function compareFacilities(
  db: Db,
  amendment: Amendment,
  chosen: Chosen,
  realNow: Date,
): Promise<{ compared: ComparedTerms[]; left: number }> {
  const policies = await readPolicies(db)
  assertAmends(policies, amendment, realNow)
  const isNamed = 'facilities' in chosen
  const { facilities, left } = await listFacilities(db, amendment, chosen)
  const expected = new Map(
    'proposed' in chosen ? chosen.proposed.map((one) => [one.facilityId, one.isStricter]) : [],
  )
  const compared: ComparedTerms[] = []
  for (const { tenantId, facilityId } of facilities) {
    const facility = await getFacility(db, tenantId, facilityId)
    const found = compare(policies, facility, amendment)
    if (typeof found === 'boolean' && found === (expected.get(facilityId) ?? found)) {
      const before = termsOf(policies, facility)
      const after = termsAfter(policies, facility, amendment)
      compared.push({ tenantId, facilityId, isStricter: found, before, after })
    } else if (isNamed) throw refuse(`${facilityId} ${found}.`)
  }
  if (compared.length === 0 && !('proposed' in chosen)) {
    throw refuse('No facility is bound to an older version.')
  }
  return { compared, left: 'proposed' in chosen ? facilities.length - compared.length : left }
}

async function listFacilities(
  db: Db,
  amendment: Amendment,
  chosen: Chosen,
): Promise<{ facilities: readonly FacilityKey[]; left: number }> {
  if ('facilities' in chosen) return { facilities: chosen.facilities, left: 0 }
  if ('proposed' in chosen) return { facilities: chosen.proposed, left: 0 }
  const older = { version: versionOf(amendment), tenantId: chosen.tenantId }
  return await selectOlder(db, older, MOST_AMENDED)
}

function versionOf({ version }: Amendment): number {
  if (version !== undefined) return version
  throw refuse('All older facilities are amended to a version: name it.')
}

/** `askedBy`: the operator who proposed it; undefined: a tenant on its sandbox. A comparison that has
 * changed since the proposal leaves its facility out. Refuses `validation_failed`
 * where that leaves none, and `limit_reached` where facilities would be bound to too many versions. */
export async function amendFacilities(
  {
    tx,
    now,
    tenantOf,
    askedBy,
  }: {
    tx: Tx
    now: Date
    tenantOf: (tenantId: string) => Promise<TenantContext>
    askedBy: string | undefined
  },
  amendment: Amendment,
  proposed: readonly Compared[],
): Promise<Amended> {
  if (amendment.version !== undefined) await assertFewKept(tx, amendment.version, now)
  const policies = await readPolicies(tx)
  assertAmends(policies, amendment, now)
  const amended: Amended = { bound: [], noticed: [], leftOut: [] }
  const byTenant = Map.groupBy(proposed, ({ tenantId }) => tenantId)
  for (const [tenantId, facilities] of [...byTenant].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const tenant = await tenantOf(tenantId)
    const expected = new Map(facilities.map((one) => [one.facilityId, one.isStricter]))
    const locks = await lockFacilities(tenant, [...expected.keys()], 'wait for')
    const events: EventToAppend[] = []
    for (const locked of locks) {
      const { id } = locked.facility
      const found = compare(policies, locked.facility, amendment)
      if (found !== expected.get(id)) continue
      expected.delete(id)
      const times = { times_amended: locked.facility.timesAmended + 1 }
      await updateFacility(locked, times)
      const at = found
        ? await giveNotice(locked, amendment, askedBy)
        : await bindNow(locked, amendment)
      if (found) amended.noticed.push({ id, at })
      else amended.bound.push(id)
      events.push(toEvent(locked, at, termsAfter(policies, locked.facility, amendment)))
    }
    amended.leftOut.push(...expected.keys())
    appendEvents(tx, tenantId, events)
  }
  if (amended.leftOut.length < proposed.length) return amended
  throw refuse('No facility compares with these terms as it did when they were proposed.')
}

async function giveNotice(
  locked: LockedFacility,
  { version, ratePpm, from }: Amendment,
  askedBy: string | undefined,
) {
  const { tx, tenantId, facility, now } = locked
  const earliest = addMs(now, NOTICE_MS)
  const at = from && from > earliest ? from : earliest
  await updateFacility(locked, {
    next_terms_at: at,
    next_terms_version: version ?? null,
    next_rate_ppm: ratePpm === undefined ? null : Number(ratePpm),
    next_terms_by: askedBy ?? null,
  })
  await setDeadline(tx, tenantId, AMEND_FACILITY, { subjectId: facility.id, dueAt: at })
  return at
}

async function bindNow(locked: LockedFacility, amendment: Amendment): Promise<Date> {
  const { version, ratePpm } = amendment
  await changeTerms(locked, { version, ratePpm, at: locked.now })
  await requestEvaluation(locked, locked.facility.id, 'price')
  return locked.now
}

/** Two operators. Its event shows the terms that stay. Refuses `not_found`, and `validation_failed` where
 * no amendment waits. */
export async function withdrawAmendment(tenant: TenantContext, facilityId: string): Promise<void> {
  const { tx, tenantId } = tenant
  const [locked] = await lockFacilities(tenant, [facilityId], 'wait for')
  if (!locked) throw new Refusal('not_found', 'There is no such facility.')
  if (!locked.facility.nextTerms) throw refuse(`No amendment of ${facilityId} waits.`)
  const { facility } = await forgetNext(locked)
  await updateFacility(locked, { times_amended: facility.timesAmended + 1 })
  await clearDeadline(tx, tenantId, AMEND_FACILITY, facilityId)
  const terms = termsOf(await readPolicies(tx), facility)
  appendEvents(tx, tenantId, [toEvent(locked, locked.now, terms)])
}

/** Whether the terms after it are stricter, or why it cannot be amended. */
function compare(
  policies: Policies,
  facility: Facility,
  amendment: Amendment,
): boolean | `${'is' | 'has'} ${string}` {
  if (facility.state !== 'APPROVED') return `is ${facility.state}`
  const [before, after] = [termsOf(policies, facility), termsAfter(policies, facility, amendment)]
  const isSameRate = amendment.ratePpm === undefined || isAgreedRate(facility, after.ratePpm)
  if (before.version === after.version && isSameRate) {
    return 'has these terms already'
  }
  const found = isStricter(before, after)
  if (found && facility.nextTerms) return 'has an amendment that waits: withdraw it first'
  return found
}

/** Of one that lends. */
export function termsOf(policies: Policies, facility: Facility): BoundTerms {
  const { termsVersion = 0, debt } = facility
  return { version: termsVersion, ratePpm: debt.ratePpm, policy: policyIn(policies, termsVersion) }
}

function termsAfter(
  policies: Policies,
  facility: Facility,
  { version = facility.termsVersion ?? 0, ratePpm = facility.debt.ratePpm }: Amendment,
): BoundTerms {
  return { version, ratePpm, policy: policyIn(policies, version) }
}

/** Each process has read a version once it has taken effect. */
function assertAmends(
  { versions }: Policies,
  { version, ratePpm }: Amendment,
  realNow: Date,
): void {
  if (version === undefined && ratePpm === undefined) throw refuse('Name a version or a rate.')
  if (ratePpm !== undefined && ratePpm > ONE_PPM) {
    throw refuse('The rate must be an annual rate from 0 to 1 (100 %).')
  }
  if (version === undefined || version === 0) return
  const found = versions.find(({ number }) => number === version)
  if (!found) {
    throw new Refusal('not_found', `There is no version ${version} of the margin policy.`)
  }
  if (found.withdrawn) throw refuse(`Version ${version} is withdrawn.`)
  if (found.effectiveFrom <= realNow) return
  const at = found.effectiveFrom.toISOString()
  throw refuse(`Version ${version} takes effect at ${at}: amend facilities to it from then on.`)
}

function toEvent(locked: LockedFacility, at: Date, terms: BoundTerms): EventToAppend {
  const { facility, now } = locked
  return {
    type: 'facility.terms_changed',
    resource: { type: 'facility', id: facility.id },
    occurredAt: now,
    data: {
      facility_id: facility.id,
      effective_at: at.toISOString(),
      terms: showFacilityTerms(terms),
    },
  }
}

function refuse(detail: string): Refusal {
  return new Refusal('validation_failed', detail)
}
