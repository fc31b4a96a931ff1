import { z } from 'zod'
import { inTransaction } from '../../../db/database.ts'
import {
  APPROVE_BORROWER,
  BLOCK_BORROWER,
  REJECT_BORROWER,
  UNBLOCK_BORROWER,
} from '../../../domain/operators/acts/borrower-acts.ts'
import { ERASE_BORROWER } from '../../../domain/operators/acts/erasure-acts.ts'
import { exportBorrower } from '../../../domain/operators/export-borrower.ts'
import { revealReviews } from '../../../domain/operators/reveal-reviews.ts'
import { renderPersonPage } from '../../../domain/personal/person-page.ts'
import { bodyOf } from '../../schemas/body-of.ts'
import { idInput, idText, timestamp } from '../../schemas/fields.ts'
import { actRoute } from '../act-route.ts'
import { actingOperatorOf } from '../authenticate-operator.ts'
import type { OperatorApp } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import { withReason } from '../perform-act.ts'

const REVEALED_CHECK_EXAMPLE = {
  check_id: 'chk_01k9x4m2q8e0tb7f2v5j6h8n3c',
  kind: 'aml' as const,
  waiting_since: '2026-11-22T12:00:00.000Z',
  full_name: 'Grace Example',
  note: 'score 0.82 on one list',
}

const REVEALED_SIGNER_EXAMPLE = {
  signature_id: 'sig_01k9x4m2q8e0tb7f2v5j6h8n3c',
  full_name: 'Grace Example',
  email: 'grace@example.com',
  ip_address: '192.0.2.1',
}

const revealedSchema = z
  .strictObject({
    items: z
      .array(
        z.strictObject({
          check_id: idText('chk'),
          kind: z.enum(['kyc', 'kyb', 'aml']),
          waiting_since: timestamp,
          full_name: z.string().nullable(),
          note: z.string().nullable(),
        }),
      )
      .describe('The checks that wait'),
    signatures: z
      .array(
        z.strictObject({
          signature_id: idText('sig'),
          full_name: z.string().nullable(),
          email: z.string().nullable(),
          ip_address: z.string().nullable(),
        }),
      )
      .describe('Who signed'),
  })
  .meta({
    id: 'Revealed',
    examples: [{ items: [REVEALED_CHECK_EXAMPLE], signatures: [REVEALED_SIGNER_EXAMPLE] }],
  })

const toRevealed = bodyOf(revealedSchema)

const params = z.strictObject({ tenant_id: idInput('ten'), borrower_id: idInput('bor') })
const reasonBody = withReason({}, { reason: 'passport seen on 3 November' })

const ACTS = [
  {
    name: 'approve',
    guarded: APPROVE_BORROWER,
    summary: 'Pass the checks that wait or have failed',
  },
  { name: 'reject', guarded: REJECT_BORROWER, summary: 'Fail the checks that wait' },
  { name: 'block', guarded: BLOCK_BORROWER, summary: 'Block a borrower from facilities and draws' },
  { name: 'unblock', guarded: UNBLOCK_BORROWER, summary: 'Lift the block from a borrower' },
  {
    name: 'erase',
    guarded: ERASE_BORROWER,
    summary: "Erase a borrower's personal data for good, once the law lets it",
  },
] as const

export function reviewRoutes(app: OperatorApp, context: OperatorContext): void {
  addReveal(app, context)
  addExport(app, context)
  for (const { name, guarded, summary } of ACTS) {
    actRoute(app, context, `/tenants/:tenant_id/borrowers/:borrower_id/${name}`, {
      id: `${name}Borrower`,
      summary,
      tag: 'Reviews',
      params,
      example: { reason: 'passport seen on 3 November' },
      errors: ['borrower_erased', 'retention_not_over'],
      guarded,
    })
  }
}

function addReveal(app: OperatorApp, { db, clock }: OperatorContext): void {
  app.post('/tenants/:tenant_id/borrowers/:borrower_id/reveal', {
    id: 'revealReviews',
    summary: "Show who signed, and the waiting checks' notes; recorded as an action",
    tag: 'Reviews',
    // Shown again it is recorded again: signers' data is stored nowhere else.
    config: { idempotencyKey: 'ignored' },
    params,
    body: reasonBody,
    response: { 200: revealedSchema },
    errors: ['scope_missing'],
    async handler(request) {
      const acting = actingOperatorOf(request, clock())
      const { tenant_id: tenantId, borrower_id: borrowerId } = request.params
      const subject = { tenantId, borrowerId }
      const { reviews, signatures } = await inTransaction(db, (tx) =>
        revealReviews(tx, acting, subject, request.body.reason),
      )
      return toRevealed({
        items: reviews.map((review) => ({ ...review, waitingSince: review.createdAt })),
        signatures: signatures.map((signature) => ({ ...signature, signatureId: signature.id })),
      })
    },
  })
}

const exportedSchema = z
  .strictObject({ page: z.string().describe('For the person, in Markdown') })
  .meta({ id: 'PersonPage', examples: [{ page: '# What the lender holds about you' }] })

function addExport(app: OperatorApp, { db, clock }: OperatorContext): void {
  app.post('/tenants/:tenant_id/borrowers/:borrower_id/export', {
    id: 'exportBorrower',
    summary: 'Show what is held about a borrower as a page for the person; recorded as an action',
    tag: 'Reviews',
    // Each call is recorded, as in `addReveal`.
    config: { idempotencyKey: 'ignored' },
    params,
    body: reasonBody,
    response: { 200: exportedSchema },
    errors: ['scope_missing', 'borrower_erased'],
    async handler(request) {
      const acting = actingOperatorOf(request, clock())
      const { tenant_id: tenantId, borrower_id: borrowerId } = request.params
      const given = { all: false, reason: request.body.reason }
      const rows = await inTransaction(db, (tx) =>
        exportBorrower(tx, acting, { tenantId, borrowerId }, given),
      )
      return { page: renderPersonPage(rows, acting.now) }
    },
  })
}
