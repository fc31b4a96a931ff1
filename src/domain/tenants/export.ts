import { createHash } from 'node:crypto'
import type { Db } from '../../db/database.ts'
import { inSnapshot } from '../../db/transactions/snapshot.ts'
import {
  readTable,
  selectExportedTables,
  selectLastSequence,
  updateExported,
} from './export-queries.ts'

/** A statement of an export. */
const LONGEST_SECONDS = 600

/** Writes every row of a tenant as of one instant, secrets aside, a line of JSON each:
 * `{"table":"borrowers","row":{…}}`. The last line is `{"end":{"rows":…,"last_sequence":…,"sha256":"…"}}`,
 * the digest that of all lines before; a file without it is not complete. */
export async function exportTenant(
  db: Db,
  tenantId: string,
  write: (text: string) => void,
): Promise<void> {
  const digest = createHash('sha256')
  let count = 0
  const sequence = await inSnapshot(db, { seconds: LONGEST_SECONDS }, async (tx) => {
    for (const table of await selectExportedTables(tx)) {
      await readTable(tx, tenantId, table, (rows) => {
        const text = rows.map((row) => `{"table":"${table}","row":${row}}\n`).join('')
        digest.update(text)
        write(text)
        count += rows.length
      })
    }
    return await selectLastSequence(tx, tenantId)
  })
  await updateExported(db, tenantId, sequence)
  const end = { rows: count, last_sequence: String(sequence), sha256: digest.digest('hex') }
  write(`${JSON.stringify({ end })}\n`)
}
