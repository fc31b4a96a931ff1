import { foldReference } from '../../core/external-reference.ts'
import { isBeyondBounds } from '../../core/money.ts'
import type { Db } from '../../db/database.ts'
import type { Payments } from '../../domain/facilities/ports.ts'
import { answerSandboxCall } from './sandbox-call.ts'

/** Pays everything, and has received what is claimed. On `fail` it refuses, or received nothing; nor
 * did it receive more than anyone can have. */
export function createSandboxPayments(db: Db): Payments {
  return {
    payOut: (call) =>
      answerSandboxCall(db, 'payments', call, { reference: `sandbox-${call.callId}` }),
    async confirmReceipt(call) {
      // Each tenant has payers of its own: two tenants may use one reference.
      const transferId = `sandbox-${call.tenantId}-${foldReference(call.reference)}`
      const receipt = { transferId, amount: call.claimed }
      const answer = await answerSandboxCall(db, 'payments', call, { receipt })
      const isNothing = answer.status === 'refused' || isBeyondBounds(call.claimed)
      if (answer.status === 'pending' || !isNothing) return answer
      return { status: 'done', receipt: undefined }
    },
  }
}
