// The borrower's key seals what operators write about a borrower, or about something of it. The chain
// is made over what is stored, so it stays whole when the key is destroyed.
import type { BorrowerRef, TextKey } from '../../core/personal-text.ts'
import type { SealedText } from '../../core/sealing.ts'
import type { Db, Tx } from '../../db/database.ts'
import { ensureBorrowerKey } from '../personal/borrower-key.ts'
import { readBorrowerKeys } from '../personal/record-keys.ts'
import { selectBorrowerOfSubject } from './personal-record-queries.ts'

/** Members that may hold free text, an account or a transfer. */
const PERSONAL_MEMBERS: ReadonlySet<string> = new Set([
  ...['reason', 'note', 'destination', 'transfer', 'item', 'reference'],
])

const isPersonal = (member: string, value: unknown): value is string =>
  typeof value === 'string' && PERSONAL_MEMBERS.has(member)

export type Subject = { kind: string; id: string }

/** The borrower that a subject is or belongs to, with its key. */
export type RecordKey = { borrowerId: string; key: TextKey }

export async function findRecordKey(
  tx: Tx,
  tenantId: string | undefined,
  subject: Subject | undefined,
): Promise<RecordKey | undefined> {
  if (tenantId === undefined || subject === undefined) return undefined
  const borrowerId = await selectBorrowerOfSubject(tx, tenantId, subject)
  if (borrowerId === undefined) return undefined
  return { borrowerId, key: await ensureBorrowerKey(tx, { tenantId, borrowerId }) }
}

/** Nothing more is written about an erased borrower: its text becomes undefined. */
export function sealText(found: RecordKey | undefined, text: string | undefined) {
  if (!found || text === undefined) return text
  return found.key.isErased ? undefined : asText(found.key.seal(text, 'note'))
}

/** Refuses `borrower_erased`. */
export function requireSealed(found: RecordKey | undefined, text: string): string {
  return found ? asText(found.key.seal(text, 'note')) : text
}

export function sealMembers(found: RecordKey | undefined, state: object | undefined) {
  if (!found || !state) return state
  return mapPersonal(state, (text) => sealText(found, text) ?? null) as object
}

/** Texts are undefined, and members null, where the key is destroyed. */
export type OpenRecord = {
  text(stored: string | null): string | undefined
  members(stored: object | null): object | undefined
}

type Stored = { tenant: string | null; borrower_id: string | null }

/** Reads the keys of all rows together. */
export async function openRecords<Row extends Stored>(
  db: Db,
  rows: readonly Row[],
): Promise<{ row: Row; open: OpenRecord }[]> {
  const keys = await readBorrowerKeys(db, rows.flatMap(borrowerOf))
  return rows.map((row) => {
    const [borrower] = borrowerOf(row)
    return { row, open: openWith(borrower && keys.of(borrower)) }
  })
}

function borrowerOf({ tenant: tenantId, borrower_id: borrowerId }: Stored): BorrowerRef[] {
  return tenantId === null || borrowerId === null ? [] : [{ tenantId, borrowerId }]
}

function openWith(key: TextKey | undefined): OpenRecord {
  const openText = (text: string) => (key ? key.open(asSealed(text), 'note') : text)
  return {
    text: (stored) => (stored === null ? undefined : openText(stored)),
    members(stored) {
      if (stored === null) return undefined
      return mapPersonal(stored, (text) => openText(text) ?? null) as object
    },
  }
}

const asText = (sealed: SealedText) => sealed as unknown as string
const asSealed = (text: string) => text as unknown as SealedText

/** Maps the personal texts at any depth. A date stays: JSON writes it as text. */
function mapPersonal(value: unknown, map: (text: string) => string | null): unknown {
  if (Array.isArray(value)) return value.map((item) => mapPersonal(item, map))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value).map(([member, each]) => [
      member,
      isPersonal(member, each) ? map(each) : mapPersonal(each, map),
    ]),
  )
}
