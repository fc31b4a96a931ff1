import {
  DecryptionError,
  noneResealed,
  type Resealed,
  reseal,
  type Sealer,
} from '../../core/sealing.ts'
import { type Db, inTransaction, type Tx } from '../../db/database.ts'
import type { TenantScope } from '../../db/tenant-scope.ts'
import { listScopes } from './each-tenant.ts'

const BATCH = 500

/** A table of texts that are encrypted, each in the context of its row. */
type SealedTable<Row> = {
  /** Locks rows that another key than `keyId` has encrypted, in an order that goes on after a row. */
  lock(
    tx: Tx,
    keyId: string,
    page: { tenantId: TenantScope; after: Row | undefined; limit: number },
  ): Promise<Row[]>
  read(row: Row): { sealed: string; context: string }
  update(tx: Tx, row: Row, sealed: string): Promise<unknown>
}

/** Encrypts the rows of every tenant with the sealer's first key, a few in each transaction. */
export async function resealTable<Row>(
  db: Db,
  sealer: Sealer,
  table: SealedTable<Row>,
): Promise<Resealed> {
  const outcome = noneResealed()
  for (const tenantId of await listScopes(db)) {
    let after: Row | undefined
    do {
      const page = { tenantId, after, limit: BATCH }
      const { rows, failedKeyIds } = await inTransaction(db, (tx) =>
        resealPage(tx, sealer, table, page),
      )
      outcome.resealed += rows.length - failedKeyIds.length
      outcome.failed += failedKeyIds.length
      for (const keyId of failedKeyIds) outcome.failedKeyIds.add(keyId)
      after = rows.length < BATCH ? undefined : rows.at(-1)
    } while (after !== undefined)
  }
  return outcome
}

async function resealPage<Row>(
  tx: Tx,
  sealer: Sealer,
  { lock, read, update }: SealedTable<Row>,
  page: Parameters<SealedTable<Row>['lock']>[2],
) {
  const rows = await lock(tx, sealer.keyId, page)
  const failedKeyIds: string[] = []
  for (const row of rows) {
    const { sealed, context } = read(row)
    const made = reseal(sealer, sealed, context)
    if (made instanceof DecryptionError) failedKeyIds.push(made.keyId)
    else await update(tx, row, made)
  }
  return { rows, failedKeyIds }
}

/** Encrypts one text with the sealer's first key; `sealed` is undefined where there is none. */
export async function resealOne(
  sealer: Sealer,
  { sealed, context }: { sealed: string | null | undefined; context: string },
  update: (sealed: string) => Promise<unknown>,
): Promise<Resealed> {
  const outcome = noneResealed()
  if (!sealed || sealed.startsWith(`${sealer.keyId}.`)) return outcome
  const made = reseal(sealer, sealed, context)
  if (made instanceof DecryptionError) {
    return { ...outcome, failed: 1, failedKeyIds: new Set([made.keyId]) }
  }
  await update(made)
  return { ...outcome, resealed: 1 }
}
