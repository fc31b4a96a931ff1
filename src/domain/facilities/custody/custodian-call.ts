import type { Facility } from '../facilities.ts'
import type { CustodianCall } from '../ports.ts'

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
