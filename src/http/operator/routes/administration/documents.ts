import { z } from 'zod'
import { listAllDocuments } from '../../../../domain/onboarding/documents.ts'
import {
  PUBLISH_DOCUMENT,
  RETIRE_DOCUMENT,
} from '../../../../domain/operators/acts/document-acts.ts'
import { getTenant } from '../../../../domain/tenants/tenants.ts'
import { bodyOf } from '../../../schemas/body-of.ts'
import { listOf, text, timestamp } from '../../../schemas/fields.ts'
import { actRoute } from '../../act-route.ts'
import type { OperatorApp } from '../../operation.ts'
import type { OperatorContext } from '../../operator-context.ts'
import { outcomeSchema, performAct, withReason } from '../../perform-act.ts'
import { tenantParams } from './tenants.ts'

const VERSION_EXAMPLE = { contract_type: 'master_loan_agreement', contract_version: '2026-11' }

const FILE_EXAMPLE = {
  title: 'Master Loan Agreement',
  download_url: 'https://example.com/mla-2026-11.pdf',
  content_type: 'application/pdf',
}

const DOCUMENT_EXAMPLE = {
  ...VERSION_EXAMPLE,
  ...FILE_EXAMPLE,
  published_at: '2026-11-22T12:00:00.000Z',
  superseded_at: null,
  retired_at: null,
}

const documentSchema = z
  .strictObject({
    contract_type: z.string(),
    contract_version: z.string(),
    title: z.string(),
    download_url: z.string(),
    content_type: z.string(),
    published_at: timestamp,
    superseded_at: timestamp.nullable(),
    retired_at: timestamp.nullable(),
  })
  .meta({ id: 'TenantDocument', examples: [DOCUMENT_EXAMPLE] })

const version = { contract_type: text(64), contract_version: text(7) }

/** The contracts that a tenant's borrowers accept, in all their versions. */
export function documentRoutes(app: OperatorApp, context: OperatorContext): void {
  const { db } = context
  app.get('/tenants/:tenant_id/documents', {
    id: 'listTenantDocuments',
    summary: "List a tenant's contracts in all versions, superseded and retired ones too",
    tag: 'Administration',
    params: tenantParams,
    response: { 200: listOf(documentSchema, 'TenantDocuments', DOCUMENT_EXAMPLE) },
    async handler(request) {
      const { id } = await getTenant(db, request.params.tenant_id)
      return { items: (await listAllDocuments(db, id)).map(toBody) }
    },
  })
  addChanges(app, context)
}

function addChanges(app: OperatorApp, context: OperatorContext): void {
  app.post('/tenants/:tenant_id/documents', {
    id: 'publishTenantDocument',
    summary: 'Publish a version of a contract, which borrowers must accept from now on',
    tag: 'Administration',
    params: tenantParams,
    body: withReason(
      {
        ...version,
        title: text(200),
        download_url: text(2_048),
        content_type: text(100).default('application/pdf'),
      },
      { ...VERSION_EXAMPLE, ...FILE_EXAMPLE, reason: 'new rates' },
    ),
    response: { 200: outcomeSchema },
    errors: ['scope_missing'],
    async handler(request) {
      const { contract_type: contractType, contract_version: contractVersion } = request.body
      const { title, download_url: downloadUrl, content_type: contentType, reason } = request.body
      const { tenant_id: tenantId } = request.params
      const { id } = await getTenant(context.db, tenantId)
      const document = { contractType, contractVersion, title, downloadUrl, contentType }
      const asked = { tenantId: id, ...document }
      return await performAct(context, request, PUBLISH_DOCUMENT, { asked, reason })
    },
  })

  actRoute(app, context, '/tenants/:tenant_id/documents/retire', {
    id: 'retireTenantDocument',
    summary: 'Take a version out of use; its signatures no longer count',
    tag: 'Administration',
    params: tenantParams,
    body: version,
    example: { ...VERSION_EXAMPLE, reason: 'published by mistake' },
    guarded: RETIRE_DOCUMENT,
  })
}

const toBody = bodyOf(documentSchema)
