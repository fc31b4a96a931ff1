// A reference and a transfer of an erased borrower stay as a digest, so that a second use of one is still found.

import { createHmac, randomBytes } from 'node:crypto'
import type { Resealed, Sealer } from '../../core/sealing.ts'
import { type Db, inTransaction, type Tx } from '../../db/database.ts'
import { resealOne } from '../tenants/reseal.ts'
import { requireSealer } from './borrower-key.ts'
import {
  insertErasureKey,
  isDigestUsed,
  lockErasureKey,
  selectErasureKey,
  updateErasureKey,
} from './digest-queries.ts'

/** `reference`: of what came in, folded. `payout`: of what was paid out. `transfer`: of the provider's account. */
export type DigestKind = 'reference' | 'payout' | 'transfer'

export type Digest = (kind: DigestKind, text: string) => string

/** Every digest begins with it. */
export const ERASED_PREFIX = 'erased.'

const KEY_BYTES = 32
const CONTEXT = 'erasure-key'

/** The first erasure makes the key. */
export async function ensureDigest(tx: Tx): Promise<Digest> {
  const sealer = requireSealer(tx)
  await insertErasureKey(tx, sealer.seal(randomBytes(KEY_BYTES).toString('base64'), CONTEXT))
  const digest = await findDigest(tx)
  if (!digest) throw new Error('the key of erasures was not kept')
  return digest
}

/** Undefined before the first erasure. Throws `DecryptionError`. */
export async function findDigest(db: Db): Promise<Digest | undefined> {
  const sealed = await selectErasureKey(db)
  if (sealed === undefined) return undefined
  const key = Buffer.from(requireSealer(db).open(sealed, CONTEXT), 'base64')
  return (kind, text) => {
    const digest = createHmac('sha256', key).update(`${kind} ${text}`).digest('hex')
    return `${ERASED_PREFIX}${digest}`
  }
}

/** Returns true if an erased borrower has used the text. Call it after the claim is written: it then sees an
 * erasure that the claim has waited for. */
export async function isErasedUse(
  tx: Tx,
  tenantId: string,
  kind: 'reference' | 'transfer',
  text: string,
): Promise<boolean> {
  const digest = await findDigest(tx)
  return (
    digest !== undefined && (await isDigestUsed(tx, { tenantId, kind, digest: digest(kind, text) }))
  )
}

export async function resealErasureKey(db: Db, sealer: Sealer): Promise<Resealed> {
  return await inTransaction(db, async (tx) => {
    const sealed = await lockErasureKey(tx)
    return await resealOne(sealer, { sealed, context: CONTEXT }, (made) =>
      updateErasureKey(tx, made),
    )
  })
}
