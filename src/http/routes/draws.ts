import { z } from 'zod'
import { sealedText } from '../../core/personal-text.ts'
import { getDraw, listDraws, requestDraw } from '../../domain/facilities/draws/draws.ts'
import { changeFacility } from '../../domain/margin/change-facility.ts'
import { callerOf } from '../authentication/authenticate.ts'
import { readsWith } from '../route-config.ts'
import type { RouteContext } from '../route-context.ts'
import { moneyMembers, readMoney } from '../schemas/amounts.ts'
import { externalName, idInput, pageOf, pageQuery, toPageBody } from '../schemas/fields.ts'
import type { TenantApp } from '../schemas/operation.ts'
import { DRAW_EXAMPLE, drawObject, toDrawBody } from './facility-schemas.ts'

const drawSchema = drawObject.meta({ id: 'Draw', examples: [DRAW_EXAMPLE] })

const newDrawSchema = z
  .strictObject({
    ...moneyMembers,
    destination: externalName(200).describe(
      'The account to pay to, as the treasury of the lender knows it; passed on as it is',
    ),
  })
  .meta({ examples: [{ amount: '20000.00', asset: 'USD', destination: 'account-4711' }] })

export function drawRoutes(app: TenantApp, context: RouteContext): void {
  changingRoutes(app, context)
  readingRoutes(app, context)
}

function changingRoutes(app: TenantApp, context: RouteContext): void {
  const { mutate } = context

  app.post('/facilities/:facility_id/draws', {
    id: 'requestDraw',
    summary: 'Request a draw',
    description:
      'The amount is reserved at once. The payout follows in the background; `draw.completed` or `draw.failed` reports it.',
    tag: 'Facilities',
    config: { limitClass: 'money', scope: 'facility:write', idempotencyKey: 'required' },
    params: z.strictObject({ facility_id: idInput('fac') }),
    body: newDrawSchema,
    response: { 201: drawSchema },
    errors: [
      'facility_not_approved',
      'facility_on_hold',
      'borrower_not_eligible',
      'unsupported_asset',
      'credit_limit_exceeded',
      'draws_blocked',
      'price_unavailable',
    ],
    handler: (request, reply) =>
      mutate(request, reply, async (tenant) => {
        const { facility_id: facilityId } = request.params
        const draw = { amount: readMoney(request.body), destination: request.body.destination }
        const change = await changeFacility({ ...context, ...tenant }, facilityId)
        const { draw: requested, personal } = await requestDraw(change, draw)
        const destination = sealedText(requested.destination)
        const body = toDrawBody({ ...requested, destination })
        return { status: 201, body, personal }
      }),
  })
}

function readingRoutes(app: TenantApp, { db, cursors }: RouteContext): void {
  app.get('/facilities/:facility_id/draws/:draw_id', {
    id: 'getDraw',
    summary: 'Read a draw',
    tag: 'Facilities',
    config: readsWith('facility:read'),
    params: z.strictObject({ facility_id: idInput('fac'), draw_id: idInput('drw') }),
    response: { 200: drawSchema },
    async handler(request) {
      const { facility_id: facilityId, draw_id: drawId } = request.params
      return toDrawBody(await getDraw(db, callerOf(request).tenantId, facilityId, drawId))
    },
  })

  app.get('/facilities/:facility_id/draws', {
    id: 'listDraws',
    summary: "List a facility's draws, newest first",
    tag: 'Facilities',
    config: readsWith('facility:read'),
    params: z.strictObject({ facility_id: idInput('fac') }),
    querystring: z.strictObject(pageQuery),
    response: { 200: pageOf(drawObject, 'DrawPage', DRAW_EXAMPLE) },
    errors: ['cursor_invalid'],
    async handler(request) {
      const { tenantId } = callerOf(request)
      const { facility_id: facilityId } = request.params
      const page = await listDraws(db, { tenantId, facilityId }, request.query, cursors)
      return toPageBody(page, toDrawBody)
    },
  })
}
