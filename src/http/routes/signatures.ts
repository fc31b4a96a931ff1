import { z } from 'zod'
import { type FieldFault, refusedAs } from '../../core/field-errors.ts'
import { listSignatures, submitSignature } from '../../domain/onboarding/signatures.ts'
import {
  hasBidiOverride,
  isMailbox,
  isScreenable,
  MAX_MAILBOX_BYTES,
} from '../../domain/onboarding/signer.ts'
import { callerOf } from '../authentication/authenticate.ts'
import { readsWith } from '../route-config.ts'
import type { RouteContext } from '../route-context.ts'
import { bodyOf } from '../schemas/body-of.ts'
import {
  contractVersion,
  idInput,
  idText,
  text,
  timestamp,
  timestampInput,
} from '../schemas/fields.ts'
import type { TenantApp } from '../schemas/operation.ts'

const params = z.strictObject({ borrower_id: idInput('bor') })

const NO_LETTER: FieldFault = {
  code: 'wrong_format',
  expected: 'Invalid format. Expected a name with at least one letter.',
}
const BIDI_OVERRIDE: FieldFault = {
  code: 'forbidden_character',
  expected: 'Expected text without U+202D and U+202E, which change the order of letters.',
}
const NO_MAILBOX: FieldFault = {
  code: 'wrong_format',
  expected: 'Invalid format. Expected an e-mail address.',
}

const newSignatureSchema = z
  .strictObject({
    full_name: text(200)
      .refine(isScreenable, refusedAs(NO_LETTER))
      .refine((name) => !hasBidiOverride(name), refusedAs(BIDI_OVERRIDE)),
    email: z
      .string()
      .max(MAX_MAILBOX_BYTES)
      .refine(isMailbox, refusedAs(NO_MAILBOX))
      .meta({ format: 'idn-email' }),
    ip_address: z.union([z.ipv4(), z.ipv6()], {
      error: 'Invalid format. Expected an IPv4 or IPv6 address.',
    }),
    signed_at: timestampInput,
    contract_type: text(64),
    contract_version: contractVersion,
  })
  .meta({
    examples: [
      {
        full_name: 'Ada Lovelace',
        email: 'ada@example.com',
        ip_address: '203.0.113.9',
        signed_at: '2026-11-20T12:00:00Z',
        contract_type: 'master_loan_agreement',
        contract_version: '2026-11',
      },
    ],
  })

const ERASED = '`null` once the borrower is erased'

const signatureObject = z.strictObject({
  id: idText('sig'),
  full_name: z.string().nullable().describe(ERASED),
  email: z.string().nullable().describe(ERASED),
  ip_address: z.string().nullable().describe(ERASED),
  signed_at: timestamp,
  contract_type: z.string(),
  contract_version: contractVersion,
  recorded_at: timestamp,
})

const signatureListSchema = z.strictObject({ items: z.array(signatureObject) }).meta({
  id: 'SignatureList',
  examples: [
    {
      items: [
        {
          id: 'sig_01k9x4m2q8e0tb7f2v5j6h8n3c',
          full_name: 'Ada Lovelace',
          email: 'ada@example.com',
          ip_address: '203.0.113.9',
          signed_at: '2026-11-20T12:00:00.000Z',
          contract_type: 'master_loan_agreement',
          contract_version: '2026-11',
          recorded_at: '2026-11-20T12:00:03.120Z',
        },
      ],
    },
  ],
})

export function signatureRoutes(app: TenantApp, context: RouteContext): void {
  const { db, mutate, config } = context

  app.post('/borrowers/:borrower_id/signatures', {
    id: 'submitSignature',
    summary: 'Submit a signature',
    description:
      'Answers 202 with an empty body; the borrower is evaluated in the background. A borrower can have 100 signatures.',
    tag: 'Onboarding',
    config: { limitClass: 'money', scope: 'borrower:write', idempotencyKey: 'required' },
    params,
    body: newSignatureSchema,
    response: { 202: z.undefined().describe('Accepted; empty body') },
    errors: ['contract_version_unknown', 'borrower_erased', 'limit_reached'],
    handler: (request, reply) =>
      mutate(request, reply, async (tenant) => {
        const { body } = request
        await submitSignature(
          tenant,
          request.params.borrower_id,
          {
            fullName: body.full_name,
            email: body.email,
            ipAddress: body.ip_address,
            signedAt: body.signed_at,
            contractType: body.contract_type,
            contractVersion: body.contract_version,
          },
          { graceDays: config.policy.documentGraceDays },
        )
        return { status: 202 }
      }),
  })

  app.get('/borrowers/:borrower_id/signatures', {
    id: 'listSignatures',
    summary: "List a borrower's signatures, oldest first",
    tag: 'Onboarding',
    config: readsWith('borrower:read'),
    params,
    response: { 200: signatureListSchema },
    async handler(request) {
      const { tenantId } = callerOf(request)
      const signatures = await listSignatures(db, tenantId, request.params.borrower_id)
      return { items: signatures.map(bodyOf(signatureObject)) }
    },
  })
}
