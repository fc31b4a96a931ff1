import { foldReference } from '../../core/external-reference.ts'
import type { Db } from '../../db/database.ts'
import type { Payments } from '../../domain/facilities/ports.ts'
import { answerSandboxCall } from './sandbox-call.ts'

/**
 * A treasury that pays out everything and has received just what is claimed, each reference being a
 * transfer of its own. Asked to fail, it refuses a payment, and has received nothing.
 */
export function createSandboxPayments(db: Db): Payments {
  return {
    payOut: (call) =>
      answerSandboxCall(db, 'payments', call, { reference: `sandbox-${call.callId}` }),
    async confirmReceipt(call) {
      const transferId = `sandbox-${foldReference(call.reference)}`
      const receipt = { transferId, amount: call.claimed }
      const answer = await answerSandboxCall(db, 'payments', call, { receipt })
      return answer.status === 'refused' ? { status: 'done', receipt: undefined } : answer
    },
  }
}
