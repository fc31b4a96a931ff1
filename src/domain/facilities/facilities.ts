import type { CursorCodec } from '../../core/cursor.ts'
import { Refusal } from '../../core/errors.ts'
import { withExample } from '../../core/field-errors.ts'
import { isId, newId } from '../../core/ids.ts'
import type { EarlierRate } from '../../core/interest.ts'
import { listPage, mapPage, type Page, type PageRequest } from '../../core/page.ts'
import { addMs } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { violatedConstraint } from '../../db/errors.ts'
import type { CloseReason, FacilityState } from '../../db/schema/facilities.ts'
import { externalIdTaken, lockEligibleBorrower } from '../onboarding/borrowers.ts'
import { findResidencyRule } from '../onboarding/residency.ts'
import { setDeadline } from '../work/deadlines.ts'
import { type AgreedRates, decodeAgreed, decodeRates } from './corrections/rates.ts'
import type { Debt } from './ledger/debt.ts'
import { decodeEased, type Eased } from './ledger/eased.ts'
import type { LendingContext } from './lending-context.ts'
import {
  type FacilityRow,
  insertFacility,
  selectFacilities,
  selectFacility,
  selectIdOfExternal,
} from './queries.ts'
import { DECIDE_FACILITY, requestUnderwriting } from './topics.ts'

/** Balances are as of the last booking. */
export type Facility = {
  tenantId: string
  id: string
  /** The tenant's own. */
  externalId: string | undefined
  borrowerId: string
  /** Of the margin policy, to which it is bound; 0: the service's own. */
  termsVersion: number | undefined
  /** An amendment that waits for its instant. */
  nextTerms: NextTerms | undefined
  /** Amendments and their withdrawals. */
  timesAmended: number
  /** Oldest first. */
  earlierRates: readonly EarlierRate[]
  /** While corrections of the rate hold. */
  agreed: AgreedRates | undefined
  state: FacilityState
  limitCents: bigint
  custodyAccount: string | undefined
  debt: Debt
  reservedCents: bigint
  refundDueCents: bigint
  custodianFloorCents: bigint
  /** Floors are numbered: the newest acknowledged, the newest pushed. */
  custodianSequence: bigint
  floorSequence: bigint
  floorPushedCents: bigint
  floorPushedAt: Date | undefined
  /** The highest early line of margin that it is above; 0: none. */
  noticedLtvPpm: bigint
  declineReasons: string[] | undefined
  closeReason: CloseReason | undefined
  chargedOff: ChargeOff | undefined
  createdAt: Date
  updatedAt: Date
  decisionedAt: Date | undefined
  closedAt: Date | undefined
  /** Money that can be taken back until then was received. Past that, its treasury has yet to answer. */
  provisionalUntil: Date | undefined
  /** Debt that messages have brought, and that sells nobody out yet. */
  eased: readonly Eased[]
  /** Since when a hold has lain without a break. */
  heldSince: Date | undefined
  timesHeld: number
  timesCorrected: number
  /** Deadlines stand still until then; it may lie in the past. */
  forbearanceUntil: Date | undefined
  /** The release of the lien may have reached the custodian. */
  releaseSentAt: Date | undefined
  /** From then on only its cancellation is called. */
  releaseRecalledAt: Date | undefined
}

/** What it leaves as it is, is undefined. */
export type NextTerms = { at: Date; version: number | undefined; ratePpm: bigint | undefined }

/** Recovered are principal first, then interest. */
export type ChargeOff = { principalCents: bigint; interestCents: bigint; recoveredCents: bigint }

export const FACILITY_STATES = ['PENDING', 'APPROVED', 'DECLINED', 'CLOSING', 'CLOSED'] as const

export type NewFacility = {
  borrowerId: string
  limitCents: bigint
  custodyAccount: string | undefined
  externalId?: string | undefined
}

/** Opens an application. Refuses `not_found`, `borrower_not_eligible` (also a blocked borrower),
 * `facility_exists`, `external_id_taken`, and `validation_failed` without a custody account where one is required. */
export async function createFacility(
  lending: LendingContext,
  facility: NewFacility,
): Promise<Facility> {
  const { tx, tenantId, policy, now } = lending
  const borrower = await lockEligibleBorrower(
    tx,
    tenantId,
    facility.borrowerId,
    policy.documentGraceDays,
  )
  if (policy.requireControl && facility.custodyAccount === undefined) {
    throw new Refusal('validation_failed', 'The custody account is required.', {
      errors: [
        {
          pointer: '/custody_account',
          code: 'required',
          detail: withExample(
            'Required on live. Expected the account at the custodian.',
            'custody-0815',
          ),
        },
      ],
    })
  }
  const residency = { country: borrower.residencyCountry, state: borrower.residencyState }
  const rule = await findResidencyRule(tx, residency, borrower.type)
  const facilityId = newId('fac')
  const { externalId } = facility
  try {
    const isInserted = await insertFacility(tx, {
      tenant_id: tenantId,
      facility_id: facilityId,
      borrower_id: borrower.id,
      external_id: externalId ?? null,
      state: 'PENDING',
      limit_cents: facility.limitCents,
      rate_ppm: rule?.ratePpm ?? policy.defaultRatePpm,
      custody_account: facility.custodyAccount ?? null,
      accrued_at: now,
      created_at: now,
      updated_at: now,
      acted_at: now,
    })
    if (!isInserted && externalId !== undefined) {
      throw externalIdTaken('facility', await selectIdOfExternal(tx, tenantId, externalId))
    }
  } catch (error) {
    if (violatedConstraint(error) !== 'facilities_one_live') throw error
    throw new Refusal('facility_exists', 'The borrower already has a facility.')
  }
  await setDeadline(tx, tenantId, DECIDE_FACILITY, {
    subjectId: facilityId,
    dueAt: addMs(now, policy.underwritingPatienceMs),
  })
  await requestUnderwriting(lending, facilityId)
  return await getFacility(tx, tenantId, facilityId)
}

export type FacilityKey = { tenantId: string; facilityId: string }

/** Refuses `not_found`. */
export async function getFacility(db: Db, tenantId: string, facilityId: string): Promise<Facility> {
  const row = isId('fac', facilityId) && (await selectFacility(db, tenantId, facilityId))
  if (!row) throw unknownFacility()
  return toFacility(row)
}

/** Newest first. Refuses `cursor_invalid`. */
export async function listFacilities(
  db: Db,
  tenantId: string,
  request: PageRequest & {
    borrowerId: string | undefined
    state: FacilityState | undefined
    externalId: string | undefined
  },
  cursors: CursorCodec,
): Promise<Page<Facility>> {
  const context = `facilities/${tenantId}`
  const { borrowerId, state, externalId } = request
  const page = await listPage(
    { request, cursors, context, parseKey: String },
    (stretch) => selectFacilities(db, tenantId, { borrowerId, state, externalId, ...stretch }),
    (row) => row.facility_id,
  )
  return mapPage(page, toFacility)
}

export function unknownFacility(): Refusal {
  return new Refusal('not_found', 'There is no such facility.')
}

export function toFacility(row: FacilityRow): Facility {
  return {
    tenantId: row.tenant_id,
    id: row.facility_id,
    externalId: row.external_id ?? undefined,
    borrowerId: row.borrower_id,
    termsVersion: row.terms_version ?? undefined,
    nextTerms: toNextTerms(row),
    timesAmended: row.times_amended,
    earlierRates: decodeRates(row.earlier_rates),
    agreed: row.agreed_rates ? decodeAgreed(row.agreed_rates) : undefined,
    state: row.state,
    limitCents: row.limit_cents,
    custodyAccount: row.custody_account ?? undefined,
    debt: {
      principalCents: row.principal_cents,
      ratePpm: BigInt(row.rate_ppm),
      interestNumerator: row.interest_numerator,
      accruedAt: row.accrued_at,
      interestBookedCents: row.interest_booked_cents,
      interestPaidCents: row.interest_paid_cents,
    },
    reservedCents: row.reserved_cents,
    refundDueCents: row.refund_due_cents,
    custodianFloorCents: row.custodian_floor_cents,
    custodianSequence: row.custodian_sequence,
    floorSequence: row.floor_sequence,
    floorPushedCents: row.floor_pushed_cents,
    floorPushedAt: row.floor_pushed_at ?? undefined,
    noticedLtvPpm: BigInt(row.noticed_ltv_ppm),
    declineReasons: row.decline_reasons ?? undefined,
    closeReason: row.close_reason ?? undefined,
    chargedOff:
      row.close_reason === 'charged_off'
        ? {
            principalCents: row.charged_off_principal_cents,
            interestCents: row.charged_off_interest_cents,
            recoveredCents: row.recovered_cents,
          }
        : undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    decisionedAt: row.decisioned_at ?? undefined,
    closedAt: row.closed_at ?? undefined,
    provisionalUntil: row.provisional_until ?? undefined,
    eased: decodeEased(row.eased),
    heldSince: row.held_since ?? undefined,
    timesHeld: row.times_held,
    timesCorrected: row.times_corrected,
    forbearanceUntil: row.forbearance_until ?? undefined,
    releaseSentAt: row.release_sent_at ?? undefined,
    releaseRecalledAt: row.release_recalled_at ?? undefined,
  }
}

function toNextTerms(row: FacilityRow): NextTerms | undefined {
  const { next_terms_at: at, next_terms_version: version, next_rate_ppm: rate } = row
  if (!at) return undefined
  return { at, version: version ?? undefined, ratePpm: rate === null ? undefined : BigInt(rate) }
}
