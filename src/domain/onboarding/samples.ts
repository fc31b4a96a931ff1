import type { Tx } from '../../db/database.ts'
import { type NewDocument, publishDocument } from './documents.ts'
import { listResidencyRules, nameRule, type ResidencyRule, setResidencyRule } from './residency.ts'
import { lockPolicy } from './residency-queries.ts'

const CONTRACTS = [
  { contractType: 'master_loan_agreement', title: 'Master Loan Agreement' },
  { contractType: 'borrower_disclosures', title: 'Borrower Disclosures' },
]

/** For a sandbox; the files do not exist. */
export async function publishSampleDocuments(
  tx: Tx,
  tenantId: string,
  now: Date,
): Promise<NewDocument[]> {
  const contractVersion = now.toISOString().slice(0, 7)
  const documents = CONTRACTS.map(({ contractType, title }) => ({
    contractType,
    contractVersion,
    title,
    downloadUrl: `https://example.com/contracts/${contractType}-${contractVersion}.pdf`,
    contentType: 'application/pdf',
  }))
  for (const document of documents) await publishDocument(tx, tenantId, document, now)
  return documents
}

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
