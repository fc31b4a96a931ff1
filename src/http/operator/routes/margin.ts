import { z } from 'zod'
import { inSnapshot } from '../../../db/transactions/snapshot.ts'
import { listDecisions } from '../../../domain/margin/decisions/decisions.ts'
import {
  type ExplainedDecision,
  explainDecision,
} from '../../../domain/margin/decisions/explain-decision.ts'
import { getDeskCall, listDeskCalls } from '../../../domain/margin/desk/desk-calls.ts'
import { getDeskFacility } from '../../../domain/margin/desk/desk-facility.ts'
import {
  deskCallToJson,
  deskFacilityToJson,
  deskWarningToJson,
  explanationToJson,
  timelineEntryToJson,
} from '../../../domain/margin/desk/desk-json.ts'
import {
  type DeskReading,
  getDeskWarning,
  listOpenWarnings,
} from '../../../domain/margin/desk/open-warnings.ts'
import { readTimeline } from '../../../domain/margin/desk/timeline.ts'
import type { Tier } from '../../../domain/margin/policy.ts'
import { getReceipt } from '../../../domain/margin/receipts/receipts.ts'
import { receiptSchema } from '../../routes/margin-schemas.ts'
import { toDecisionBody } from '../../schemas/decision-body.ts'
import { idFilter, pageOf, timestampInputLike, toPageBody } from '../../schemas/fields.ts'
import { deskPageQuery, type OperatorApp } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import {
  DESK_CALL_EXAMPLE,
  DESK_WARNING_EXAMPLE,
  deskCallObject,
  deskFacilitySchema,
  deskWarningObject,
  explainedWarningSchema,
  facilityParams,
  numberedParams,
  TIMELINE_EXAMPLE,
  timelineEntryObject,
} from './margin-schemas.ts'

/** Warnings, calls and the history of their facilities, over all tenants. */
export function marginRoutes(app: OperatorApp, context: OperatorContext): void {
  addWarningList(app, context)
  addCallList(app, context)
  addFacility(app, context)
  addWarning(app, context)
  addCall(app, context)
  addReceipt(app, context)
  addTimeline(app, context)
}

async function readDesk<T>(
  { db, clockFor, termsAt, prices }: OperatorContext,
  read: (reading: DeskReading) => Promise<T>,
): Promise<T> {
  return await inSnapshot(db, {}, (tx) => read({ db: tx, clockFor, termsAt, prices }))
}

const tierFilter = z
  .enum(['1', '2', '3'])
  .transform((text) => Number(text) as Tier)
  .optional()

function addWarningList(app: OperatorApp, context: OperatorContext): void {
  app.get('/margin/warnings', {
    id: 'listOpenWarnings',
    summary: 'List the open margin warnings of all tenants, the earliest deadline first',
    tag: 'Margin',
    querystring: z.strictObject({
      ...deskPageQuery,
      tenant_id: idFilter('ten'),
      tier: tierFilter,
      due_before: timestampInputLike('2026-11-22T12:00:00Z')
        .optional()
        .describe('With a deadline before it'),
      unnoticed: z
        .enum(['true'])
        .optional()
        .describe('Without proof of notice for 15 minutes after a raise'),
    }),
    response: { 200: pageOf(deskWarningObject, 'OpenWarningPage', DESK_WARNING_EXAMPLE) },
    errors: ['cursor_invalid'],
    async handler(request) {
      const { tenant_id: tenantId, tier, due_before: dueBefore, unnoticed } = request.query
      const unnoticedAt = unnoticed && context.clock()
      const filter = { tenantId, tier, dueBefore, unnoticedAt }
      const page = await readDesk(context, (reading) =>
        listOpenWarnings(reading, filter, request.query, context.cursors),
      )
      return toPageBody(page, deskWarningToJson)
    },
  })
}

function addCallList(app: OperatorApp, context: OperatorContext): void {
  app.get('/margin/calls', {
    id: 'listMarginCalls',
    summary: 'List the margin calls of all tenants that run, or that have ended, newest first',
    tag: 'Margin',
    querystring: z.strictObject({
      ...deskPageQuery,
      tenant_id: idFilter('ten'),
      status: z.enum(['running', 'ended']).default('running'),
    }),
    response: { 200: pageOf(deskCallObject, 'DeskCallPage', DESK_CALL_EXAMPLE) },
    errors: ['cursor_invalid'],
    async handler(request) {
      const { tenant_id: tenantId, status } = request.query
      const filter = { tenantId, isRunning: status === 'running' }
      const page = await readDesk(context, (reading) =>
        listDeskCalls(reading, filter, request.query, context.cursors),
      )
      return toPageBody(page, deskCallToJson)
    },
  })
}

function addFacility(app: OperatorApp, context: OperatorContext): void {
  app.get('/tenants/:tenant_id/facilities/:facility_id', {
    id: 'getFacility',
    summary: 'Show a facility: debt, collateral, what the custodian holds, warning and call',
    tag: 'Margin',
    params: facilityParams,
    response: { 200: deskFacilitySchema },
    async handler(request) {
      const { tenant_id: tenantId, facility_id: facilityId } = request.params
      const facility = await readDesk(context, (reading) =>
        getDeskFacility(reading, { tenantId, facilityId }),
      )
      return deskFacilityToJson(facility)
    },
  })
}

function addWarning(app: OperatorApp, context: OperatorContext): void {
  app.get('/tenants/:tenant_id/facilities/:facility_id/margin-warnings/:number', {
    id: 'getMarginWarning',
    summary: 'Show a margin warning with each decision in words, and decided again',
    tag: 'Margin',
    params: numberedParams,
    response: { 200: explainedWarningSchema },
    async handler(request) {
      const { tenant_id: tenantId, facility_id: facilityId, number } = request.params
      return await readDesk(context, async (reading) => {
        const warning = await getDeskWarning(reading, tenantId, facilityId, number)
        const decisions = await listDecisions(reading.db, tenantId, facilityId, [number])
        return {
          ...deskWarningToJson(warning),
          decisions: decisions.map(explainDecision).map(toExplainedBody),
        }
      })
    },
  })
}

function addCall(app: OperatorApp, context: OperatorContext): void {
  app.get('/tenants/:tenant_id/facilities/:facility_id/margin-calls/:number', {
    id: 'getMarginCall',
    summary: 'Show a margin call with its orders and fills',
    tag: 'Margin',
    params: numberedParams,
    response: { 200: deskCallObject.meta({ id: 'DeskCall', examples: [DESK_CALL_EXAMPLE] }) },
    async handler(request) {
      const { tenant_id: tenantId, facility_id: facilityId, number } = request.params
      const call = await readDesk(context, (reading) =>
        getDeskCall(reading, tenantId, facilityId, number),
      )
      return deskCallToJson(call)
    },
  })
}

function addReceipt(app: OperatorApp, { db }: OperatorContext): void {
  app.get('/tenants/:tenant_id/facilities/:facility_id/margin-calls/:number/receipt', {
    id: 'getReceipt',
    summary: 'Read the signed receipt of a sale, as its tenant does',
    tag: 'Margin',
    params: numberedParams,
    response: { 200: receiptSchema },
    errors: ['margin_call_not_completed'],
    async handler(request, reply) {
      const { tenant_id: tenantId, facility_id: facilityId, number } = request.params
      reply.type('application/json; charset=utf-8')
      const file = await getReceipt(db, tenantId, facilityId, number)
      return Buffer.from(file) as unknown as z.input<typeof receiptSchema>
    },
  })
}

function addTimeline(app: OperatorApp, context: OperatorContext): void {
  app.get('/tenants/:tenant_id/facilities/:facility_id/timeline', {
    id: 'readTimeline',
    summary: 'Show what happened to the margin of a facility, newest first',
    tag: 'Margin',
    params: facilityParams,
    querystring: z.strictObject(deskPageQuery),
    response: { 200: pageOf(timelineEntryObject, 'TimelinePage', TIMELINE_EXAMPLE) },
    errors: ['cursor_invalid'],
    async handler(request) {
      const { tenant_id: tenantId, facility_id: facilityId } = request.params
      const page = await readDesk(context, ({ db }) =>
        readTimeline(db, { tenantId, facilityId }, request.query, context.cursors),
      )
      return toPageBody(page, (entry) => ({
        ...timelineEntryToJson(entry),
        decision: 'decision' in entry ? toExplainedBody(entry.decision) : null,
      }))
    },
  })
}

function toExplainedBody(decision: ExplainedDecision) {
  return { ...toDecisionBody(decision), ...explanationToJson(decision) }
}
