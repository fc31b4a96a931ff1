import { z } from 'zod'
import { getFacility } from '../../domain/facilities/facilities.ts'
import { listHolds } from '../../domain/facilities/holds/holds.ts'
import { holdFacility, releaseFacility } from '../../domain/margin/hold-facility.ts'
import { sandboxControl } from '../route-config.ts'
import type { RouteContext } from '../route-context.ts'
import { idInput, idText } from '../schemas/fields.ts'
import type { TenantApp } from '../schemas/operation.ts'
import { onHoldSchema, toOnHold } from './facility-schemas.ts'

const FACILITY_ID = 'fac_01k9x4m2q8e0tb7f2v5j6h8n3c'

const holdInput = z.strictObject({ held: z.boolean() }).meta({ examples: [{ held: true }] })

const holdSchema = z.strictObject({ facility_id: idText('fac'), on_hold: onHoldSchema }).meta({
  id: 'SandboxHold',
  examples: [{ facility_id: FACILITY_ID, on_hold: { since: '2026-11-20T12:00:00.000Z' } }],
})

export function sandboxHoldRoute(app: TenantApp, { mutate }: RouteContext): void {
  app.post('/sandbox/facilities/:facility_id/hold', {
    id: 'setSandboxHold',
    summary: 'Put a facility on hold, or lift every hold of it',
    description:
      "As the lender's operators do: nothing escalates, sells, pays out or is released while it lies.",
    tag: 'Sandbox',
    config: sandboxControl('facility:write'),
    params: z.strictObject({ facility_id: idInput('fac') }),
    body: holdInput,
    response: { 200: holdSchema },
    errors: ['sandbox_only', 'not_found'],
    handler: (request, reply) =>
      mutate(request, reply, async (tenant) => {
        const { tx, tenantId } = tenant
        const { facility_id: facilityId } = request.params
        const facility = await getFacility(tx, tenantId, facilityId)
        const { held } = request.body
        if (held && !facility.heldSince) {
          await holdFacility(tenant, facilityId, { kind: 'other', reason: 'sandbox' })
        }
        if (!held) {
          for (const { id, liftedAt } of await listHolds(tx, facility)) {
            if (!liftedAt) await releaseFacility(tenant, facilityId, id)
          }
        }
        const after = await getFacility(tx, tenantId, facilityId)
        return { status: 200, body: { facility_id: facilityId, ...toOnHold(after) } }
      }),
  })
}
