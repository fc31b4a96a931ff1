import { z } from 'zod'
import { sealedText } from '../../core/personal-text.ts'
import { getFacility } from '../../domain/facilities/facilities.ts'
import { notApproved } from '../../domain/facilities/not-approved.ts'
import { callToJson } from '../../domain/margin/calls/call-json.ts'
import { getMarginCall, listMarginCalls } from '../../domain/margin/calls/calls.ts'
import { readDecisionFacts } from '../../domain/margin/decisions/decision-record.ts'
import { listMarginDecisions } from '../../domain/margin/decisions/decisions.ts'
import { viewFacility } from '../../domain/margin/facility-view.ts'
import { REPORTED_CHANNELS, reportNotice } from '../../domain/margin/notices/notices.ts'
import { getReceipt } from '../../domain/margin/receipts/receipts.ts'
import { noticeToJson, warningToJson } from '../../domain/margin/warnings/warning-json.ts'
import { getMarginWarning, listMarginWarnings } from '../../domain/margin/warnings/warnings.ts'
import { callerOf } from '../authentication/authenticate.ts'
import { readAsOfNow } from '../read-as-of-now.ts'
import { readsWith } from '../route-config.ts'
import type { RouteContext } from '../route-context.ts'
import { toDecisionBody } from '../schemas/decision-body.ts'
import {
  externalName,
  idInput,
  ordinalInput,
  pageOf,
  pageQuery,
  timestampInput,
  toPageBody,
} from '../schemas/fields.ts'
import { decisionListSchema } from '../schemas/margin-decision.ts'
import type { TenantApp } from '../schemas/operation.ts'
import {
  CALL_EXAMPLE,
  callObject,
  collateralSchema,
  NOTICE_EXAMPLE,
  noticeObject,
  receiptSchema,
  toCollateralBody,
  WARNING_EXAMPLE,
  warningObject,
} from './margin-schemas.ts'

const newNoticeSchema = z
  .strictObject({
    event_id: idInput('evt').describe('Of the `margin_warning.raised`'),
    channel: z.enum(REPORTED_CHANNELS),
    sent_at: timestampInput.describe('From the raise to now, by your clock here'),
    reference: externalName(200)
      .optional()
      .describe('Yours, such as the id of the message. Nothing that names the borrower'),
  })
  .meta({
    examples: [
      {
        event_id: 'evt_01k9x4m2q8e0tb7f2v5j6h8n3c',
        channel: 'email',
        sent_at: '2026-11-20T12:01:30Z',
        reference: 'mail-4711',
      },
    ],
  })

const facilityParams = z.strictObject({ facility_id: idInput('fac') })
const numberedParams = z.strictObject({ facility_id: idInput('fac'), number: ordinalInput })

export function marginRoutes(app: TenantApp, context: RouteContext): void {
  collateralRoute(app, context)
  warningRoutes(app, context)
  callRoutes(app, context)
  noticeRoute(app, context)
  receiptRoute(app, context)
}

function collateralRoute(app: TenantApp, context: RouteContext): void {
  app.get('/facilities/:facility_id/collateral', {
    id: 'getCollateral',
    summary: "Read a facility's collateral and health",
    tag: 'Margin',
    config: { limitClass: 'valuation', scope: 'facility:read', idempotencyKey: 'ignored' },
    params: facilityParams,
    response: { 200: collateralSchema },
    errors: ['facility_not_approved'],
    async handler(request) {
      const { facility_id: id } = request.params
      return await readAsOfNow(context, callerOf(request).tenantId, async (reading) => {
        const { db, tenantId, now } = reading
        const facility = await getFacility(db, tenantId, id)
        if (facility.state !== 'APPROVED') throw notApproved(facility.state)
        return toCollateralBody(await viewFacility(db, { ...context, ...reading }, facility, now))
      })
    },
  })
}

function warningRoutes(app: TenantApp, context: RouteContext): void {
  const { cursors } = context

  app.get('/facilities/:facility_id/margin-warnings/:number', {
    id: 'getMarginWarning',
    summary: 'Read a margin warning',
    description:
      'While the warning is open, its cure amounts are as of now; afterwards as of its end.',
    tag: 'Margin',
    config: readsWith('facility:read'),
    params: numberedParams,
    response: { 200: warningObject.meta({ id: 'MarginWarning', examples: [WARNING_EXAMPLE] }) },
    async handler(request) {
      const { facility_id: facilityId, number } = request.params
      const warning = await readAsOfNow(context, callerOf(request).tenantId, (reading) =>
        getMarginWarning({ ...context, ...reading }, facilityId, number),
      )
      return warningToJson(warning)
    },
  })

  app.get('/facilities/:facility_id/margin-warnings', {
    id: 'listMarginWarnings',
    summary: "List a facility's margin warnings, newest first",
    tag: 'Margin',
    config: readsWith('facility:read'),
    params: facilityParams,
    querystring: z.strictObject(pageQuery),
    response: { 200: pageOf(warningObject, 'MarginWarningPage', WARNING_EXAMPLE) },
    errors: ['cursor_invalid'],
    async handler(request) {
      const { facility_id: facilityId } = request.params
      const page = await readAsOfNow(context, callerOf(request).tenantId, (reading) =>
        listMarginWarnings({ ...context, ...reading }, facilityId, request.query, cursors),
      )
      return toPageBody(page, warningToJson)
    },
  })
}

function callRoutes(app: TenantApp, { db, cursors }: RouteContext): void {
  app.get('/facilities/:facility_id/margin-calls/:number', {
    id: 'getMarginCall',
    summary: 'Read a margin call',
    tag: 'Margin',
    config: readsWith('facility:read'),
    params: numberedParams,
    response: { 200: callObject.meta({ id: 'MarginCall', examples: [CALL_EXAMPLE] }) },
    async handler(request) {
      const { tenantId } = callerOf(request)
      const { facility_id: facilityId, number } = request.params
      return callToJson(await getMarginCall(db, tenantId, facilityId, number))
    },
  })

  app.get('/facilities/:facility_id/margin-calls', {
    id: 'listMarginCalls',
    summary: "List a facility's margin calls, newest first",
    tag: 'Margin',
    config: readsWith('facility:read'),
    params: facilityParams,
    querystring: z.strictObject(pageQuery),
    response: { 200: pageOf(callObject, 'MarginCallPage', CALL_EXAMPLE) },
    errors: ['cursor_invalid'],
    async handler(request) {
      const { tenantId } = callerOf(request)
      const { facility_id: facilityId } = request.params
      const page = await listMarginCalls(db, { tenantId, facilityId }, request.query, cursors)
      return toPageBody(page, callToJson)
    },
  })
}

function receiptRoute(app: TenantApp, { db }: RouteContext): void {
  app.get('/facilities/:facility_id/margin-calls/:number/receipt', {
    id: 'getReceipt',
    summary: 'Read the signed receipt of a sale',
    description:
      'Made once, when the margin call completes, of what was known then. Keep the bytes as they are: the file is in the form of RFC 8785, and every read has the same.',
    tag: 'Margin',
    config: readsWith('facility:read'),
    params: numberedParams,
    response: { 200: receiptSchema },
    errors: ['margin_call_not_completed'],
    async handler(request, reply) {
      const { facility_id: facilityId, number } = request.params
      const file = await getReceipt(db, callerOf(request).tenantId, facilityId, number)
      reply.type('application/json; charset=utf-8')
      // Bytes are sent as they are: no schema serialises them.
      return Buffer.from(file) as unknown as z.input<typeof receiptSchema>
    },
  })
}

function noticeRoute(app: TenantApp, context: RouteContext): void {
  app.post('/facilities/:facility_id/margin-warnings/:number/notices', {
    id: 'reportNotice',
    summary: 'Report that the borrower was told of a margin warning',
    description:
      'Kept as evidence with the raise; nothing is sent. Also after the warning has ended. A raise keeps 99 of them; the first 2xx of a webhook for its event is recorded by itself.',
    tag: 'Margin',
    config: { limitClass: 'money', scope: 'repayment:write', idempotencyKey: 'required' },
    params: numberedParams,
    body: newNoticeSchema,
    response: { 201: noticeObject.meta({ id: 'Notice', examples: [NOTICE_EXAMPLE] }) },
    errors: ['limit_reached', 'borrower_erased'],
    handler: (request, reply) =>
      context.mutate(request, reply, async (tenant) => {
        const { facility_id: facilityId, number } = request.params
        const { event_id: eventId, channel, sent_at: sentAt, reference } = request.body
        const notice = { eventId, channel, sentAt, reference }
        const reported = await reportNotice(tenant, { facilityId, number }, notice)
        const { reference: sealed } = reported.notice
        const body = noticeToJson({ ...reported.notice, reference: sealed && sealedText(sealed) })
        return { status: 201, body, personal: reported.personal }
      }),
  })
}

/** The facts that each decision was made from, so that it can be recomputed. */
export function marginDecisionRoutes(app: TenantApp, { db }: RouteContext): void {
  app.get('/facilities/:facility_id/margin-warnings/:number/decisions', {
    id: 'listMarginDecisions',
    summary: 'List the decisions about a margin warning, each with its inputs',
    description: 'Oldest first.',
    tag: 'Margin',
    config: readsWith('facility:read'),
    params: z.strictObject({ facility_id: idInput('fac'), number: ordinalInput }),
    response: { 200: decisionListSchema },
    async handler(request) {
      const { tenantId } = callerOf(request)
      const { facility_id: facilityId, number } = request.params
      const decisions = await listMarginDecisions(db, tenantId, facilityId, number)
      return {
        items: decisions.map((decision) =>
          toDecisionBody({ ...decision, facts: readDecisionFacts(decision.facts) }),
        ),
      }
    },
  })
}
