import { formatDecimal } from '../../../core/money.ts'
import type { Db } from '../../../db/database.ts'
import { showTerms } from '../margin-terms.ts'
import type { TermsAt } from '../policy.ts'
import { forAll } from '../stress/book-terms.ts'
import { changeToJson } from '../stress/change-json.ts'
import { type ChangeSums, previewTerms, sumChanges } from '../stress/preview-terms.ts'
import type { MarketSource } from '../stress/scenario.ts'
import { policyIn, readPolicies } from '../versions/versions.ts'
import { type Amendment, type Chosen, type ComparedTerms, compareFacilities } from './amend.ts'
import type { BoundTerms } from './facility-terms.ts'

/** Facilities whose terms change from the same to the same. */
export type AmendmentGroup = {
  facilities: number
  isStricter: boolean
  before: BoundTerms
  after: BoundTerms
}

export type AmendmentPreview = {
  at: Date
  withNotice: number
  withoutNotice: number
  left: number
  /** The largest first. */
  groups: AmendmentGroup[]
  moreGroups: number
  /** If all of them were bound to the terms now. */
  change: ChangeSums
}

const MOST_GROUPS = 10

/** Returns what an amendment would change in the terms, and in the book at the last accepted prices. Refuses as
 * `compareFacilities` does. */
export async function previewAmendment(
  db: Db,
  { source, now, termsAt }: { source: MarketSource; now: Date; termsAt: TermsAt },
  amendment: Amendment,
  chosen: Chosen,
): Promise<AmendmentPreview> {
  const { compared, left } = await compareFacilities(db, amendment, chosen, now)
  const withNotice = compared.filter(({ isStricter }) => isStricter).length
  const groups = groupTerms(compared)
  return {
    ...{ at: now, withNotice, withoutNotice: compared.length - withNotice, left },
    groups: groups.slice(0, MOST_GROUPS),
    moreGroups: Math.max(0, groups.length - MOST_GROUPS),
    change: await changeOf(db, { source, now, termsAt }, amendment, compared),
  }
}

/** A rate decides nothing of the ladder, and no version leaves it as it is. */
async function changeOf(
  db: Db,
  { source, now, termsAt }: { source: MarketSource; now: Date; termsAt: TermsAt },
  { version }: Amendment,
  compared: readonly ComparedTerms[],
): Promise<ChangeSums> {
  if (version === undefined || compared.length === 0) return sumChanges([])
  const own = await termsAt(db, now)
  const policy = policyIn(await readPolicies(db), version)
  const proposed = forAll({ ...policy, staleMs: own.marginPolicy.staleMs })
  const among = {
    tenantIds: [...new Set(compared.map(({ tenantId }) => tenantId))],
    facilityIds: compared.map(({ facilityId }) => facilityId),
  }
  const terms = { today: { own }, proposed }
  return (await previewTerms(db, source, terms, { limit: 1, among })).total
}

function groupTerms(compared: readonly ComparedTerms[]): AmendmentGroup[] {
  const keyOf = ({ before, after }: ComparedTerms) =>
    [before.version, before.ratePpm, after.version, after.ratePpm].join()
  return [...Map.groupBy(compared, keyOf).values()]
    .flatMap((alike) => {
      const [first] = alike
      if (!first) return []
      const { isStricter, before, after } = first
      return [{ facilities: alike.length, isStricter, before, after }]
    })
    .sort((a, b) => b.facilities - a.facilities)
}

export function amendmentToJson(preview: AmendmentPreview) {
  return {
    ...{ with_notice: preview.withNotice, without_notice: preview.withoutNotice },
    left: preview.left,
    groups: preview.groups.map(({ facilities, isStricter, before, after }) => ({
      ...{ facilities, with_notice: isStricter },
      ...{ before: showBound(before), after: showBound(after) },
    })),
    more_groups: preview.moreGroups,
    effect: { at: preview.at.toISOString(), ...changeToJson(preview.change) },
  }
}

const showBound = ({ version, ratePpm, policy }: BoundTerms) => ({
  ...{ version, rate: formatDecimal(ratePpm, 6) },
  ...showTerms(policy),
})
