import type { Db } from '../db/database.ts'
import type { Custodian } from '../domain/facilities/ports.ts'
import { answerSandboxCall } from './sandbox-call.ts'

/** A custodian that agrees to everything, unless a tenant's tests ask otherwise. */
export function createSandboxCustodian(db: Db): Custodian {
  return {
    setFloor: (call) => answerSandboxCall(db, 'custodian', call, {}),
    confirmControl: async () => ({ status: 'done' }),
    releaseLien: (call) => answerSandboxCall(db, 'custodian', call, {}),
  }
}
