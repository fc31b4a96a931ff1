import type { Facility } from '../facilities.ts'
import type { CustodianCall } from '../ports.ts'

/**
 * A call to the custodian about a facility, under an id of the facility's: `about` names the call
 * among them. `realNow` is real time.
 */
export function callAbout(
  { tenantId, id, borrowerId, custodyAccount }: Facility,
  about: string,
  realNow: Date,
): CustodianCall {
  return {
    tenantId,
    callId: `${id}/${about}`,
    account: custodyAccount,
    facilityId: id,
    borrowerId,
    realNow,
  }
}
