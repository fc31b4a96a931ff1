import { z } from 'zod'
import { Refusal } from '../../../core/errors.ts'
import type { NewDocument } from '../../onboarding/documents.ts'
import { publishSampleDocuments } from '../../onboarding/samples.ts'
import { resumeTenant, suspendTenant } from '../../tenants/suspension.ts'
import { createTenant, type Tenant } from '../../tenants/tenants.ts'
import { type Closed, closeTenant } from '../closing/close-tenant.ts'
import type { GuardedAct } from './guarded-act.ts'

type NewTenant = { name: string; withSamples: boolean }

/** Sample contracts are for a sandbox alone. */
export const CREATE_TENANT: GuardedAct<NewTenant, { tenant: Tenant; documents: NewDocument[] }> = {
  action: 'tenants.create',
  schema: z.strictObject({ name: z.string(), withSamples: z.boolean() }),
  needsSecond: async () => false,
  async run({ tx, stack, now }, { name, withSamples }, reason) {
    if (withSamples && stack === 'live') throw noSamplesOnLive()
    const tenant = await createTenant(tx, name, now)
    const documents = withSamples ? await publishSampleDocuments(tx, tenant.id, now) : []
    const act = {
      action: 'tenants.create' as const,
      ...{ subject: { kind: 'tenant', id: tenant.id }, tenantId: tenant.id, reason },
      after: { name: tenant.name, sample_documents: documents.length },
    }
    return { result: { tenant, documents }, act }
  },
}

function noSamplesOnLive(): Refusal {
  return new Refusal(
    'validation_failed',
    'The sample documents are for the sandbox: on live publish the contracts of your counsel.',
  )
}

type OfTenant = { tenantId: string }

const ofTenant = z.strictObject({ tenantId: z.string() })

/** One operator is enough in an emergency, and to end it. */
export const SUSPEND_TENANT: GuardedAct<OfTenant, void> = {
  action: 'tenants.suspend',
  schema: ofTenant,
  needsSecond: async () => false,
  async run({ tx, now }, { tenantId }, given) {
    const reason = requireReason(given)
    await suspendTenant(tx, tenantId, { reason, now })
    const act = {
      action: 'tenants.suspend' as const,
      ...{ subject: { kind: 'tenant', id: tenantId }, tenantId, reason },
      ...{ before: { suspended: false }, after: { suspended: true } },
    }
    return { result: undefined, act }
  },
}

export const RESUME_TENANT: GuardedAct<OfTenant, void> = {
  action: 'tenants.resume',
  schema: ofTenant,
  needsSecond: async () => false,
  async run({ tx }, { tenantId }, given) {
    const reason = requireReason(given)
    const { at, reason: former } = await resumeTenant(tx, tenantId)
    const act = {
      action: 'tenants.resume' as const,
      ...{ subject: { kind: 'tenant', id: tenantId }, tenantId, reason },
      before: { suspended: true, since: at.toISOString(), reason: former },
      after: { suspended: false },
    }
    return { result: undefined, act }
  },
}

/** Checked again when it is confirmed: the tenant must have no event since its export. */
export const CLOSE_TENANT: GuardedAct<OfTenant, Closed> = {
  action: 'tenants.close',
  schema: ofTenant,
  needsSecond: async () => true,
  async run({ tx, now }, { tenantId }, given) {
    const reason = requireReason(given)
    const closed = await closeTenant(tx, tenantId, now)
    const { keys, people, webhooks, lastSequence } = closed
    const act = {
      action: 'tenants.close' as const,
      ...{ subject: { kind: 'tenant', id: tenantId }, tenantId, reason },
      before: { closed: false },
      after: { closed: true, last_sequence: String(lastSequence), keys, people, webhooks },
    }
    return { result: closed, act }
  },
}

function requireReason(reason: string | undefined): string {
  if (reason !== undefined && reason.trim() !== '') return reason
  throw new Refusal(
    'validation_failed',
    'A tenant is suspended, resumed and closed for a reason: add it.',
  )
}
