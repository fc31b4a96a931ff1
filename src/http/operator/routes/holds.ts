import { z } from 'zod'
import { HOLD_KINDS, pageHolds } from '../../../domain/facilities/holds/holds.ts'
import { HOLD_FACILITY, RELEASE_FACILITY } from '../../../domain/operators/acts/facility-acts.ts'
import { bodyOf } from '../../schemas/body-of.ts'
import { idInput, idText, pageOf, timestamp, toPageBody } from '../../schemas/fields.ts'
import { actRoute } from '../act-route.ts'
import { deskPageQuery, type OperatorApp } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import { facilityParams } from './margin-schemas.ts'

const HOLD_EXAMPLE = {
  id: 'pau_01k9x4m2q8e0tb7f2v5j6h8n3c',
  tenant_id: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c',
  facility_id: 'fac_01k9x4m2q8e0tb7f2v5j6h8n3c',
  kind: 'bankruptcy' as const,
  reason: 'petition of 3 November, case 4711',
  since: '2026-11-20T12:00:00.000Z',
}

const holdObject = z.strictObject({
  id: idText('pau'),
  tenant_id: idText('ten'),
  facility_id: idText('fac'),
  kind: z.enum(HOLD_KINDS),
  reason: z.string().nullable(),
  since: timestamp,
})

export function holdRoutes(app: OperatorApp, context: OperatorContext): void {
  const { db, cursors } = context
  app.get('/holds', {
    id: 'listHolds',
    summary: 'List the holds that lie on facilities of all tenants, the longest first',
    tag: 'Margin',
    querystring: z.strictObject(deskPageQuery),
    response: { 200: pageOf(holdObject, 'HoldPage', HOLD_EXAMPLE) },
    errors: ['cursor_invalid'],
    handler: async (request) =>
      toPageBody(await pageHolds(db, { request: request.query, cursors }), toHoldBody),
  })

  actRoute(app, context, '/tenants/:tenant_id/facilities/:facility_id/holds', {
    id: 'holdFacility',
    summary: 'Put a facility on hold at once',
    tag: 'Margin',
    params: facilityParams,
    body: { kind: z.enum(HOLD_KINDS) },
    example: { kind: 'bankruptcy', reason: 'petition of 3 November, case 4711' },
    guarded: HOLD_FACILITY,
  })

  actRoute(app, context, '/tenants/:tenant_id/facilities/:facility_id/holds/:hold_id/release', {
    id: 'releaseFacility',
    summary: 'Lift a hold of a facility',
    tag: 'Margin',
    params: facilityParams.extend({ hold_id: idInput('pau') }),
    example: { reason: 'the case was dismissed' },
    guarded: RELEASE_FACILITY,
  })
}

const toHoldBody = bodyOf(holdObject)
