// Settles a receipt in a process of its own, and stops once its transfer is claimed: the transaction is
// open when the process is killed.
import { createDatabase } from '../../../src/db/database.ts'
import { settleReceipt } from '../../../src/domain/repayments/confirm-repayment.ts'

const {
  DATABASE_URL = '',
  TENANT_ID = '',
  REPAYMENT = '',
  TRANSFER_ID = '',
  NOW = '',
} = process.env
const now = new Date(NOW)
const db = createDatabase({ connectionString: DATABASE_URL, maxConnections: 1 })
// The price is asked for after the claim.
const latest = () => {
  process.send?.('claimed')
  return Promise.withResolvers<never>().promise
}
const prices = { latest, quotesAt: async () => [], window: async () => undefined }
const context = { db, prices, instant: async () => ({ now, realNow: now }) }
const receipt = { transferId: TRANSFER_ID, amount: { asset: 'USD', units: 5_000_00n } }
process.on('disconnect', () => process.exit(1))
await settleReceipt(context, TENANT_ID, JSON.parse(REPAYMENT), receipt)
process.exit(1)
