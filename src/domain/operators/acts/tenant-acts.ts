import { z } from 'zod'
import { Refusal } from '../../../core/errors.ts'
import { resumeTenant, suspendTenant } from '../../tenants/suspension.ts'
import type { GuardedAct } from './guarded-act.ts'

type OfTenant = { tenantId: string }

const ofTenant = z.strictObject({ tenantId: z.string() })

/** One operator is enough in an emergency, and to end it. */
export const SUSPEND_TENANT: GuardedAct<OfTenant, void> = {
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

function requireReason(reason: string | undefined): string {
  if (reason !== undefined && reason.trim() !== '') return reason
  throw new Refusal('validation_failed', 'A tenant is suspended and resumed for a reason: add it.')
}
