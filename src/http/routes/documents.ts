import { z } from 'zod'
import { listRequiredDocuments } from '../../domain/onboarding/documents.ts'
import { callerOf } from '../authentication/authenticate.ts'
import { readsWith } from '../route-config.ts'
import type { RouteContext } from '../route-context.ts'
import { bodyOf } from '../schemas/body-of.ts'
import { contractVersion } from '../schemas/fields.ts'
import type { TenantApp } from '../schemas/operation.ts'

const documentSchema = z.strictObject({
  contract_type: z.string(),
  contract_version: contractVersion.describe('Year and month, as 2026-11'),
  title: z.string(),
  download_url: z.string(),
  content_type: z.string(),
})

const documentListSchema = z.strictObject({ items: z.array(documentSchema) }).meta({
  id: 'DocumentList',
  examples: [
    {
      items: [
        {
          contract_type: 'master_loan_agreement',
          contract_version: '2026-11',
          title: 'Master Loan Agreement',
          download_url: 'https://documents.example.com/master-loan-agreement-2026-11.pdf',
          content_type: 'application/pdf',
        },
      ],
    },
  ],
})

export function documentRoutes(app: TenantApp, { db }: RouteContext): void {
  app.get('/documents', {
    id: 'listDocuments',
    summary: 'List the contracts that borrowers must accept',
    tag: 'Onboarding',
    config: readsWith('borrower:read'),
    response: { 200: documentListSchema },
    async handler(request) {
      const documents = await listRequiredDocuments(db, callerOf(request).tenantId)
      return { items: documents.map(bodyOf(documentSchema)) }
    },
  })
}
