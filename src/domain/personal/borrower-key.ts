import { Refusal } from '../../core/errors.ts'
import {
  type BorrowerRef,
  borrowerErased,
  borrowerKeyContext,
  makeBorrowerKey,
  openBorrowerKey,
  type TextKey,
} from '../../core/personal-text.ts'
import { DecryptionError, type Resealed, type SealedText, type Sealer } from '../../core/sealing.ts'
import { type Db, findSealer, type Tx } from '../../db/database.ts'
import { resealTable } from '../tenants/reseal.ts'
import {
  insertKey,
  type KeyPlace,
  lockKeysOfOtherStackKeys,
  selectKeys,
  selectKeysOfFacilities,
  updateSealedKey,
} from './key-queries.ts'

/** Sent with the borrower's row. Refuses `unavailable` without encryption keys. */
export function createBorrowerKey(tx: Tx, borrower: BorrowerRef): void {
  insertKey(tx, { ...borrower, sealedKey: makeBorrowerKey(requireSealer(tx), borrower) })
}

/** For writing. A borrower of before there were keys is given one. */
export async function ensureBorrowerKey(tx: Tx, borrower: BorrowerRef): Promise<TextKey> {
  const { tenantId, borrowerId } = borrower
  const find = async () => (await selectKeys(tx, tenantId, [borrowerId]))[0]
  const found = await find()
  if (found) return openKey(tx, borrower, found.sealed_key)
  createBorrowerKey(tx, borrower)
  return openKey(tx, borrower, (await find())?.sealed_key)
}

export async function readBorrowerKey(db: Db, borrower: BorrowerRef): Promise<TextKey> {
  const { tenantId, borrowerId } = borrower
  const [row] = await selectKeys(db, tenantId, [borrowerId])
  return openKey(db, borrower, row?.sealed_key)
}

/** `of` takes one of the ids that were given to the read. */
export type TextKeys = { of(id: string): TextKey }

/** In one statement. */
export async function readKeysOfFacilities(
  db: Db,
  tenantId: string,
  facilityIds: readonly string[],
): Promise<TextKeys> {
  const ids = [...new Set(facilityIds)]
  const rows = ids.length > 0 ? await selectKeysOfFacilities(db, tenantId, ids) : []
  const byId = new Map(
    rows.map((row) => {
      const borrower = { tenantId, borrowerId: row.borrower_id }
      return [row.facility_id, openKey(db, borrower, row.has_key ? row.sealed_key : undefined)]
    }),
  )
  return {
    of(id) {
      const key = byId.get(id)
      if (!key) throw new Error(`the keys were read without that of ${id}`)
      return key
    },
  }
}

export async function readKeyOfFacility(
  db: Db,
  { tenantId, facilityId }: { tenantId: string; facilityId: string },
): Promise<TextKey> {
  return (await readKeysOfFacilities(db, tenantId, [facilityId])).of(facilityId)
}

/** For writing. */
export async function ensureKeyOfFacility(
  tx: Tx,
  { tenantId, facilityId }: { tenantId: string; facilityId: string },
): Promise<TextKey> {
  const [row] = await selectKeysOfFacilities(tx, tenantId, [facilityId])
  if (!row) throw new Error(`there is no facility ${facilityId}`)
  const borrower = { tenantId, borrowerId: row.borrower_id }
  return row.has_key ? openKey(tx, borrower, row.sealed_key) : await ensureBorrowerKey(tx, borrower)
}

export async function openDestination(
  db: Db,
  facility: { tenantId: string; facilityId: string },
  destination: SealedText,
): Promise<string | undefined> {
  return (await readKeyOfFacility(db, facility)).open(destination, 'destination')
}

/** For a payment, which no one is owed who is erased. */
export async function readDestination(
  ...asked: Parameters<typeof openDestination>
): Promise<string> {
  const text = await openDestination(...asked)
  if (text === undefined) throw borrowerErased()
  return text
}

/** The key in a row that was read with it: null is destroyed, undefined not made yet. Refuses `unavailable`
 * where it cannot be opened. */
export function openKey(
  db: Db,
  borrower: BorrowerRef,
  sealedKey: string | null | undefined,
): TextKey {
  try {
    return openBorrowerKey(requireSealer(db), borrower, sealedKey)
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error
    throw new Refusal(
      'unavailable',
      'Personal data cannot be read now: an encryption key is missing. Contact the operator.',
      { retryAfterSeconds: KEY_IS_BACK_SECONDS, cause: error },
    )
  }
}

/** A borrower joined with its key. `sealed_key` and `erased_at` are both null if it has no key yet. */
export type KeyedRow = {
  tenant_id: string
  borrower_id: string
  sealed_key: string | null
  erased_at: Date | null
}

export function openRowKey(db: Db, row: KeyedRow): TextKey {
  const borrower = { tenantId: row.tenant_id, borrowerId: row.borrower_id }
  return openKey(db, borrower, row.erased_at ? null : (row.sealed_key ?? undefined))
}

/** The same for writing: one that has none yet is given it. */
export async function keyOfLocked(tx: Tx, row: KeyedRow): Promise<TextKey> {
  if (row.sealed_key !== null || row.erased_at) return openRowKey(tx, row)
  return await ensureBorrowerKey(tx, { tenantId: row.tenant_id, borrowerId: row.borrower_id })
}

/** An operator needs minutes to restore a key. */
const KEY_IS_BACK_SECONDS = 120

/** Refuses `unavailable` without encryption keys. */
export function requireSealer(db: Db): Sealer {
  const sealer = findSealer(db)
  if (sealer) return sealer
  throw new Refusal(
    'unavailable',
    'ENCRYPTION_KEYS is not set, and this needs personal data: use the list of the API and the worker.',
  )
}

/** Seals all keys with the stack's first one. */
export async function resealBorrowerKeys(db: Db, sealer: Sealer): Promise<Resealed> {
  const borrowerOf = ({ tenant_id: tenantId, borrower_id: borrowerId }: KeyPlace) => ({
    tenantId,
    borrowerId,
  })
  return await resealTable<KeyPlace & { sealed_key: string }>(db, sealer, {
    lock: lockKeysOfOtherStackKeys,
    read: (row) => ({ sealed: row.sealed_key, context: borrowerKeyContext(borrowerOf(row)) }),
    update: (tx, row, sealed) => updateSealedKey(tx, borrowerOf(row), sealed),
  })
}
