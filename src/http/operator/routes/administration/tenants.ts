import { z } from 'zod'
import {
  CREATE_TENANT,
  RESUME_TENANT,
  SUSPEND_TENANT,
} from '../../../../domain/operators/acts/tenant-acts.ts'
import { getTenant, pageTenants } from '../../../../domain/tenants/tenants.ts'
import { bodyOf } from '../../../schemas/body-of.ts'
import { idInput, idText, pageOf, text, timestamp, toPageBody } from '../../../schemas/fields.ts'
import { actRoute } from '../../act-route.ts'
import { deskPageQuery, type OperatorApp } from '../../operation.ts'
import type { OperatorContext } from '../../operator-context.ts'
import { performAlone, withReason } from '../../perform-act.ts'

const TENANT_EXAMPLE = {
  id: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c',
  name: 'Acme Exchange',
  created_at: '2026-11-22T12:00:00.000Z',
  suspended: null,
  closed_at: null,
}

const tenantObject = z.strictObject({
  id: idText('ten'),
  name: z.string(),
  created_at: timestamp,
  suspended: z
    .strictObject({ at: timestamp, reason: z.string() })
    .nullable()
    .describe('null: it may write'),
  closed_at: timestamp
    .nullable()
    .describe('Closed for good, by `tenants close` and a second operator'),
})

const tenantSchema = tenantObject.meta({ id: 'Tenant', examples: [TENANT_EXAMPLE] })

export const tenantParams = z.strictObject({ tenant_id: idInput('ten') })

export function tenantRoutes(app: OperatorApp, context: OperatorContext): void {
  addReads(app, context)
  addCreation(app, context)
  addSuspension(app, context)
}

function addReads(app: OperatorApp, { db, cursors }: OperatorContext): void {
  app.get('/tenants', {
    id: 'listTenants',
    summary: 'List the tenants, newest first',
    tag: 'Administration',
    querystring: z.strictObject(deskPageQuery),
    response: { 200: pageOf(tenantObject, 'TenantPage', TENANT_EXAMPLE) },
    errors: ['cursor_invalid'],
    handler: async (request) => toPageBody(await pageTenants(db, request.query, cursors), toBody),
  })

  app.get('/tenants/:tenant_id', {
    id: 'getTenant',
    summary: 'Read a tenant',
    tag: 'Administration',
    params: tenantParams,
    response: { 200: tenantSchema },
    handler: async (request) => toBody(await getTenant(db, request.params.tenant_id)),
  })
}

function addCreation(app: OperatorApp, context: OperatorContext): void {
  app.post('/tenants', {
    id: 'createTenant',
    summary: 'Open an account for a tenant',
    description:
      'Without keys and documents. The tenant makes its key pair itself; `keys register` stores the public key.',
    tag: 'Administration',
    body: withReason(
      { name: text(200) },
      { name: 'Acme Exchange', reason: 'contract of 3 November' },
    ),
    response: { 201: tenantSchema },
    errors: ['scope_missing'],
    async handler(request, reply) {
      const { name, reason } = request.body
      reply.code(201)
      return await performAlone(context, request, CREATE_TENANT, {
        ...{ asked: { name, withSamples: false }, reason },
        toBody: ({ tenant }) => toBody(tenant),
      })
    },
  })
}

const ACTS = [
  { name: 'suspend', guarded: SUSPEND_TENANT, summary: 'Refuse whatever a tenant would change' },
  { name: 'resume', guarded: RESUME_TENANT, summary: 'Let a suspended tenant write again' },
] as const

function addSuspension(app: OperatorApp, context: OperatorContext): void {
  for (const { name, guarded, summary } of ACTS) {
    actRoute(app, context, `/tenants/:tenant_id/${name}`, {
      id: `${name}Tenant`,
      summary,
      description:
        'On every process within five seconds. Reads, webhooks, refunds and the margin ladder go on.',
      tag: 'Administration',
      params: tenantParams,
      example: { reason: 'contract ended' },
      guarded,
    })
  }
}

const toBody = bodyOf(tenantObject)
