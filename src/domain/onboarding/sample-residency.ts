import type { Tx } from '../../db/database.ts'
import { listResidencyRules, nameRule, type ResidencyRule, setResidencyRule } from './residency.ts'
import { lockPolicy } from './residency-queries.ts'

/** A sample, not legal advice: the operator decides where to lend. */
const SAMPLE_PLACES = [
  ...['US', 'CA', 'GB', 'DE', 'FR', 'NL', 'CH', 'SG', 'AU'].map((country) => ({ country })),
  { country: 'US', state: 'HI', allowed: false },
]

/** Keeps rules that the operator has set. Returns the rules written. */
export async function seedSampleResidency(tx: Tx, now: Date): Promise<ResidencyRule[]> {
  await lockPolicy(tx)
  const taken = new Set((await listResidencyRules(tx)).map(nameRule))
  const missing = sampleRules().filter((rule) => !taken.has(nameRule(rule)))
  for (const rule of missing) await setResidencyRule(tx, rule, now)
  return missing
}

function sampleRules(): ResidencyRule[] {
  const open = { state: undefined, allowed: true, ratePpm: undefined, maxLimitCents: undefined }
  return SAMPLE_PLACES.flatMap((place) =>
    (['individual', 'business'] as const).map((borrowerType) => ({
      ...open,
      ...place,
      borrowerType,
    })),
  )
}
