import { Refusal } from '../../../core/errors.ts'
import type { Db } from '../../../db/database.ts'
import { getMarginCall } from '../calls/calls.ts'
import { canonicalJson } from './canonical-json.ts'
import { selectReceipt } from './receipt-queries.ts'

/** The file as it is given at each read: the RFC 8785 form of body, hash and signature. Refuses
 * `not_found`, also of a call that an earlier release has completed, and `margin_call_not_completed`. */
export async function getReceipt(
  db: Db,
  tenantId: string,
  facilityId: string,
  number: number,
): Promise<string> {
  const call = await getMarginCall(db, tenantId, facilityId, number)
  if (call.status !== 'COMPLETED') {
    throw new Refusal('margin_call_not_completed', 'The margin call has not completed yet.')
  }
  const row = await selectReceipt(db, tenantId, facilityId, number)
  if (!row) throw new Refusal('not_found', 'The margin call is older than receipts.')
  const signature = canonicalJson({
    algorithm: 'Ed25519',
    key_id: row.key_id,
    public_key: row.public_key.toString('hex'),
    value: row.signature.toString('hex'),
  })
  return `{"receipt":${row.body},"sha256":"${row.sha256.toString('hex')}","signature":${signature}}`
}
