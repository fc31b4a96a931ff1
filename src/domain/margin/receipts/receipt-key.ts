import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'
import { noneResealed, type Resealed, type Sealer } from '../../../core/sealing.ts'
import { type Db, inTransaction, type Tx } from '../../../db/database.ts'
import { resealOne } from '../../tenants/reseal.ts'
import {
  insertKey,
  retireKey,
  selectCurrentKey,
  selectKeys,
  updateSealedKey,
} from './key-queries.ts'

export type ReceiptKey = {
  keyId: string
  /** 32 raw bytes. */
  publicKey: Buffer
  /** The 64 bytes of an Ed25519 signature. */
  sign(bytes: Buffer): Buffer
}

export type PublicReceiptKey = {
  keyId: string
  publicKey: Buffer
  createdAt: Date
  retiredAt: Date | undefined
}

const RAW_BYTES = 32
const KEY_ID_CHARACTERS = 32

/** The stack's current key. Made where there is none yet. `now` is real time. */
export async function loadReceiptKey(tx: Tx, sealer: Sealer, now: Date): Promise<ReceiptKey> {
  await makeReceiptKey(tx, sealer, now)
  const key = await openReceiptKey(tx, sealer)
  if (!key) throw new Error('the stack has no receipt key')
  return key
}

/** The stack's current key. Undefined before the first migration that had an encryption key. */
export async function openReceiptKey(db: Db, sealer: Sealer): Promise<ReceiptKey | undefined> {
  const row = await selectCurrentKey(db)
  const { key_id: keyId, public_key: publicKey, sealed } = row ?? {}
  if (!keyId || !publicKey || !sealed) return undefined
  const der = Buffer.from(sealer.open(sealed, contextOf(keyId)), 'base64')
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return { keyId, publicKey, sign: (bytes) => sign(null, bytes, key) }
}

/** Makes a key if there is none. `now` is real time. */
export async function makeReceiptKey(tx: Tx, sealer: Sealer, now: Date): Promise<void> {
  if (!(await selectCurrentKey(tx))) await insertKey(tx, makeKey(sealer, now))
}

/** From now on receipts are signed by a new key. Returns its id. */
export async function rotateReceiptKey(tx: Tx, sealer: Sealer, now: Date): Promise<string> {
  const current = await selectCurrentKey(tx)
  if (current) await retireKey(tx, current.key_id, now)
  const made = makeKey(sealer, now)
  await insertKey(tx, made)
  return made.key_id
}

/** Oldest first. */
export async function listReceiptKeys(db: Db): Promise<PublicReceiptKey[]> {
  return (await selectKeys(db)).map((row) => ({
    keyId: row.key_id,
    publicKey: row.public_key,
    createdAt: row.created_at,
    retiredAt: row.retired_at ?? undefined,
  }))
}

/** Seals the current private half with the sealer's first key. */
export async function resealReceiptKey(db: Db, sealer: Sealer): Promise<Resealed> {
  return await inTransaction(db, async (tx) => {
    const row = await selectCurrentKey(tx)
    if (!row) return noneResealed()
    const { key_id: keyId, sealed } = row
    return await resealOne(sealer, { sealed, context: contextOf(keyId) }, (made) =>
      updateSealedKey(tx, keyId, made),
    )
  })
}

function makeKey(sealer: Sealer, now: Date) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-RAW_BYTES)
  const keyId = keyIdOf(raw)
  return {
    key_id: keyId,
    public_key: Buffer.from(raw),
    sealed: sealer.seal(toText(privateKey), contextOf(keyId)),
    created_at: now,
    retired_at: null,
  }
}

const toText = (key: KeyObject) => key.export({ format: 'der', type: 'pkcs8' }).toString('base64')

/** Follows from the key, so that a receipt cannot name one and carry another. */
function keyIdOf(publicKey: Buffer): string {
  const hash = createHash('sha256').update(publicKey).digest('hex')
  return `rck_${hash.slice(0, KEY_ID_CHARACTERS)}`
}

const contextOf = (keyId: string) => `receipt key ${keyId}`
