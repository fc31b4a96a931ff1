import { sql } from 'kysely'
import {
  type BorrowerRef,
  digestOnce,
  makeBorrowerKey,
  openBorrowerKey,
  sealOnce,
  type TextKey,
} from '../../core/personal-text.ts'
import type { Sealer } from '../../core/sealing.ts'
import { type Db, inTransaction, type Tx } from '../database.ts'
import { type MigrationOptions, retryForLocks } from './run-migrations.ts'
import { SEALED_TABLES, type SealedTable, sealedClauses } from './sealed-tables.ts'

/**
 * Seals the rows of releases before borrowers had keys, and has the database refuse clear text from then on.
 * Each batch is a transaction with all rows of its borrowers, under the locks that requests take; the service
 * goes on beside it, and a run that was cut off is run again. Does nothing once all is sealed. Throws without
 * a sealer if there is a borrower.
 */
export async function sealPersonalData(
  db: Db,
  sealer: Sealer | undefined,
  options: MigrationOptions = {},
): Promise<void> {
  const left = await selectUnchecked(db)
  if (left.length === 0) return
  for (const tenantId of await selectTenants(db)) {
    await sealBorrowers(db, sealer, tenantId, options)
    await sealAnswers(db, sealer, tenantId, options)
  }
  for (const { table, isThere } of left) {
    const name = sql.id(nameOf(table.table))
    if (!isThere) {
      await retryForLocks(
        `the check of ${table.table}`,
        () =>
          withLockTimeout(db, (tx) =>
            sql`ALTER TABLE ${sql.table(table.table)} ADD CONSTRAINT ${name}
              CHECK (${sql.raw(sealedClauses(table))}) NOT VALID`.execute(tx),
          ),
        options,
      )
    }
    await retryForLocks(
      `the check of ${table.table}`,
      () =>
        withLockTimeout(db, (tx) =>
          sql`ALTER TABLE ${sql.table(table.table)} VALIDATE CONSTRAINT ${name}`.execute(tx),
        ),
      options,
    )
  }
}

const nameOf = (table: string) => `${table}_sealed`

/** Tables without their check, or with one that is not valid yet. */
async function selectUnchecked(db: Db): Promise<{ table: SealedTable; isThere: boolean }[]> {
  const names = SEALED_TABLES.map(({ table }) => nameOf(table))
  const { rows } = await sql<{ name: string; is_valid: boolean }>`
    SELECT conname AS name, convalidated AS is_valid FROM pg_constraint
    WHERE connamespace = current_schema::regnamespace AND conname = ANY (${names})`.execute(db)
  const validOf = new Map(rows.map((row) => [row.name, row.is_valid]))
  return SEALED_TABLES.filter(({ table }) => validOf.get(nameOf(table)) !== true).map((table) => ({
    table,
    isThere: validOf.has(nameOf(table.table)),
  }))
}

async function selectTenants(db: Db): Promise<string[]> {
  const { rows } = await sql<{ tenant_id: string }>`
    SELECT tenant_id FROM tenants ORDER BY tenant_id`.execute(db)
  return rows.map((row) => row.tenant_id)
}

/** A statement on which others queue behind a lock gives up, and is tried again. */
async function withLockTimeout<T>(db: Db, run: (tx: Tx) => Promise<T>): Promise<T> {
  return await inTransaction(db, async (tx) => {
    tx.limitStatements(0)
    tx.send(sql`SELECT set_config('lock_timeout', '1000', true)`)
    return await run(tx)
  })
}

/** Few, because requests about them wait. */
const BORROWERS = 50

async function sealBorrowers(
  db: Db,
  sealer: Sealer | undefined,
  tenantId: string,
  options: MigrationOptions,
): Promise<void> {
  for (let after = ''; ; ) {
    const sealed = await retryForLocks(
      'the personal data of borrowers',
      () => withLockTimeout(db, (tx) => sealBatch(tx, sealer, { tenantId, after })),
      options,
    )
    const last = sealed.at(-1)
    if (last === undefined) return
    after = last
  }
}

async function sealBatch(
  tx: Tx,
  sealer: Sealer | undefined,
  { tenantId, after }: { tenantId: string; after: string },
): Promise<string[]> {
  const { rows } = await sql<{ borrower_id: string }>`
    SELECT borrower_id FROM borrowers WHERE tenant_id = ${tenantId} AND borrower_id > ${after}
    ORDER BY borrower_id LIMIT ${BORROWERS} FOR NO KEY UPDATE`.execute(tx)
  const ids = rows.map((row) => row.borrower_id)
  if (ids.length === 0) return []
  tx.send(sql`SELECT FROM facilities
    WHERE tenant_id = ${tenantId} AND borrower_id = ANY (${ids}::text[])
    ORDER BY facility_id FOR NO KEY UPDATE`)
  const keys = await ensureKeys(tx, required(sealer), tenantId, ids)
  for (const table of SEALED_TABLES) await sealTable(tx, table, { tenantId, ids, keys })
  return ids
}

function required(sealer: Sealer | undefined): Sealer {
  if (sealer) return sealer
  throw new Error(
    'ENCRYPTION_KEYS is not set, and personal data is to be sealed: use the list of the API and the worker',
  )
}

async function ensureKeys(
  tx: Tx,
  sealer: Sealer,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, TextKey>> {
  const refs = ids.map((borrowerId): BorrowerRef => ({ tenantId, borrowerId }))
  await sql`
    INSERT INTO borrower_keys (tenant_id, borrower_id, sealed_key)
    SELECT ${tenantId}, made.borrower_id, made.sealed_key
    FROM unnest(${ids}::text[], ${refs.map((ref) => makeBorrowerKey(sealer, ref))}::text[])
      AS made (borrower_id, sealed_key)
    ON CONFLICT DO NOTHING`.execute(tx)
  const { rows } = await sql<{ borrower_id: string; sealed_key: string | null }>`
    SELECT borrower_id, sealed_key FROM borrower_keys
    WHERE tenant_id = ${tenantId} AND borrower_id = ANY (${ids}::text[])`.execute(tx)
  return new Map(
    rows.map(({ borrower_id: borrowerId, sealed_key: sealed }) => [
      borrowerId,
      openBorrowerKey(sealer, { tenantId, borrowerId }, sealed),
    ]),
  )
}

type Batch = { tenantId: string; ids: readonly string[]; keys: ReadonlyMap<string, TextKey> }

async function sealTable(tx: Tx, sealed: SealedTable, { tenantId, ids, keys }: Batch) {
  const columns = Object.keys(sealed.columns)
  const { rows } = await sql<Record<string, string | number | null>>`
    SELECT ${sql.ref(`${sealed.owner}.borrower_id`)} AS owner_id,
      ${sql.join([...sealed.key, ...columns].map((column) => sql.ref(`t.${column}`)))}
    FROM ${sql.table(sealed.table)} t ${sealed.via ?? sql``}
    WHERE t.tenant_id = ${tenantId} AND ${sql.ref(`${sealed.owner}.borrower_id`)} = ANY (${ids}::text[])`.execute(
    tx,
  )
  for (const row of rows) {
    const { owner_id: ownerId } = row
    const key = keys.get(String(ownerId))
    if (!key || key.isErased) continue
    const changes = columns.flatMap((column) => {
      const text = row[column]
      const kind = sealed.columns[column]
      if (typeof text !== 'string' || kind === undefined) return []
      const after = kind === 'digest' ? digestOnce(key, text) : sealOnce(key, text, kind)
      return after === text ? [] : [sql`${sql.id(column)} = ${after}`]
    })
    if (changes.length === 0) continue
    const isRow = sealed.key.map((column) => sql`${sql.id(column)} = ${row[column]}`)
    tx.send(sql`UPDATE ${sql.table(sealed.table)} SET ${sql.join(changes)}
      WHERE tenant_id = ${tenantId} AND ${sql.join(isRow, sql` AND `)}`)
  }
}

const ANSWERS = 500

type StoredAnswer = {
  destination?: unknown
  facility_id?: unknown
  reference?: unknown
  channel?: unknown
}

/** Answers that requests are given again: one to a draw has its destination, one to a notice its reference. */
async function sealAnswers(
  db: Db,
  sealer: Sealer | undefined,
  tenantId: string,
  options: MigrationOptions,
): Promise<void> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const last = await retryForLocks(
      'stored answers',
      () => withLockTimeout(db, (tx) => sealAnswerBatch(tx, sealer, { tenantId, after })),
      options,
    )
    if (last === undefined) return
    after = last
  }
}

async function sealAnswerBatch(
  tx: Tx,
  sealer: Sealer | undefined,
  { tenantId, after }: { tenantId: string; after: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ key: string; body: string }>`
    SELECT key::text AS key, body FROM idempotency_records
    WHERE tenant_id = ${tenantId} AND key > ${after}::uuid AND status = 201
      AND secret_id IS NULL AND borrower_id IS NULL
      AND (body LIKE '%"destination":%' OR body LIKE '%"reference":%')
    ORDER BY key LIMIT ${ANSWERS} FOR UPDATE`.execute(tx)
  for (const { key, body } of rows) {
    const answer: StoredAnswer = JSON.parse(body)
    const { destination, facility_id: facilityId, reference, channel } = answer
    if (typeof destination === 'string' && typeof facilityId === 'string') {
      const borrowerId = await findBorrower(tx, tenantId, facilityId)
      if (borrowerId === undefined) continue
      const keys = await ensureKeys(tx, required(sealer), tenantId, [borrowerId])
      const textKey = keys.get(borrowerId)
      if (!textKey || textKey.isErased) continue
      const sealed = sealOnce(textKey, destination, 'destination')
      await updateAnswer(tx, { tenantId, key, borrowerId }, { ...answer, destination: sealed })
    } else if (reference !== undefined && channel !== undefined) {
      // The answer does not state whose it is: it is given again without its reference.
      const { reference: _reference, ...rest } = answer
      await updateAnswer(tx, { tenantId, key, borrowerId: null }, rest)
    }
  }
  return rows.at(-1)?.key
}

async function findBorrower(
  tx: Tx,
  tenantId: string,
  facilityId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ borrower_id: string }>`
    SELECT borrower_id FROM facilities
    WHERE tenant_id = ${tenantId} AND facility_id = ${facilityId}`.execute(tx)
  return rows[0]?.borrower_id
}

async function updateAnswer(
  tx: Tx,
  { tenantId, key, borrowerId }: { tenantId: string; key: string; borrowerId: string | null },
  answer: StoredAnswer,
): Promise<void> {
  await sql`
    UPDATE idempotency_records SET body = ${JSON.stringify(answer)}, borrower_id = ${borrowerId}
    WHERE tenant_id = ${tenantId} AND key = ${key}::uuid`.execute(tx)
}
