import { z } from 'zod'
import { consoleLink, deskLink } from '../../../config/page-address.ts'
import { assertAllowed, recordOperatorAction } from '../../../domain/operators/actions.ts'
import { letsIn, type StoredLink } from '../../../domain/operators/acts/acts.ts'
import {
  getApproval,
  pageApprovals,
  pagePendingApprovals,
} from '../../../domain/operators/approvals/approvals.ts'
import { confirmApproval, rejectApproval } from '../../../domain/operators/approvals/decide.ts'
import { bodyOf } from '../../schemas/body-of.ts'
import { idInput, idText, pageOf, timestamp, toPageBody } from '../../schemas/fields.ts'
import { assertPasskey, operatorOf } from '../authenticate-operator.ts'
import { type ChangeArguments, changeOnce } from '../change-once.ts'
import { deskPageQuery, type OperatorApp } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import { deskContextOf, hasLink, linkedOutcome, withReason } from '../perform-act.ts'

const APPROVAL_EXAMPLE = {
  id: 'apr_01k9x4m2q8e0tb7f2v5j6h8n3c',
  status: 'PENDING' as const,
  action: 'borrowers.unblock',
  subject: { kind: 'borrower', id: 'bor_01k9x4m2q8e0tb7f2v5j6h8n3c' },
  tenant_id: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c',
  before: { blocked: true },
  after: { blocked: false },
  preview: null,
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
    preview: anyMembers.describe('What it was seen to do when it was proposed'),
    reason: z.string(),
    proposed_by: z.string(),
    proposed_at: timestamp,
    expires_at: timestamp,
    decided_by: z.string().nullable(),
    decided_at: timestamp.nullable(),
    decision_reason: z.string().nullable(),
  })
  .meta({ id: 'Approval', examples: [APPROVAL_EXAMPLE] })

const decidedSchema = z
  .strictObject({
    id: idText('apr'),
    status: z.enum(['CONFIRMED', 'REJECTED']),
    action: z.string(),
    subject: subjectSchema.nullable(),
  })
  .meta({ id: 'DecidedApproval' })

const confirmedSchema = decidedSchema
  .extend({ invitation_url: linkedOutcome.invitation_url })
  .meta({ id: 'ConfirmedApproval' })

const rejectionSchema = withReason({}, { reason: 'not before the hearing' })

const params = z.strictObject({ id: idInput('apr') })

export function approvalRoutes(app: OperatorApp, context: OperatorContext): void {
  addReads(app, context)
  addDecisions(app, context)
}

function addReads(app: OperatorApp, { db, clock, cursors }: OperatorContext): void {
  app.get('/approvals', {
    id: 'listApprovals',
    summary: 'List what waits for a second operator, or what was proposed lately',
    tag: 'Approvals',
    querystring: z.strictObject({
      ...deskPageQuery,
      status: z
        .enum(['pending', 'all'])
        .default('pending')
        .describe('pending: soonest to expire first; all: newest first'),
    }),
    response: { 200: pageOf(approvalSchema, 'ApprovalPage', APPROVAL_EXAMPLE) },
    errors: ['cursor_invalid'],
    async handler(request) {
      const list = { request: request.query, cursors, now: clock() }
      const isPending = request.query.status === 'pending'
      const page = isPending ? await pagePendingApprovals(db, list) : await pageApprovals(db, list)
      return toPageBody(page, toBody)
    },
  })

  app.get('/approvals/:id', {
    id: 'getApproval',
    summary: 'Read a proposal',
    tag: 'Approvals',
    params,
    response: { 200: approvalSchema },
    handler: async (request) => toBody(await getApproval(db, request.params.id, clock())),
  })
}

function addDecisions(app: OperatorApp, context: OperatorContext): void {
  app.post('/approvals/:id/confirm', {
    id: 'confirmApproval',
    summary: 'Do what another operator has proposed',
    tag: 'Approvals',
    params,
    response: { 200: confirmedSchema },
    errors: ['scope_missing', 'approval_not_open', 'outstanding_balance', 'passkey_required'],
    isChange: true,
    async handler(request) {
      const { id } = request.params
      assertAllowed({ kind: 'operator', ...operatorOf(request) }, 'approvals.confirm')
      const { action } = await getApproval(context.db, id, context.clock())
      if (letsIn(action)) await assertPasskey(context, request)
      const confirm = async (...[tx, acting]: ChangeArguments) => {
        const { act, link } = await confirmApproval(deskContextOf(context, tx, acting), id)
        await recordOperatorAction(tx, acting, act)
        return {
          ...{ id, status: 'CONFIRMED' as const, action: act.action, subject: act.subject },
          invitation_url: link ? showLink(context, link) : null,
        }
      }
      return await changeOnce(context, request, confirm, hasLink)
    },
  })

  app.post('/approvals/:id/reject', {
    id: 'rejectApproval',
    summary: "Reject what another operator has proposed, or withdraw one's own proposal",
    tag: 'Approvals',
    params,
    body: rejectionSchema,
    response: { 200: decidedSchema },
    errors: ['scope_missing', 'approval_not_open'],
    async handler(request) {
      const { id } = request.params
      return await changeOnce(context, request, async (tx, acting) => {
        const desk = deskContextOf(context, tx, acting)
        const act = await rejectApproval(desk, id, request.body.reason)
        await recordOperatorAction(tx, acting, act)
        return {
          ...{ id, status: 'REJECTED' as const, action: act.action },
          subject: act.subject ?? null,
        }
      })
    },
  })
}

function showLink({ config }: OperatorContext, { to, token }: StoredLink): string {
  return to === 'desk'
    ? deskLink(config.desk.origin, token)
    : consoleLink(config.console.origin, token)
}

const toBody = bodyOf(approvalSchema)
