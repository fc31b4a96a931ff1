import { addMs } from '../../../src/core/time.ts'
import type { Lending } from './lending.ts'

/**
 * Makes the custodian answer no question about positions before it was first asked that long ago.
 * Gives the ids of the calls, in order.
 */
export function slowPositions({ context: { custodian } }: Lending, ms: number): string[] {
  const { positions } = custodian
  const readyAt = new Map<string, Date>()
  const callIds: string[] = []
  custodian.positions = async (call) => {
    callIds.push(call.callId)
    const ready = readyAt.get(call.callId) ?? addMs(call.realNow, ms)
    readyAt.set(call.callId, ready)
    if (call.realNow < ready) return { status: 'pending', askAgainAt: ready }
    return await positions(call)
  }
  return callIds
}
