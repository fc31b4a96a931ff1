import { z } from 'zod'
import { formatAmount } from '../../../core/money.ts'
import { RESOLVE_BREAK, TAKE_BREAK } from '../../../domain/operators/acts/break-acts.ts'
import {
  BREAK_AREAS,
  BREAK_KINDS,
  type Break,
  pageBreaks,
} from '../../../domain/reconciliation/breaks.ts'
import { amountSchema } from '../../schemas/amounts.ts'
import { bodyOf } from '../../schemas/body-of.ts'
import {
  idFilter,
  idInput,
  idText,
  pageOf,
  text,
  timestamp,
  toPageBody,
} from '../../schemas/fields.ts'
import { actRoute } from '../act-route.ts'
import { deskPageQuery, type OperatorApp } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'

const BREAK_EXAMPLE = {
  id: 'brk_01k9x4m2q8e0tb7f2v5j6h8n3c',
  tenant_id: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c',
  kind: 'other_amount' as const,
  area: 'bank' as const,
  item: 'drw_01k9x4m2q8e0tb7f2v5j6h8n3c',
  facility_id: 'fac_01k9x4m2q8e0tb7f2v5j6h8n3c',
  day: '2026-11-24',
  ours: '{"asset":"USD","units":"-2000000"}',
  our_amount: { amount: '-20000.00', asset: 'USD' },
  theirs: '{"asset":"USD","units":"-2000001"}',
  their_amount: { amount: '-20000.01', asset: 'USD' },
  found_at: '2026-11-26T01:00:00.000Z',
  owner: null,
  note: null,
  resolved_at: null,
  resolved_by: null,
  resolution: null,
}

const side = z.string().nullable().describe('As JSON, in the smallest unit; null: nothing')

const signed = z.string().meta({ pattern: '^-?\\d+(\\.\\d+)?$' })
const sideAmount = amountSchema.extend({ amount: signed }).nullable().describe('Of that side')

const breakSchema = z
  .strictObject({
    id: idText('brk'),
    tenant_id: idText('ten'),
    kind: z.enum(BREAK_KINDS),
    area: z.enum(BREAK_AREAS),
    item: z.string().describe('A transfer of the provider, a movement of the books, or an account'),
    facility_id: idText('fac').nullable(),
    day: z.string().describe("In the payments provider's time zone"),
    ours: side,
    our_amount: sideAmount,
    theirs: side,
    their_amount: sideAmount,
    found_at: timestamp,
    owner: z.string().nullable().describe('The operator who sees to it'),
    note: z.string().nullable(),
    resolved_at: timestamp.nullable(),
    resolved_by: z.string().nullable().describe('reconciliation: both sides agree since'),
    resolution: z.string().nullable(),
  })
  .meta({ id: 'Break', examples: [BREAK_EXAMPLE] })

const params = z.strictObject({ tenant_id: idInput('ten'), break_id: idInput('brk') })

export function breakRoutes(app: OperatorApp, context: OperatorContext): void {
  app.get('/breaks', {
    id: 'listBreaks',
    summary: 'List what books and providers say differently, of all tenants, longest first',
    tag: 'Operations',
    querystring: z.strictObject({
      ...deskPageQuery,
      state: z.enum(['open', 'resolved']).default('open'),
      kind: z.enum(BREAK_KINDS).optional(),
      area: z.enum(BREAK_AREAS).optional(),
      tenant_id: idFilter('ten').optional(),
      owner: text(320).optional(),
    }),
    response: { 200: pageOf(breakSchema, 'BreakPage', BREAK_EXAMPLE) },
    errors: ['cursor_invalid'],
    async handler(request) {
      const { db, cursors } = context
      const { from, limit, tenant_id: tenantId, ...filter } = request.query
      const list = { request: { from, limit }, cursors }
      return toPageBody(await pageBreaks(db, { ...filter, tenantId }, list), toBody)
    },
  })

  const deciding = {
    ...({ tag: 'Operations', params } as const),
    example: { reason: 'capital that the lender has paid in' },
  }
  actRoute(app, context, '/tenants/:tenant_id/breaks/:break_id/take', {
    id: 'takeBreak',
    summary: 'Become the owner of a break',
    ...deciding,
    guarded: TAKE_BREAK,
  })
  actRoute(app, context, '/tenants/:tenant_id/breaks/:break_id/resolve', {
    id: 'resolveBreak',
    summary: 'Take a break off the list',
    ...deciding,
    guarded: RESOLVE_BREAK,
  })
}

const toBreakBody = bodyOf(breakSchema)

function toBody({ itemId: item, ours, theirs, resolved, ...one }: Break) {
  const asJson = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
  return toBreakBody({
    ...{ ...one, item, ours: asJson(ours), theirs: asJson(theirs) },
    ...{ ourAmount: amountOf(ours), theirAmount: amountOf(theirs) },
    ...{ resolvedAt: resolved?.at, resolvedBy: resolved?.by, resolution: resolved?.reason },
  })
}

/** Null if the side has no amount: a side of collateral may be empty. */
function amountOf(side: unknown): { amount: string; asset: string } | null {
  const { asset, units } = (side ?? {}) as { asset?: string; units?: string }
  if (asset === undefined || units === undefined) return null
  return formatAmount({ asset, units: BigInt(units) })
}
