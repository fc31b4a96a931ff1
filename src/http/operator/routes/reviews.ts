import { z } from 'zod'
import { inTransaction } from '../../../db/database.ts'
import { type CheckInReview, listAllReviews } from '../../../domain/onboarding/reviews.ts'
import {
  APPROVE_BORROWER,
  BLOCK_BORROWER,
  REJECT_BORROWER,
  UNBLOCK_BORROWER,
} from '../../../domain/operators/acts/borrower-acts.ts'
import { revealReviews } from '../../../domain/operators/reveal-reviews.ts'
import type { TypedApp } from '../../app-type.ts'
import { idInput, idText, timestamp } from '../../schemas/fields.ts'
import { actingOperatorOf } from '../authenticate-operator.ts'
import { operatorOperation } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import { outcomeSchema, performAct, reasonText } from '../perform-act.ts'

const REVIEW_EXAMPLE = {
  tenant_id: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c',
  borrower_id: 'bor_01k9x4m2q8e0tb7f2v5j6h8n3c',
  check_id: 'chk_01k9x4m2q8e0tb7f2v5j6h8n3c',
  kind: 'aml' as const,
  waiting_since: '2026-11-22T12:00:00.000Z',
}

const reviewSchema = z
  .strictObject({
    tenant_id: idText('ten'),
    borrower_id: idText('bor'),
    check_id: idText('chk'),
    kind: z.enum(['kyc', 'kyb', 'aml']),
    waiting_since: timestamp,
  })
  .meta({ id: 'Review', examples: [REVIEW_EXAMPLE] })

const reviewsSchema = z
  .strictObject({ items: z.array(reviewSchema) })
  .meta({ id: 'Reviews', examples: [{ items: [REVIEW_EXAMPLE] }] })

const REVEALED_EXAMPLE = {
  ...REVIEW_EXAMPLE,
  full_name: 'Grace Example',
  note: 'score 0.82 on one list',
}

const revealedSchema = z
  .strictObject({
    items: z.array(
      reviewSchema.extend({ full_name: z.string(), note: z.string().nullable() }).meta({
        id: 'RevealedReview',
        examples: [REVEALED_EXAMPLE],
      }),
    ),
  })
  .meta({ id: 'RevealedReviews', examples: [{ items: [REVEALED_EXAMPLE] }] })

const params = z.strictObject({ tenant_id: idInput('ten'), borrower_id: idInput('bor') })
const reasonBody = z
  .strictObject({ reason: reasonText })
  .meta({ examples: [{ reason: 'passport seen on 3 November' }] })

const ACTS = [
  { name: 'approve', act: APPROVE_BORROWER, summary: 'Pass the checks that wait or have failed' },
  { name: 'reject', act: REJECT_BORROWER, summary: 'Fail the checks that wait' },
  { name: 'block', act: BLOCK_BORROWER, summary: 'Block a borrower from facilities and draws' },
  { name: 'unblock', act: UNBLOCK_BORROWER, summary: 'Lift the block from a borrower' },
] as const

const MOST_LISTED = 1_000

export function reviewRoutes(app: TypedApp, context: OperatorContext): void {
  addList(app, context)
  addReveal(app, context)
  for (const { name, act, summary } of ACTS) {
    app.post(
      `/tenants/:tenant_id/borrowers/:borrower_id/${name}`,
      {
        schema: operatorOperation({
          id: `${name}Borrower`,
          summary,
          tag: 'Reviews',
          params,
          body: reasonBody,
          response: { 200: outcomeSchema },
          errors: ['scope_missing'],
        }),
      },
      async (request) => {
        const { tenant_id: tenantId, borrower_id: borrowerId } = request.params
        const { reason } = request.body
        const asked = { tenantId, borrowerId }
        return await performAct(context, request, act, { asked, reason })
      },
    )
  }
}

function addList(app: TypedApp, { db }: OperatorContext): void {
  app.get(
    '/reviews',
    {
      schema: operatorOperation({
        id: 'listReviews',
        summary:
          "List the checks of all tenants that wait, 1,000 at most, oldest first, without signers' data",
        tag: 'Reviews',
        response: { 200: reviewsSchema },
      }),
    },
    async () => ({ items: (await listAllReviews(db, MOST_LISTED)).map(toBody) }),
  )
}

function addReveal(app: TypedApp, { db, clock }: OperatorContext): void {
  app.post(
    '/tenants/:tenant_id/borrowers/:borrower_id/reveal',
    {
      schema: operatorOperation({
        id: 'revealReviews',
        summary: "Show who signed, and the checks' notes; recorded as an action",
        tag: 'Reviews',
        params,
        body: reasonBody,
        response: { 200: revealedSchema },
        errors: ['scope_missing'],
      }),
    },
    async (request) => {
      const acting = actingOperatorOf(request, clock())
      const { tenant_id: tenantId, borrower_id: borrowerId } = request.params
      const subject = { tenantId, borrowerId }
      const reviews = await inTransaction(db, (tx) =>
        revealReviews(tx, acting, subject, request.body.reason),
      )
      return {
        items: reviews.map((review) => ({
          ...toBody(review),
          full_name: review.fullName,
          note: review.note ?? null,
        })),
      }
    },
  )
}

function toBody(review: CheckInReview): z.input<typeof reviewSchema> {
  return {
    tenant_id: review.tenantId,
    borrower_id: review.borrowerId,
    check_id: review.checkId,
    kind: review.kind,
    waiting_since: review.createdAt.toISOString(),
  }
}
