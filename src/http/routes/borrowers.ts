import { z } from 'zod'
import {
  type Borrower,
  createBorrower,
  getBorrower,
  listBorrowers,
} from '../../domain/onboarding/borrowers.ts'
import { callerOf } from '../authentication/authenticate.ts'
import { readsWith } from '../route-config.ts'
import type { RouteContext } from '../route-context.ts'
import { bodyOf } from '../schemas/body-of.ts'
import {
  externalId,
  idInput,
  idText,
  pageOf,
  pageQuery,
  text,
  timestamp,
  toPageBody,
} from '../schemas/fields.ts'
import type { TenantApp } from '../schemas/operation.ts'

const borrowerType = z.enum(['individual', 'business'])

const newBorrowerSchema = z
  .strictObject({
    type: borrowerType,
    kyc_attested: z.boolean().describe('That you have completed customer KYC'),
    residency_country: text(2)
      .meta({ pattern: '^[A-Z]{2}$' })
      .describe('ISO 3166-1 alpha-2, an assigned code'),
    residency_state: text(8)
      .meta({ pattern: '^[A-Z]{2}$' })
      .optional()
      .describe('ISO 3166-2 without the country; required for US, refused elsewhere'),
    external_id: externalId
      .optional()
      .describe('Your own id of the borrower; no two borrowers have the same'),
  })
  .meta({
    examples: [
      {
        type: 'individual',
        kyc_attested: true,
        residency_country: 'US',
        residency_state: 'CA',
      },
    ],
  })

const borrowerObject = z.strictObject({
  id: idText('bor'),
  external_id: z.string().optional().describe('Your own id of the borrower'),
  type: borrowerType,
  kyc_attested: z.boolean(),
  residency_country: z.string(),
  residency_state: z.string().optional(),
  eligible: z.boolean(),
  erased: z
    .literal(true)
    .optional()
    .describe('The lender has erased its personal data; absent otherwise'),
  created_at: timestamp,
  updated_at: timestamp,
})

const BORROWER_EXAMPLE = {
  id: 'bor_01k9x4m2q8e0tb7f2v5j6h8n3c',
  type: 'individual' as const,
  kyc_attested: true,
  residency_country: 'US',
  residency_state: 'CA',
  eligible: false,
  created_at: '2026-11-20T12:00:00.000Z',
  updated_at: '2026-11-20T12:00:00.000Z',
}

const borrowerSchema = borrowerObject.meta({ id: 'Borrower', examples: [BORROWER_EXAMPLE] })

const flagFilter = z
  .enum(['true', 'false'])
  .meta({ type: 'boolean', enum: undefined, examples: [true] })
  .transform((text) => text === 'true')
  .optional()

export function borrowerRoutes(app: TenantApp, { db, cursors, mutate }: RouteContext): void {
  app.post('/borrowers', {
    id: 'createBorrower',
    summary: 'Create a borrower',
    description: 'Eligibility is evaluated in the background; `borrower.eligible` reports it.',
    tag: 'Onboarding',
    config: { limitClass: 'money', scope: 'borrower:write', idempotencyKey: 'required' },
    body: newBorrowerSchema,
    response: { 201: borrowerSchema },
    errors: ['residency_not_supported', 'external_id_taken'],
    handler: (request, reply) =>
      mutate(request, reply, async ({ tx, tenantId, ...instant }) => {
        const { body } = request
        const borrower = await createBorrower(
          tx,
          tenantId,
          {
            type: body.type,
            kycAttested: body.kyc_attested,
            residencyCountry: body.residency_country,
            residencyState: body.residency_state,
            externalId: body.external_id,
          },
          instant,
        )
        return { status: 201, body: toBody(borrower) }
      }),
  })

  app.get('/borrowers', {
    id: 'listBorrowers',
    summary: 'List borrowers, newest first',
    tag: 'Onboarding',
    config: readsWith('borrower:read'),
    querystring: z.strictObject({
      ...pageQuery,
      eligible: flagFilter,
      external_id: externalId.optional(),
    }),
    response: { 200: pageOf(borrowerObject, 'BorrowerPage', BORROWER_EXAMPLE) },
    errors: ['cursor_invalid'],
    async handler(request) {
      const { tenantId } = callerOf(request)
      const { external_id: externalId, ...asked } = request.query
      const page = await listBorrowers(db, tenantId, { ...asked, externalId }, cursors)
      return toPageBody(page, toBody)
    },
  })

  app.get('/borrowers/:borrower_id', {
    id: 'getBorrower',
    summary: 'Read a borrower',
    tag: 'Onboarding',
    config: readsWith('borrower:read'),
    params: z.strictObject({ borrower_id: idInput('bor') }),
    response: { 200: borrowerSchema },
    async handler(request) {
      const { tenantId } = callerOf(request)
      return toBody(await getBorrower(db, tenantId, request.params.borrower_id))
    },
  })
}

const showBorrower = bodyOf(borrowerObject)

const toBody = ({ isErased, ...borrower }: Borrower) =>
  showBorrower({ ...borrower, erased: isErased || undefined })
