import type { ReceiptVerdict } from '../../../src/client/receipts/verify-receipt.ts'
import { verifyReceipt } from '../../../src/client/receipts/verify-receipt.ts'
import type { Db } from '../../../src/db/database.ts'
import { getReceipt } from '../../../src/domain/margin/receipts/receipts.ts'

export type KeptReceipt = { facilityId: string; number: number; file: string }

/** The files of all calls that have completed, of one facility or of all. */
export async function readReceipts(db: Db, facilityId?: string): Promise<KeptReceipt[]> {
  const calls = await db
    .selectFrom('margin_calls')
    .select(['tenant_id', 'facility_id', 'number'])
    .where('status', '=', 'COMPLETED')
    .$if(facilityId !== undefined, (query) => query.where('facility_id', '=', facilityId ?? ''))
    .orderBy('facility_id')
    .orderBy('number')
    .execute()
  return await Promise.all(
    calls.map(async ({ tenant_id, facility_id, number }) => {
      const file = await getReceipt(db, tenant_id, facility_id, number)
      return { facilityId: facility_id, number, file }
    }),
  )
}

/** What is wrong with any of them; empty where all are right. */
export async function findReceiptFaults(db: Db, facilityId?: string): Promise<string[]> {
  const faults: string[] = []
  for (const { facilityId: id, number, file } of await readReceipts(db, facilityId)) {
    const verdict: ReceiptVerdict = await verifyReceipt(file)
    if (!verdict.ok) faults.push(...verdict.faults.map((fault) => `${id}/${number}: ${fault}`))
  }
  return faults
}
