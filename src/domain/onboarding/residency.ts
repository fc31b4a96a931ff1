import { Refusal } from '../../core/errors.ts'
import type { FieldCode } from '../../core/field-errors.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { BorrowerType } from '../../db/schema/onboarding.ts'
import { COUNTRIES, US_STATES } from './countries.ts'
import {
  lockPolicy,
  selectPolicyRow,
  selectPolicyRows,
  upsertPolicyRow,
} from './residency-queries.ts'

/** ISO 3166-1 alpha-2; for the US the ISO 3166-2 state without "US-". */
export type Residency = { country: string; state: string | undefined }

/** An undefined state covers the whole country. */
export type ResidencyRule = Residency & {
  borrowerType: BorrowerType
  allowed: boolean
  /** Annual, in parts per million; undefined: the service's default. */
  ratePpm: number | undefined
  /** Undefined: the service's maximum. */
  maxLimitCents: bigint | undefined
}

const MAX_RATE_PPM = 1_000_000

const STATES_BY_COUNTRY: Record<string, ReadonlySet<string>> = { US: US_STATES }

type ResidencyFault = {
  member: 'residency_country' | 'residency_state'
  code: FieldCode
  detail: string
}

export function findResidencyFault({ country, state }: Residency): ResidencyFault | undefined {
  const fault = findPlaceFault({ country, state })
  if (fault || state !== undefined || !STATES_BY_COUNTRY[country]) return fault
  return {
    member: 'residency_state',
    code: 'required',
    detail: `Required for ${country}. Expected an ISO 3166-2 code without the country. Example: "CA".`,
  }
}

/** The place may also be a whole country that has states. */
function findPlaceFault({ country, state }: Residency): ResidencyFault | undefined {
  if (!COUNTRIES.has(country)) {
    const detail = 'Expected an assigned ISO 3166-1 alpha-2 code in capitals. Example: "US".'
    return { member: 'residency_country', code: 'unknown_value', detail }
  }
  const states = STATES_BY_COUNTRY[country]
  if (states && state !== undefined && !states.has(state)) {
    const detail = `Expected an ISO 3166-2 code of ${country} without the country. Example: "CA".`
    return { member: 'residency_state', code: 'unknown_value', detail }
  }
  if (!states && state !== undefined) {
    const detail = `Expected no state for ${country}: leave it out. Example: {"residency_country":"${country}"}.`
    return { member: 'residency_state', code: 'not_allowed', detail }
  }
  return undefined
}

/** The state's rule, else the country's; undefined means lending is refused. */
export async function findResidencyRule(
  db: Db,
  residency: Residency,
  borrowerType: BorrowerType,
): Promise<ResidencyRule | undefined> {
  const row = await selectPolicyRow(db, residency.country, residency.state ?? '', borrowerType)
  return row && toRule(row)
}

export async function listResidencyRules(db: Db): Promise<ResidencyRule[]> {
  return (await selectPolicyRows(db)).map(toRule)
}

/** Refuses `validation_failed` for an unknown place, a rate over 100 % or a limit out of range. */
export async function setResidencyRule(tx: Tx, rule: ResidencyRule, now: Date): Promise<void> {
  const fault = findRuleFault(rule)
  if (fault) throw new Refusal('validation_failed', fault)
  await upsertPolicyRow(tx, {
    country: rule.country,
    state: rule.state ?? '',
    borrower_type: rule.borrowerType,
    allowed: rule.allowed,
    rate_ppm: rule.ratePpm ?? null,
    max_limit_cents: rule.maxLimitCents ?? null,
    updated_at: now,
  })
}

/** Returns the rule before it; refuses as `setResidencyRule`. */
export async function replaceRule(
  tx: Tx,
  rule: ResidencyRule,
  now: Date,
): Promise<ResidencyRule | undefined> {
  const name = nameRule(rule)
  await lockPolicy(tx)
  const before = (await listResidencyRules(tx)).find((one) => nameRule(one) === name)
  await setResidencyRule(tx, rule, now)
  return before
}

/** Its place and borrower type, such as `US-CA/individual`. */
export function nameRule({ country, state, borrowerType }: ResidencyRule): string {
  return `${state === undefined ? country : `${country}-${state}`}/${borrowerType}`
}

function findRuleFault({ country, state, ratePpm, maxLimitCents }: ResidencyRule) {
  const placeFault = findPlaceFault({ country, state })
  if (placeFault) {
    const member = placeFault.member === 'residency_country' ? 'country' : 'state'
    return `The ${member} is refused. ${placeFault.detail}`
  }
  if (ratePpm !== undefined && (ratePpm < 0 || ratePpm > MAX_RATE_PPM)) {
    return 'The rate must be an annual rate from 0 to 1 (100 %).'
  }
  if (maxLimitCents !== undefined && (maxLimitCents <= 0n || maxLimitCents >= 10n ** 20n)) {
    return 'The maximum limit must be above 0 and have at most 18 digits before the point.'
  }
  return undefined
}

function toRule(row: Awaited<ReturnType<typeof selectPolicyRows>>[number]): ResidencyRule {
  return {
    country: row.country,
    state: row.state === '' ? undefined : row.state,
    borrowerType: row.borrower_type,
    allowed: row.allowed,
    ratePpm: row.rate_ppm ?? undefined,
    maxLimitCents: row.max_limit_cents ?? undefined,
  }
}
