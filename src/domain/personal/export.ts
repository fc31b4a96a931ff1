import { Refusal } from '../../core/errors.ts'
import type { BorrowerRef, PersonalKind, TextKey } from '../../core/personal-text.ts'
import type { SealedText } from '../../core/sealing.ts'
import type { Tx } from '../../db/database.ts'
import { readBorrowerKey } from './borrower-key.ts'
import {
  type ExportedRow,
  selectRecordOf,
  selectRowsOf,
  selectTablesOfBorrowers,
} from './export-queries.ts'

/** Rows by table. Sealed texts are decrypted. */
export type BorrowerRows = Record<string, ExportedRow[]>

/** All that is stored about a borrower, as it is stored: the lender's copy. Refuses `not_found`, and
 * `borrower_erased`. */
export async function readBorrowerRows(tx: Tx, borrower: BorrowerRef): Promise<BorrowerRows> {
  const { tenantId, borrowerId } = borrower
  const key = await readBorrowerKey(tx, borrower)
  if (key.isErased) {
    throw new Refusal('borrower_erased', 'The personal data of this borrower is erased.')
  }
  const tables = await selectTablesOfBorrowers(tx)
  const read = async (facilityIds: readonly string[], table: (typeof tables)[number]) =>
    (await selectRowsOf(tx, tenantId, table, { borrowerId, facilityIds })).map((row) =>
      openTexts(row, key),
    )
  const facilities = await read([], { name: 'facilities', ofBorrower: true })
  const facilityIds = facilities.map((row) => String(row['facility_id']))
  const rows: BorrowerRows = {}
  for (const table of tables) rows[table.name] = await read(facilityIds, table)
  if (rows['borrowers']?.length !== 1) {
    throw new Refusal('not_found', 'There is no such borrower.')
  }
  const record = await selectRecordOf(tx, tenantId, borrowerId)
  rows['operator_actions'] = record.map((row) => openTexts(row, key))
  return rows
}

const KINDS = [
  ...(['note', 'name', 'email', 'ip_address', 'destination', 'reference', 'answer'] as const),
] as const satisfies PersonalKind[]

function openTexts<Value>(value: Value, key: TextKey): Value {
  if (typeof value === 'string') return openText(value, key) as Value
  if (Array.isArray(value)) return value.map((item) => openTexts(item, key)) as Value
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([member, each]) => [member, openTexts(each, key)])
  return Object.fromEntries(members) as Value
}

/** Which kind a column holds, only its reader knows: one of them opens it. */
function openText(text: string, key: TextKey): string | undefined {
  if (!text.startsWith('person.')) return text
  for (const kind of KINDS) {
    try {
      return key.open(text as unknown as SealedText, kind)
    } catch {
      // Sealed as another kind.
    }
  }
  // A digest, which nothing opens.
  return undefined
}
