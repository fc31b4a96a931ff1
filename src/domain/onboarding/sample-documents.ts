import type { Tx } from '../../db/database.ts'
import { type NewDocument, publishDocument } from './documents.ts'

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
