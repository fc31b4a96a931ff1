import { Valuer } from './figures.ts'
import { openReceipt } from './open-receipt.ts'
import type { Receipt, ReceiptKeys } from './receipt.ts'
import { recomputeDecisions } from './recompute-decisions.ts'
import { recomputeSale } from './recompute-sale.ts'

/** `keyId` is of the key that has signed it. */
export type ReceiptVerdict =
  | { ok: true; receipt: Receipt; keyId: string }
  | { ok: false; faults: string[] }

/** Recomputes a sale from its receipt, to the cent, without the lender. Refuses other bytes than those
 * that the lender has signed. Without `keys` nothing shows whose signature it is: compare the key's id. */
export async function verifyReceipt(
  file: Uint8Array | string,
  keys?: ReceiptKeys,
): Promise<ReceiptVerdict> {
  const opened = await openReceipt(file, keys)
  if (!opened.ok) return { ok: false, faults: [opened.fault] }
  const { receipt, signature } = opened.signed
  const faults = recompute(receipt)
  return faults.length > 0 ? { ok: false, faults } : { ok: true, receipt, keyId: signature.key_id }
}

/** Recomputes the receipt from its own facts and returns a fault for each difference. */
function recompute(receipt: Receipt): string[] {
  const faults: string[] = []
  const check = (isTrue: boolean, fault: string) => {
    if (!isTrue) faults.push(fault)
  }
  try {
    const valuer = new Valuer(receipt)
    recomputeDecisions(receipt, valuer, check)
    recomputeSale(receipt, valuer, check)
  } catch (error) {
    faults.push(
      `The receipt cannot be recomputed: ${error instanceof Error ? error.message : error}.`,
    )
  }
  return faults
}
