import type { Db } from '../db/database.ts'
import type { Payments } from '../domain/facilities/ports.ts'
import { answerSandboxCall } from './sandbox-call.ts'

/**
 * A treasury that pays out everything and has received just what is claimed. Asked to fail, it
 * refuses a payment, and has received nothing.
 */
export function createSandboxPayments(db: Db): Payments {
  return {
    payOut: (call) =>
      answerSandboxCall(db, 'payments', call, { reference: `sandbox-${call.callId}` }),
    async confirmReceipt(call) {
      const answer = await answerSandboxCall(db, 'payments', call, { received: call.claimed })
      return answer.status === 'refused' ? { status: 'done', received: undefined } : answer
    },
  }
}
