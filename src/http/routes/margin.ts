import { z } from 'zod'
import { Refusal } from '../../core/errors.ts'
import { formatDecimal, formatQuantity, formatUsd, usd } from '../../core/money.ts'
import { formatLtv } from '../../core/ratio.ts'
import { formatPrice } from '../../domain/collateral/prices.ts'
import type { ValuedPosition } from '../../domain/collateral/valuation.ts'
import { getFacility } from '../../domain/facilities/facilities.ts'
import { getMarginCall, listMarginCalls, type MarginCall } from '../../domain/margin/calls.ts'
import { HEALTH_STATES, viewFacility } from '../../domain/margin/facility-view.ts'
import {
  getMarginWarning,
  listMarginWarnings,
  type MarginWarning,
} from '../../domain/margin/warnings.ts'
import { amountSchema } from '../amounts.ts'
import type { TypedApp } from '../app-type.ts'
import { pageOf, pageQuery, pathId, readOrdinal, timestamp, toPageBody } from '../fields.ts'
import { operation } from '../operation.ts'
import { callerOf } from '../plugins/authenticate.ts'
import type { RouteContext } from '../route-context.ts'

const FACILITY_ID = 'fac_01k9x4m2q8e0tb7f2v5j6h8n3c'

const collateralSchema = z
  .strictObject({
    positions: z.array(
      z.strictObject({
        asset: z.string(),
        quantity: z.string(),
        price_usd: z.string().optional().describe('Absent where there is no price'),
        haircut: z.string().optional().describe('Absent for what is no collateral'),
        value_usd: z.string(),
      }),
    ),
    collateral_value_usd: z.string(),
    required_floor_usd: z.string(),
    ltv: z.string(),
    health: z.enum(HEALTH_STATES),
    valued_at: timestamp,
    valuation_status: z.enum(['FRESH', 'STALE']),
  })
  .meta({
    id: 'Collateral',
    examples: [
      {
        positions: [
          {
            asset: 'BTC',
            quantity: '1',
            price_usd: '70000',
            haircut: '0.03',
            value_usd: '67900.00',
          },
        ],
        collateral_value_usd: '67900.00',
        required_floor_usd: '71428.58',
        ltv: '0.736378',
        health: 'HEALTHY' as const,
        valued_at: '2026-11-20T12:00:00.000Z',
        valuation_status: 'FRESH' as const,
      },
    ],
  })

const warningObject = z.strictObject({
  facility_id: z.string(),
  number: z.int().min(1),
  tier: z.int().min(1).max(3),
  status: z.enum(['OPEN', 'CURED', 'ESCALATED']),
  cure_amount_usd: z.string(),
  cure_collateral_usd: z.string(),
  cure_deadline: timestamp,
  ltv_at_raise: z.string(),
  raised_at: timestamp,
  cured_at: timestamp.optional(),
  cured_by: z.enum(['repayment', 'collateral', 'price']).optional(),
  escalated_at: timestamp.optional(),
  extended_seconds: z.int().describe('By how much an outage has moved the deadline'),
  if_escalated: z.strictObject({ sale_usd: z.string(), target_ltv: z.string() }).optional(),
})

const WARNING_EXAMPLE = {
  facility_id: FACILITY_ID,
  number: 1,
  tier: 1,
  status: 'OPEN' as const,
  cure_amount_usd: '9301.10',
  cure_collateral_usd: '15501.84',
  cure_deadline: '2026-11-22T12:00:00.000Z',
  ltv_at_raise: '0.736378',
  raised_at: '2026-11-20T12:00:00.000Z',
  extended_seconds: 0,
  if_escalated: { sale_usd: '28342.67', target_ltv: '0.55' },
}

const callObject = z.strictObject({
  facility_id: z.string(),
  number: z.int().min(1),
  margin_warning_number: z.int().min(1),
  status: z.enum(['PENDING', 'SELLING', 'COMPLETED']),
  outcome: z.enum(['partial', 'full', 'not_needed', 'deficit']).optional(),
  planned: z.array(z.strictObject({ asset: z.string(), quantity: z.string() })),
  sold: z.array(
    z.strictObject({ asset: z.string(), quantity: z.string(), proceeds_usd: z.string() }),
  ),
  costs_usd: z.string(),
  allocation: z.strictObject({
    interest: amountSchema,
    principal: amountSchema,
    refund_due: amountSchema,
  }),
  surplus_usd: z.string(),
  deficit_usd: z.string(),
  started_at: timestamp.optional(),
  completed_at: timestamp.optional(),
})

const CALL_EXAMPLE = {
  facility_id: FACILITY_ID,
  number: 1,
  margin_warning_number: 1,
  status: 'COMPLETED' as const,
  outcome: 'partial' as const,
  planned: [{ asset: 'BTC', quantity: '0.405772' }],
  sold: [{ asset: 'BTC', quantity: '0.405772', proceeds_usd: '28404.04' }],
  costs_usd: '284.05',
  allocation: {
    interest: { amount: '27.40', asset: 'USD' },
    principal: { amount: '28092.59', asset: 'USD' },
    refund_due: { amount: '0.00', asset: 'USD' },
  },
  surplus_usd: '0.00',
  deficit_usd: '0.00',
  started_at: '2026-11-22T12:00:01.000Z',
  completed_at: '2026-11-22T12:00:02.000Z',
}

const facilityParams = z.strictObject({ facility_id: pathId })
const numberedParams = z.strictObject({ facility_id: pathId, number: pathId })

const reading = {
  config: { limitClass: 'reads', scope: 'facility:read', idempotencyKey: 'ignored' },
} as const

/** Collateral, margin warnings and calls (interface, Collateral and margin). */
export function marginRoutes(app: TypedApp, context: RouteContext): void {
  collateralRoute(app, context)
  warningRoutes(app, context)
  callRoutes(app, context)
}

function collateralRoute(app: TypedApp, context: RouteContext): void {
  const { db, clockFor } = context
  app.get(
    '/facilities/:facility_id/collateral',
    {
      config: { limitClass: 'valuation', scope: 'facility:read', idempotencyKey: 'ignored' },
      schema: operation({
        id: 'getCollateral',
        summary: "Read a facility's collateral and health",
        tag: 'Margin',
        params: facilityParams,
        response: { 200: collateralSchema },
        errors: ['facility_not_approved'],
      }),
    },
    async (request) => {
      const { tenantId } = callerOf(request)
      const facility = await getFacility(db, tenantId, request.params.facility_id)
      if (facility.state !== 'APPROVED') {
        throw new Refusal('facility_not_approved', `The facility is ${facility.state}.`)
      }
      const now = await clockFor(db, tenantId)
      const view = await viewFacility(db, context, facility, now)
      return {
        positions: view.valuation.positions.map(toPositionBody),
        collateral_value_usd: formatUsd(view.valueCents),
        required_floor_usd: formatUsd(view.requiredFloorCents),
        ltv: formatLtv(view.debtCents, view.valueCents),
        health: view.health,
        valued_at: view.valuedAt.toISOString(),
        valuation_status: view.isStale ? ('STALE' as const) : ('FRESH' as const),
      }
    },
  )
}

function warningRoutes(app: TypedApp, context: RouteContext): void {
  const { db, clockFor, cursors } = context

  app.get(
    '/facilities/:facility_id/margin-warnings/:number',
    {
      ...reading,
      schema: operation({
        id: 'getMarginWarning',
        summary: 'Read a margin warning',
        description: 'While it is open, what cures it is as of now; afterwards as it ended.',
        tag: 'Margin',
        params: numberedParams,
        response: { 200: warningObject.meta({ id: 'MarginWarning', examples: [WARNING_EXAMPLE] }) },
      }),
    },
    async (request) => {
      const { tenantId } = callerOf(request)
      const { facility_id: facilityId, number } = request.params
      const now = await clockFor(db, tenantId)
      const ordinal = readOrdinal(number)
      return toWarningBody(await getMarginWarning(db, context, tenantId, facilityId, ordinal, now))
    },
  )

  app.get(
    '/facilities/:facility_id/margin-warnings',
    {
      ...reading,
      schema: operation({
        id: 'listMarginWarnings',
        summary: "List a facility's margin warnings, newest first",
        tag: 'Margin',
        params: facilityParams,
        querystring: z.strictObject(pageQuery),
        response: { 200: pageOf(warningObject, 'MarginWarningPage', WARNING_EXAMPLE) },
        errors: ['cursor_invalid'],
      }),
    },
    async (request) => {
      const { tenantId } = callerOf(request)
      const { facility_id: facilityId } = request.params
      const asked = { ...request.query, now: await clockFor(db, tenantId) }
      const page = await listMarginWarnings(db, context, tenantId, facilityId, asked, cursors)
      return toPageBody(page, toWarningBody)
    },
  )
}

function callRoutes(app: TypedApp, { db, cursors }: RouteContext): void {
  app.get(
    '/facilities/:facility_id/margin-calls/:number',
    {
      ...reading,
      schema: operation({
        id: 'getMarginCall',
        summary: 'Read a margin call',
        tag: 'Margin',
        params: numberedParams,
        response: { 200: callObject.meta({ id: 'MarginCall', examples: [CALL_EXAMPLE] }) },
      }),
    },
    async (request) => {
      const { tenantId } = callerOf(request)
      const { facility_id: facilityId, number } = request.params
      return toCallBody(await getMarginCall(db, tenantId, facilityId, readOrdinal(number)))
    },
  )

  app.get(
    '/facilities/:facility_id/margin-calls',
    {
      ...reading,
      schema: operation({
        id: 'listMarginCalls',
        summary: "List a facility's margin calls, newest first",
        tag: 'Margin',
        params: facilityParams,
        querystring: z.strictObject(pageQuery),
        response: { 200: pageOf(callObject, 'MarginCallPage', CALL_EXAMPLE) },
        errors: ['cursor_invalid'],
      }),
    },
    async (request) => {
      const { tenantId } = callerOf(request)
      const { facility_id: facilityId } = request.params
      const page = await listMarginCalls(db, tenantId, facilityId, request.query, cursors)
      return toPageBody(page, toCallBody)
    },
  )
}

function toPositionBody({ asset, units, price, haircutPpm, valueCents }: ValuedPosition) {
  return {
    asset,
    quantity: formatQuantity({ asset, units }),
    ...(price !== undefined && { price_usd: formatPrice(price) }),
    ...(haircutPpm !== undefined && { haircut: formatDecimal(haircutPpm, 6) }),
    value_usd: formatUsd(valueCents),
  }
}

function toWarningBody(warning: MarginWarning): z.input<typeof warningObject> {
  const { curedAt, curedBy, escalatedAt, ifEscalated } = warning
  return {
    facility_id: warning.facilityId,
    number: warning.number,
    tier: warning.tier,
    status: warning.status,
    cure_amount_usd: formatUsd(warning.cureAmountCents),
    cure_collateral_usd: formatUsd(warning.cureCollateralCents),
    cure_deadline: warning.cureDeadline.toISOString(),
    ltv_at_raise: warning.ltvAtRaise,
    raised_at: warning.raisedAt.toISOString(),
    ...(curedAt && { cured_at: curedAt.toISOString() }),
    ...(curedBy && { cured_by: curedBy }),
    ...(escalatedAt && { escalated_at: escalatedAt.toISOString() }),
    extended_seconds: warning.extendedSeconds,
    ...(ifEscalated && {
      if_escalated: {
        sale_usd: formatUsd(ifEscalated.saleCents),
        target_ltv: formatDecimal(ifEscalated.targetLtvPpm, 6),
      },
    }),
  }
}

function toCallBody(call: MarginCall): z.input<typeof callObject> {
  return {
    facility_id: call.facilityId,
    number: call.number,
    margin_warning_number: call.marginWarningNumber,
    status: call.status,
    ...(call.outcome && { outcome: call.outcome }),
    planned: call.planned.map(({ asset, units }) => ({
      asset,
      quantity: formatQuantity({ asset, units }),
    })),
    sold: call.sold.map(({ asset, units, proceedsCents }) => ({
      asset,
      quantity: formatQuantity({ asset, units }),
      proceeds_usd: formatUsd(proceedsCents),
    })),
    costs_usd: formatUsd(call.costsCents),
    allocation: {
      interest: usd(call.interestCents),
      principal: usd(call.principalCents),
      refund_due: usd(call.surplusCents),
    },
    surplus_usd: formatUsd(call.surplusCents),
    deficit_usd: formatUsd(call.deficitCents),
    ...(call.startedAt && { started_at: call.startedAt.toISOString() }),
    ...(call.completedAt && { completed_at: call.completedAt.toISOString() }),
  }
}
