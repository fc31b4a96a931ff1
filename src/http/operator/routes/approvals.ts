import { z } from 'zod'
import { inTransaction } from '../../../db/database.ts'
import { recordOperatorAction } from '../../../domain/operators/actions.ts'
import {
  type Approval,
  listApprovals,
  listPendingApprovals,
} from '../../../domain/operators/approvals/approvals.ts'
import { confirmApproval, rejectApproval } from '../../../domain/operators/approvals/decide.ts'
import type { TypedApp } from '../../app-type.ts'
import { idInput, idText, timestamp } from '../../schemas/fields.ts'
import { actingOperatorOf } from '../authenticate-operator.ts'
import { operatorOperation } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import { reasonText } from '../perform-act.ts'

const APPROVAL_EXAMPLE = {
  id: 'apr_01k9x4m2q8e0tb7f2v5j6h8n3c',
  status: 'PENDING' as const,
  action: 'borrowers.unblock',
  subject: { kind: 'borrower', id: 'bor_01k9x4m2q8e0tb7f2v5j6h8n3c' },
  tenant_id: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c',
  before: { blocked: true },
  after: { blocked: false },
  reason: 'released by the court',
  proposed_by: 'ada@lender.example',
  proposed_at: '2026-11-22T12:00:00.000Z',
  expires_at: '2026-11-25T12:00:00.000Z',
  decided_by: null,
  decided_at: null,
  decision_reason: null,
}

const anyMembers = z.record(z.string(), z.unknown()).nullable()
const subjectSchema = z.strictObject({ kind: z.string(), id: z.string() })

const approvalSchema = z
  .strictObject({
    id: idText('apr'),
    status: z.enum(['PENDING', 'CONFIRMED', 'REJECTED', 'EXPIRED']),
    action: z.string().describe('What is done once it is confirmed'),
    subject: subjectSchema,
    tenant_id: z.string().nullable(),
    before: anyMembers,
    after: anyMembers,
    reason: z.string(),
    proposed_by: z.string(),
    proposed_at: timestamp,
    expires_at: timestamp,
    decided_by: z.string().nullable(),
    decided_at: timestamp.nullable(),
    decision_reason: z.string().nullable(),
  })
  .meta({ id: 'Approval', examples: [APPROVAL_EXAMPLE] })

const approvalsSchema = z
  .strictObject({ items: z.array(approvalSchema) })
  .meta({ id: 'Approvals', examples: [{ items: [APPROVAL_EXAMPLE] }] })

const decidedSchema = z
  .strictObject({
    id: idText('apr'),
    status: z.enum(['CONFIRMED', 'REJECTED']),
    action: z.string(),
    subject: subjectSchema.nullable(),
  })
  .meta({ id: 'DecidedApproval' })

const rejectionSchema = z
  .strictObject({ reason: reasonText })
  .meta({ examples: [{ reason: 'not before the hearing' }] })

const params = z.strictObject({ id: idInput('apr') })

const MOST_LISTED = 1_000

export function approvalRoutes(app: TypedApp, context: OperatorContext): void {
  addList(app, context)
  addDecisions(app, context)
}

function addList(app: TypedApp, { db, clock }: OperatorContext): void {
  app.get(
    '/approvals',
    {
      schema: operatorOperation({
        id: 'listApprovals',
        summary: 'List what waits for a second operator, or what was proposed lately',
        tag: 'Approvals',
        querystring: z.strictObject({
          status: z
            .enum(['pending', 'all'])
            .default('pending')
            .describe('pending: soonest to expire first; all: newest first. At most 1,000'),
        }),
        response: { 200: approvalsSchema },
      }),
    },
    async (request) => {
      const approvals =
        request.query.status === 'pending'
          ? await listPendingApprovals(db, clock())
          : await listApprovals(db, clock(), MOST_LISTED)
      return { items: approvals.map(toBody) }
    },
  )
}

function addDecisions(app: TypedApp, { db, clock, config }: OperatorContext): void {
  const { stack, isFourEyes } = config

  app.post(
    '/approvals/:id/confirm',
    {
      schema: operatorOperation({
        id: 'confirmApproval',
        summary: 'Do what another operator has proposed',
        tag: 'Approvals',
        params,
        response: { 200: decidedSchema },
        errors: ['scope_missing', 'approval_not_open'],
      }),
    },
    async (request) => {
      const now = clock()
      const acting = actingOperatorOf(request, now)
      const { id } = request.params
      return await inTransaction(db, async (tx) => {
        const act = await confirmApproval({ tx, stack, now, acting, isFourEyes }, id)
        await recordOperatorAction(tx, acting, act)
        return { id, status: 'CONFIRMED' as const, action: act.action, subject: act.subject }
      })
    },
  )

  app.post(
    '/approvals/:id/reject',
    {
      schema: operatorOperation({
        id: 'rejectApproval',
        summary: "Reject what another operator has proposed, or withdraw one's own proposal",
        tag: 'Approvals',
        params,
        body: rejectionSchema,
        response: { 200: decidedSchema },
        errors: ['scope_missing', 'approval_not_open'],
      }),
    },
    async (request) => {
      const now = clock()
      const acting = actingOperatorOf(request, now)
      const { id } = request.params
      return await inTransaction(db, async (tx) => {
        const desk = { tx, stack, now, acting, isFourEyes }
        const act = await rejectApproval(desk, id, request.body.reason)
        await recordOperatorAction(tx, acting, act)
        return {
          ...{ id, status: 'REJECTED' as const, action: act.action },
          subject: act.subject ?? null,
        }
      })
    },
  )
}

function toBody(approval: Approval): z.input<typeof approvalSchema> {
  return {
    id: approval.id,
    status: approval.status,
    action: approval.action,
    subject: approval.subject,
    tenant_id: approval.tenantId ?? null,
    before: toMembers(approval.before),
    after: toMembers(approval.after),
    reason: approval.reason,
    proposed_by: approval.proposedBy,
    proposed_at: approval.proposedAt.toISOString(),
    expires_at: approval.expiresAt.toISOString(),
    decided_by: approval.decidedBy ?? null,
    decided_at: approval.decidedAt?.toISOString() ?? null,
    decision_reason: approval.decisionReason ?? null,
  }
}

const toMembers = (state: object | undefined) =>
  state === undefined ? null : { ...(state as Record<string, unknown>) }
