import type { Db } from '../../../db/database.ts'
import { showTerms } from '../margin-terms.ts'
import { DEFAULT_MARGIN_POLICY, type MarginPolicy, toMarginTerms } from '../policy.ts'
import { changeToJson } from '../stress/change-json.ts'
import { type ChangeSums, previewTerms } from '../stress/preview-terms.ts'
import type { MarketSource } from '../stress/scenario.ts'
import { lastPolicy, listPolicyVersions, versionAt } from './versions.ts'

export type Proposal = {
  /** As a proposal stores it. */
  request: {
    terms: ReturnType<typeof showTerms>
    effectiveFrom: string
    preview: Record<string, unknown>
  }
  change: ChangeSums
}

/** What is left out is as in the version before. The preview compares with the terms in force. */
export async function proposeVersion(
  db: Db,
  { source, now, staleMs }: { source: MarketSource; now: Date; staleMs: number },
  read: (base: MarginPolicy) => MarginPolicy,
  effectiveFrom: Date,
): Promise<Proposal> {
  const versions = await listPolicyVersions(db)
  const policy = read(lastPolicy(versions))
  const inForce = versionAt(versions, now)?.policy ?? DEFAULT_MARGIN_POLICY
  const today = toMarginTerms({ ...inForce, staleMs })
  const proposed = toMarginTerms({ ...policy, staleMs })
  const { total } = await previewTerms(db, source, { today, proposed }, 1)
  return {
    request: {
      terms: showTerms(policy),
      effectiveFrom: effectiveFrom.toISOString(),
      preview: { at: now.toISOString(), ...changeToJson(total) },
    },
    change: total,
  }
}
