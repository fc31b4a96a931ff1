import { z } from 'zod'
import {
  getOperatorAction,
  listOperatorActions,
  type RecordedOperatorAction,
} from '../../../domain/operators/actions.ts'
import { bodyOf } from '../../schemas/body-of.ts'
import {
  idFilter,
  ordinalInput,
  pageOf,
  text,
  timestamp,
  toPageBody,
} from '../../schemas/fields.ts'
import { deskPageQuery, type OperatorApp } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'

const ACTION_EXAMPLE = {
  number: 42,
  at: '2026-11-22T12:00:00.000Z',
  actor: 'ada@lender.example',
  operator_id: 'opr_01k9x4m2q8e0tb7f2v5j6h8n3c',
  action: 'borrowers.block',
  subject: { kind: 'borrower', id: 'bor_01k9x4m2q8e0tb7f2v5j6h8n3c' },
  tenant_id: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c',
  reason: 'court order 12/2026',
  before: { blocked: false },
  after: { blocked: true },
  request_id: null,
  previous_hash: 'a'.repeat(64),
  hash: 'b'.repeat(64),
}

const anyMembers = z.record(z.string(), z.unknown()).nullable()

const actionSchema = z
  .strictObject({
    number: z.int().describe('1, 2, 3, … without a gap'),
    at: timestamp,
    actor: z.string().describe("An operator's address at the time, or os: and the system's user"),
    operator_id: z.string().nullable(),
    action: z.string(),
    subject: z.strictObject({ kind: z.string(), id: z.string() }).nullable(),
    tenant_id: z.string().nullable(),
    reason: z.string().nullable(),
    before: anyMembers,
    after: anyMembers,
    request_id: z.string().nullable(),
    previous_hash: z.string().describe('Of the action before, in hexadecimal'),
    hash: z.string().describe('Of the one before and all that this one says, except its own hash'),
  })
  .meta({ id: 'OperatorAction', examples: [ACTION_EXAMPLE] })

export function actionRoutes(app: OperatorApp, { db, cursors }: OperatorContext): void {
  app.get('/actions', {
    id: 'listActions',
    summary: 'List who did what, newest first',
    tag: 'Actions',
    querystring: z.strictObject({
      ...deskPageQuery,
      subject_id: text(200).optional().describe('About one thing'),
      tenant_id: idFilter('ten').optional(),
      actor: text(320).optional().describe('Of one actor, as written in `actor`'),
    }),
    response: { 200: pageOf(actionSchema, 'OperatorActionPage', ACTION_EXAMPLE) },
    errors: ['cursor_invalid'],
    async handler(request) {
      const { subject_id: subjectId, tenant_id: tenantId, actor } = request.query
      const filter = { subjectId, tenantId, actor }
      const page = await listOperatorActions(db, filter, { request: request.query, cursors })
      return toPageBody(page, toActionBody)
    },
  })

  app.get('/actions/:number', {
    id: 'getAction',
    summary: 'Read one action',
    tag: 'Actions',
    params: z.strictObject({ number: ordinalInput }),
    response: { 200: actionSchema },
    handler: async (request) =>
      toActionBody(await getOperatorAction(db, BigInt(request.params.number))),
  })
}

const toBody = bodyOf(actionSchema)

const toActionBody = (action: RecordedOperatorAction) =>
  toBody({ ...action, number: Number(action.number), at: action.actedAt })
