import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '../../src/client/client.ts'

type Run = (command: string[]) => string

/** The steps of docs/evidence.md: a sale is played, its receipt saved and recomputed in two languages, and a
 * notice reported. */
export async function checkEvidence(client: Client, baseUrl: string, run: Run): Promise<void> {
  const svc = (...args: string[]) => run(['node', 'src/svc/svc.ts', ...args, '--json'])
  svc('story', 'margin', '--own-tenant', '--force')
  const { facilityId, call, warning } = await findSale(client)
  const folder = mkdtempSync(join(tmpdir(), 'evidence-'))
  try {
    const [receipt, keys] = [join(folder, 'receipt.json'), join(folder, 'receipt-keys.json')]
    svc('receipts', 'save', facilityId, String(call), receipt)
    const published = await fetch(new URL('/.well-known/receipt-keys.json', baseUrl))
    writeFileSync(keys, await published.text())
    svc('receipts', 'verify', receipt, '--keys', keys)
    run(['python3', 'docs/examples/verify_receipt.py', receipt, keys])
    console.log('Evidence    a receipt is right to the cent, by svc and by verify_receipt.py')

    const { raises = [] } = await client.getMarginWarning(facilityId, warning)
    const [raise] = raises
    if (!raise) throw new Error('The warning has no raise.')
    const notice = ['--event', raise.event_id, '--channel', 'email', '--sent-at', raise.raised_at]
    svc('facility', 'notice', facilityId, String(warning), ...notice, '--reference', 'mail-4711')
    console.log('Evidence    a notice is on record')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function findSale(client: Client) {
  for await (const { id: facilityId } of client.listFacilities()) {
    for await (const call of client.listMarginCalls(facilityId)) {
      if (call.status !== 'COMPLETED') continue
      return { facilityId, call: call.number, warning: call.margin_warning_number }
    }
  }
  throw new Error('The story has left no completed margin call.')
}
