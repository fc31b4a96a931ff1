import { z } from 'zod'
import { changeFacility } from '../../domain/margin/change-facility.ts'
import {
  createRepayment,
  getRepayment,
  listRepayments,
} from '../../domain/repayments/repayments.ts'
import { reportExecution } from '../../domain/repayments/report-execution.ts'
import { callerOf } from '../authentication/authenticate.ts'
import { readsWith } from '../route-config.ts'
import type { RouteContext } from '../route-context.ts'
import { amountInput, moneyMembers, readMoney } from '../schemas/amounts.ts'
import { externalName, idInput, pageOf, pageQuery, toPageBody } from '../schemas/fields.ts'
import type { TenantApp } from '../schemas/operation.ts'
import { REPAYMENT_EXAMPLE, repaymentObject, toRepaymentBody } from './facility-schemas.ts'

const repaymentSchema = repaymentObject.meta({ id: 'Repayment', examples: [REPAYMENT_EXAMPLE] })

const newRepaymentSchema = z
  .strictObject({
    margin_warning_number: z
      .int()
      .min(1)
      .optional()
      .meta({ examples: [1] })
      .describe('When it cures this open warning'),
    ...moneyMembers,
  })
  .meta({ examples: [{ amount: '5000.00', asset: 'USD' }] })

const reportSchema = z
  .discriminatedUnion('status', [
    z.strictObject({
      status: z.literal('completed'),
      delivered: amountInput.describe('The amount that was moved'),
      reference: externalName(200).describe(
        'The external transfer. One repayment only can be reported under it, whatever its case. No leading or trailing blanks, no invisible characters',
      ),
    }),
    z.strictObject({
      status: z.literal('failed'),
      delivered: amountInput.optional(),
      reference: externalName(200).optional(),
    }),
  ])
  .meta({
    examples: [
      {
        status: 'completed',
        delivered: { amount: '5000.00', asset: 'USD' },
        reference: 'wire-20261125-0001',
      },
    ],
  })

const params = z.strictObject({ facility_id: idInput('fac'), repayment_id: idInput('rep') })

export function repaymentRoutes(app: TenantApp, context: RouteContext): void {
  changingRoutes(app, context)
  readingRoutes(app, context)
}

function changingRoutes(app: TenantApp, context: RouteContext): void {
  const { mutate } = context
  const config = {
    limitClass: 'money',
    scope: 'repayment:write',
    idempotencyKey: 'required',
  } as const

  app.post('/facilities/:facility_id/repayments', {
    id: 'createRepayment',
    summary: 'Create a repayment',
    description: 'Execute the instructions in order, then report the execution.',
    tag: 'Repayments',
    config,
    params: z.strictObject({ facility_id: idInput('fac') }),
    body: newRepaymentSchema,
    response: { 201: repaymentSchema },
    errors: ['facility_not_approved', 'unsupported_asset', 'margin_warning_not_open'],
    handler: (request, reply) =>
      mutate(request, reply, async (tenant) => {
        const { facility_id: facilityId } = request.params
        const change = await changeFacility({ ...context, ...tenant }, facilityId)
        const announced = {
          amount: readMoney(request.body),
          marginWarningNumber: request.body.margin_warning_number,
        }
        const repayment = await createRepayment(change, announced)
        return { status: 201, body: toRepaymentBody(repayment) }
      }),
  })

  app.post('/facilities/:facility_id/repayments/:repayment_id/execution', {
    id: 'reportExecution',
    summary: 'Report the execution of a repayment',
    description:
      'The amount that the treasury confirms under the reference is applied. It counts from its arrival at the treasury, never before the repayment was created; where the treasury does not say when, from the arrival of this report, at most 72 hours before the confirmation. `repayment.applied` or `repayment.failed` reports the result.',
    tag: 'Repayments',
    config,
    params,
    body: reportSchema,
    response: { 200: repaymentSchema },
    errors: ['execution_already_reported', 'duplicate_reference'],
    handler: (request, reply) =>
      mutate(request, reply, async (tenant) => {
        const { facility_id: facilityId, repayment_id: repaymentId } = request.params
        const { body } = request
        const report =
          body.status === 'completed'
            ? body
            : { status: body.status, delivered: body.delivered, reference: body.reference }
        const change = await changeFacility({ ...context, ...tenant }, facilityId)
        const repayment = await reportExecution(change, repaymentId, report)
        return { status: 200, body: toRepaymentBody(repayment) }
      }),
  })
}

function readingRoutes(app: TenantApp, { db, cursors }: RouteContext): void {
  app.get('/facilities/:facility_id/repayments/:repayment_id', {
    id: 'getRepayment',
    summary: 'Read a repayment',
    tag: 'Repayments',
    config: readsWith('facility:read'),
    params,
    response: { 200: repaymentSchema },
    async handler(request) {
      const { facility_id: facilityId, repayment_id: repaymentId } = request.params
      const { tenantId } = callerOf(request)
      return toRepaymentBody(await getRepayment(db, tenantId, facilityId, repaymentId))
    },
  })

  app.get('/facilities/:facility_id/repayments', {
    id: 'listRepayments',
    summary: "List a facility's repayments, newest first",
    tag: 'Repayments',
    config: readsWith('facility:read'),
    params: z.strictObject({ facility_id: idInput('fac') }),
    querystring: z.strictObject(pageQuery),
    response: { 200: pageOf(repaymentObject, 'RepaymentPage', REPAYMENT_EXAMPLE) },
    errors: ['cursor_invalid'],
    async handler(request) {
      const { tenantId } = callerOf(request)
      const { facility_id: facilityId } = request.params
      const page = await listRepayments(db, { tenantId, facilityId }, request.query, cursors)
      return toPageBody(page, toRepaymentBody)
    },
  })
}
