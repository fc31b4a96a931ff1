import { z } from 'zod'
import { usd } from '../../../core/money.ts'
import { type BorrowerFile, readBorrowerFile } from '../../../domain/review-queue/borrower-file.ts'
import { amountSchema } from '../../schemas/amounts.ts'
import { bodyOf } from '../../schemas/body-of.ts'
import { idInput, idText, timestamp } from '../../schemas/fields.ts'
import type { OperatorApp } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'

const EXAMPLE = {
  tenant_id: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c',
  tenant_name: 'Acme',
  borrower_id: 'bor_01k9x4m2q8e0tb7f2v5j6h8n3c',
  external_id: 'customer-4711',
  type: 'individual' as const,
  residency: 'US-CA',
  kyc_attested: true,
  eligible: false,
  block: null,
  created_at: '2026-11-22T12:00:00.000Z',
  checks: [
    {
      check_id: 'chk_01k9x4m2q8e0tb7f2v5j6h8n3c',
      kind: 'aml' as const,
      status: 'review' as const,
      created_at: '2026-11-22T12:00:00.000Z',
      decided_at: null,
    },
  ],
  signatures: [
    {
      signature_id: 'sig_01k9x4m2q8e0tb7f2v5j6h8n3c',
      signer: 1,
      contract_type: 'master_loan_agreement',
      contract_version: '2026-01',
      document: {
        title: 'Master loan agreement',
        url: 'https://docs.lender.example/mla-2026-01.pdf',
      },
      signed_at: '2026-11-22T12:00:00.000Z',
    },
  ],
  latest_facility: null,
  proposals: [],
}

const schema = z
  .strictObject({
    tenant_id: idText('ten'),
    tenant_name: z.string(),
    borrower_id: idText('bor'),
    external_id: z.string().nullable().describe("The tenant's own id"),
    type: z.enum(['individual', 'business']),
    residency: z.string().describe('Country, or country and state'),
    kyc_attested: z.boolean().describe('By the tenant'),
    eligible: z.boolean(),
    block: z.strictObject({ since: timestamp, reason: z.string() }).nullable(),
    created_at: timestamp,
    checks: z.array(
      z.strictObject({
        check_id: idText('chk'),
        kind: z.enum(['kyc', 'kyb', 'aml']),
        status: z.enum(['pending', 'review', 'passed', 'failed']),
        created_at: timestamp,
        decided_at: timestamp.nullable(),
      }),
    ),
    signatures: z.array(
      z.strictObject({
        signature_id: idText('sig'),
        signer: z.int().describe('1, 2, …: the same number for the same name'),
        contract_type: z.string(),
        contract_version: z.string(),
        document: z.strictObject({ title: z.string(), url: z.string() }).nullable(),
        signed_at: timestamp,
      }),
    ),
    latest_facility: z
      .strictObject({
        facility_id: idText('fac'),
        state: z.string(),
        limit: amountSchema,
        created_at: timestamp,
      })
      .nullable(),
    proposals: z
      .array(
        z.strictObject({
          approval_id: idText('apr'),
          action: z.string(),
          reason: z.string(),
          proposed_by: z.string(),
          expires_at: timestamp,
        }),
      )
      .describe('Acts about the borrower that wait for a second operator'),
  })
  .meta({ id: 'BorrowerFile', examples: [EXAMPLE] })

const params = z.strictObject({ tenant_id: idInput('ten'), borrower_id: idInput('bor') })

export function borrowerFileRoutes(app: OperatorApp, { db, clock }: OperatorContext): void {
  app.get('/tenants/:tenant_id/borrowers/:borrower_id', {
    id: 'getBorrowerFile',
    summary: "Show a borrower's checks, signatures and block, without signers' data",
    tag: 'Reviews',
    params,
    response: { 200: schema },
    async handler(request) {
      const { tenant_id: tenantId, borrower_id: borrowerId } = request.params
      return toBody(tenantId, await readBorrowerFile(db, { tenantId, borrowerId }, clock()))
    },
  })
}

const showFile = bodyOf(schema)

function toBody(tenantId: string, file: BorrowerFile): z.input<typeof schema> {
  const { borrower, checks, signatures, latestFacility, proposals } = file
  const { block, residencyCountry, residencyState } = borrower
  return showFile({
    ...{ ...borrower, tenantId, tenantName: file.tenantName, borrowerId: borrower.id },
    residency: [residencyCountry, residencyState].filter(Boolean).join('-'),
    block: block && { since: block.at, reason: block.reason },
    checks: checks.map((check) => ({ ...check, checkId: check.id })),
    signatures: signatures.map((signature) => ({ ...signature, signatureId: signature.id })),
    latestFacility: latestFacility && {
      ...{ ...latestFacility, facilityId: latestFacility.id },
      limit: usd(latestFacility.limitCents),
    },
    proposals: proposals.map((proposal) => ({ ...proposal, approvalId: proposal.id })),
  })
}
