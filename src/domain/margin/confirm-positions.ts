import { addMs, SECOND_MS } from '../../core/time.ts'
import type { Position } from '../collateral/valuation.ts'
import type { Facility } from '../facilities/facilities.ts'
import type { Custodian } from '../facilities/ports.ts'

const RETRY_REFUSED_MS = 30 * SECOND_MS

/** What a custodian says that an account holds, or when (real time) to ask it again. */
export type ConfirmedPositions = { positions: Position[] } | { askAgainAt: Date }

/** Asks the custodian what a facility's account holds at this moment: the truth behind any push. */
export async function confirmPositions(
  custodian: Custodian,
  { tenantId, id, custodyAccount: account, borrowerId }: Facility,
  realNow: Date,
): Promise<ConfirmedPositions> {
  // A reading, not an order: each is asked for anew.
  const callId = `${id}/positions/${realNow.getTime()}`
  const answer = await custodian.positions({ tenantId, callId, account, borrowerId, realNow })
  switch (answer.status) {
    case 'done':
      return { positions: [...answer.positions] }
    case 'pending':
      return { askAgainAt: answer.askAgainAt }
    case 'refused':
      return { askAgainAt: addMs(realNow, RETRY_REFUSED_MS) }
    default: {
      const unreachable: never = answer
      return unreachable
    }
  }
}
