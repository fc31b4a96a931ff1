import { Refusal } from '../../../core/errors.ts'
import type { Db } from '../../../db/database.ts'
import { readStoredTerms } from '../margin-terms.ts'
import { DEFAULT_MARGIN_POLICY, type MarginPolicy } from '../policy.ts'
import { countByVersion, selectVersions } from './version-queries.ts'

type Signed = { note: string; proposedBy: string; signedBy: string; at: Date }

export type PolicyVersion = {
  number: number
  /** Its number is the version; the rest as the service's own terms have it. */
  policy: MarginPolicy
  effectiveFrom: Date
  created: Signed
  withdrawn: Signed | undefined
}

/** In order, withdrawn ones too; without the service's own terms. */
export async function listPolicyVersions(db: Db): Promise<PolicyVersion[]> {
  return (await readPolicies(db)).versions
}

/** The service's own terms, version 0; those of this build until they are stored. */
export async function readOwnPolicy(db: Db): Promise<MarginPolicy> {
  return (await readPolicies(db)).own ?? DEFAULT_MARGIN_POLICY
}

export type Policies = { own: MarginPolicy | undefined; versions: PolicyVersion[] }

/** Also of one that was withdrawn. */
export function policyIn({ own, versions }: Policies, number: number): MarginPolicy {
  if (number === 0) return own ?? DEFAULT_MARGIN_POLICY
  const found = versions.find((version) => version.number === number)
  if (!found) throw new Error(`version ${number} of the margin policy is not known`)
  return found.policy
}

export async function readPolicies(db: Db): Promise<Policies> {
  const rows = await selectVersions(db)
  const own = rows.find(({ number }) => number === 0)
  return {
    // It keeps the name that decisions had before it was stored.
    own: own && { ...readPolicy(own.terms, 0), version: own.note },
    versions: toVersions(rows.filter(({ number }) => number > 0)),
  }
}

/** How many facilities are bound to a version, and how many an amendment will bind to it. */
export async function countBound(
  db: Db,
): Promise<(version: number) => { bound: number; next: number }> {
  const counts = new Map((await countByVersion(db)).map((one) => [one.version, one]))
  return (version) => {
    const { bound = 0, next = 0 } = counts.get(version) ?? {}
    return { bound, next }
  }
}

function toVersions(rows: Awaited<ReturnType<typeof selectVersions>>): PolicyVersion[] {
  return rows.map((row) => {
    const { number, note, proposed_by: proposedBy, signed_by: signedBy, created_at: at } = row
    return {
      number,
      policy: readPolicy(row.terms, number),
      effectiveFrom: row.effective_from,
      created: { note, proposedBy, signedBy, at },
      withdrawn:
        row.withdrawn_at === null
          ? undefined
          : {
              note: row.withdrawal_note ?? '',
              proposedBy: row.withdrawal_proposed_by ?? '',
              signedBy: row.withdrawal_signed_by ?? '',
              at: row.withdrawn_at,
            },
    }
  })
}

/** Refuses `not_found`. 0 is the service's own terms. */
export async function getPolicyVersion(db: Db, number: number): Promise<PolicyVersion> {
  const found = (await listPolicyVersions(db)).find((version) => version.number === number)
  if (!found) throw new Refusal('not_found', `There is no version ${number} of the margin policy.`)
  return found
}

/** A pure function of the versions: the last that has taken effect. Undefined: the service's own. */
export function versionAt(
  versions: readonly PolicyVersion[],
  now: Date,
): PolicyVersion | undefined {
  return effective(versions).findLast(({ effectiveFrom }) => effectiveFrom <= now)
}

/** Each takes effect after the one before it. */
export function effective(versions: readonly PolicyVersion[]): PolicyVersion[] {
  return versions.filter(({ withdrawn }) => withdrawn === undefined)
}

/** What a new version follows: the last of those that are to take effect. */
export function lastPolicy(versions: readonly PolicyVersion[]): MarginPolicy | undefined {
  return effective(versions).at(-1)?.policy
}

export type VersionState = 'in_force' | 'scheduled' | 'superseded' | 'withdrawn'

export function stateOf(
  version: PolicyVersion,
  versions: readonly PolicyVersion[],
  now: Date,
): VersionState {
  if (version.withdrawn) return 'withdrawn'
  if (version.effectiveFrom > now) return 'scheduled'
  return versionAt(versions, now)?.number === version.number ? 'in_force' : 'superseded'
}

function readPolicy(terms: unknown, number: number): MarginPolicy {
  return { ...readStoredTerms(terms, DEFAULT_MARGIN_POLICY), version: String(number) }
}
