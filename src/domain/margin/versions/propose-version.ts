import type { Db } from '../../../db/database.ts'
import { showTerms } from '../margin-terms.ts'
import type { MarginPolicy, TermsAt } from '../policy.ts'
import { forAll } from '../stress/book-terms.ts'
import { changeToJson } from '../stress/change-json.ts'
import { type ChangeSums, previewTerms } from '../stress/preview-terms.ts'
import type { MarketSource } from '../stress/scenario.ts'
import { lastPolicy, listPolicyVersions, readOwnPolicy } from './versions.ts'

export type Proposal = {
  /** As a proposal stores it. */
  request: {
    terms: ReturnType<typeof showTerms>
    effectiveFrom: string
    preview: Record<string, unknown>
  }
  change: ChangeSums
}

/** What is left out is as in the version before. The preview shows what would change if every loan were
 * bound to it. */
export async function proposeVersion(
  db: Db,
  { source, now, termsAt }: { source: MarketSource; now: Date; termsAt: TermsAt },
  read: (base: MarginPolicy) => MarginPolicy,
  effectiveFrom: Date,
): Promise<Proposal> {
  const policy = read(lastPolicy(await listPolicyVersions(db)) ?? (await readOwnPolicy(db)))
  const own = await termsAt(db, now)
  const proposed = forAll({ ...policy, staleMs: own.marginPolicy.staleMs })
  const { total } = await previewTerms(db, source, { today: { own }, proposed }, { limit: 1 })
  return {
    request: {
      terms: showTerms(policy),
      effectiveFrom: effectiveFrom.toISOString(),
      preview: { at: now.toISOString(), ...changeToJson(total) },
    },
    change: total,
  }
}
