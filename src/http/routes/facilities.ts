import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import { closeFacility } from '../../domain/facilities/closing/close.ts'
import {
  createFacility,
  FACILITY_STATES,
  type Facility,
  getFacility,
  listFacilities,
} from '../../domain/facilities/facilities.ts'
import type { MarginView } from '../../domain/margin/case.ts'
import { changeEvaluatedFacility } from '../../domain/margin/change-facility.ts'
import { viewFacilities, viewFacility } from '../../domain/margin/facility-view.ts'
import { callerOf } from '../authentication/authenticate.ts'
import { readAsOfNow } from '../read-as-of-now.ts'
import { readsWith } from '../route-config.ts'
import type { RouteContext } from '../route-context.ts'
import { usdInput } from '../schemas/amounts.ts'
import {
  externalId,
  externalName,
  idFilter,
  idInput,
  pageOf,
  pageQuery,
  toPageBody,
} from '../schemas/fields.ts'
import type { TenantApp } from '../schemas/operation.ts'
import { FACILITY_EXAMPLE, facilityObject, toFacilityBody } from './facility-schemas.ts'

const facilitySchema = facilityObject.meta({ id: 'Facility', examples: [FACILITY_EXAMPLE] })

const facilityPageSchema = pageOf(facilityObject, 'FacilityPage', FACILITY_EXAMPLE)

const newFacilitySchema = z
  .strictObject({
    borrower_id: idInput('bor'),
    limit: usdInput,
    custody_account: externalName(200).optional().describe('Required on the live stack'),
    external_id: externalId
      .optional()
      .describe(
        'Your own id of the facility; free again where the application is declined or cancelled',
      ),
  })
  .meta({
    examples: [
      {
        borrower_id: FACILITY_EXAMPLE.borrower_id,
        limit: FACILITY_EXAMPLE.limit,
        custody_account: 'custody-0815',
      },
    ],
  })

const params = z.strictObject({ facility_id: idInput('fac') })

export function facilityRoutes(app: TenantApp, context: RouteContext): void {
  changingRoutes(app, context)
  readingRoutes(app, context)
}

type Viewing = MarginView & { now: Date }

async function describeFacility(db: Db, viewing: Viewing, facility: Facility) {
  return toFacilityBody(await viewFacility(db, viewing, facility, viewing.now))
}

function changingRoutes(app: TenantApp, context: RouteContext): void {
  const { mutate } = context
  const config = {
    limitClass: 'money',
    scope: 'facility:write',
    idempotencyKey: 'required',
  } as const

  app.post('/facilities', {
    id: 'createFacility',
    summary: 'Apply for a facility',
    description:
      'Underwriting decides in the background; `facility.decisioned` reports the decision.',
    tag: 'Facilities',
    config,
    body: newFacilitySchema,
    response: { 201: facilitySchema },
    errors: [
      'not_found',
      'borrower_not_eligible',
      'borrower_erased',
      'facility_exists',
      'external_id_taken',
    ],
    handler: (request, reply) =>
      mutate(request, reply, async (tenant) => {
        const { borrower_id: borrowerId, limit, custody_account: custodyAccount } = request.body
        const { external_id: externalId } = request.body
        const application = { borrowerId, limitCents: limit.units, custodyAccount, externalId }
        const lending = { ...context, ...tenant }
        const facility = await createFacility(lending, application)
        const body = await describeFacility(tenant.tx, lending, facility)
        return { status: 201, body }
      }),
  })

  app.post('/facilities/:facility_id/close', {
    id: 'closeFacility',
    summary: 'Close a facility',
    description:
      'A pending application is cancelled. An approved facility without debt is closed once the lien is released; `facility.closed` reports it. A remainder of up to 1.00 USD, and not more than the interest paid, is waived.',
    tag: 'Facilities',
    config,
    params,
    response: { 200: facilitySchema },
    errors: ['facility_not_approved', 'facility_on_hold', 'outstanding_balance'],
    handler: (request, reply) =>
      mutate(request, reply, async (tenant) => {
        const { facility_id: id } = request.params
        const change = await changeEvaluatedFacility({ ...context, ...tenant }, id)
        const facility = await closeFacility(change)
        const body = await describeFacility(tenant.tx, { ...context, ...tenant }, facility)
        return { status: 200, body }
      }),
  })
}

function readingRoutes(app: TenantApp, context: RouteContext): void {
  app.get('/facilities/:facility_id', {
    id: 'getFacility',
    summary: 'Read a facility with its debt and ratio as of now',
    tag: 'Facilities',
    config: { limitClass: 'valuation', scope: 'facility:read', idempotencyKey: 'ignored' },
    params,
    response: { 200: facilitySchema },
    async handler(request) {
      const { facility_id: id } = request.params
      return await readAsOfNow(context, callerOf(request).tenantId, async (reading) => {
        const facility = await getFacility(reading.db, reading.tenantId, id)
        return await describeFacility(reading.db, { ...context, ...reading }, facility)
      })
    },
  })

  app.get('/facilities', {
    id: 'listFacilities',
    summary: 'List facilities, newest first',
    tag: 'Facilities',
    config: readsWith('facility:read'),
    querystring: z.strictObject({
      ...pageQuery,
      borrower_id: idFilter('bor'),
      state: z.enum(FACILITY_STATES).optional(),
      external_id: externalId.optional(),
    }),
    response: { 200: facilityPageSchema },
    errors: ['cursor_invalid'],
    async handler(request) {
      const { borrower_id: borrowerId, external_id: externalId, ...rest } = request.query
      const asked = { ...rest, borrowerId, externalId, state: rest.state }
      return await readAsOfNow(context, callerOf(request).tenantId, async (reading) => {
        const { db, tenantId, now } = reading
        const page = await listFacilities(db, tenantId, asked, context.cursors)
        const items = await viewFacilities(db, { ...context, ...reading }, page.items, now)
        return toPageBody({ ...page, items }, toFacilityBody)
      })
    },
  })
}
