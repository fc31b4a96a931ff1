import { hash } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import { DecryptionError, type Resealed, type Sealer } from '../../core/sealing.ts'
import { addMs, DAY_MS, HOUR_MS } from '../../core/time.ts'
import type { Db, Tx } from '../../db/database.ts'
import { readBorrowerKey } from '../personal/borrower-key.ts'
import { openAnswer, type PersonalAnswer } from '../personal/open-answer.ts'
import { purgeTenants } from '../tenants/each-tenant.ts'
import { resealTable } from '../tenants/reseal.ts'
import {
  type AnswerLedger,
  findIn,
  keyReused,
  type Replayable,
  runOnceIn,
} from './answer-ledger.ts'
import {
  deleteRecordsBefore,
  insertRecord,
  type LockedKey,
  lockRecordsOfOtherKeys,
  type RecordRow,
  selectRecord,
  tryLockKey,
  updateSealedBody,
} from './queries.ts'

/** `sentBy`: the API key or the person. */
export type KeyedRequest = { tenantId: string; key: string; fingerprint: Buffer; sentBy: string }

/** The exact text that is sent, so that a replay is identical. */
export type Answer = {
  status: number
  body: string
  /** The body holds this signing secret and is stored encrypted. */
  secretId?: string
  /** Whose sealed texts the body has. */
  personal?: PersonalAnswer
}

/** With the body as it is sent. */
export type KeyedAnswer = Omit<Answer, 'personal'> & { replayed: boolean }

export type SecretReplay = {
  sealer: Sealer
  replayHours: number
  currentSecretId(db: Db, tenantId: string): Promise<string | undefined>
}

export type ReplayTerms = { secrets: SecretReplay; now: Date }

/** SHA-256 of method, target and the body's own hash, so that the parts cannot run together. */
export function fingerprintOf(method: string, target: string, bodyHash: string): Buffer {
  return hash('sha256', `${method}\n${target}\n${bodyHash}`, 'buffer')
}

/** Like `runOnceIn`, and refuses also `secret_not_retrievable` for a secret that another key or person has
 * made, or that is too old, replaced or not decryptable. */
export async function runOnce(
  db: Db,
  request: KeyedRequest,
  terms: ReplayTerms,
  run: (tx: Tx, locked: LockedKey) => Promise<Answer>,
): Promise<KeyedAnswer> {
  return flatten(await runOnceIn(db, ledgerOf(request, terms), run))
}

/** For a check before slow steps. */
export async function findAnswer(
  db: Db,
  request: KeyedRequest,
  terms: ReplayTerms,
): Promise<KeyedAnswer | undefined> {
  const found = await findIn(db, ledgerOf(request, terms))
  return found && flatten(found)
}

const flatten = ({ answer, replayed }: Replayable<Answer>) => ({ ...showAnswer(answer), replayed })

/** The answer with its body as it is sent. */
export function showAnswer({ personal, ...answer }: Answer): Omit<Answer, 'personal'> {
  return personal ? { ...answer, body: openAnswer(answer.body, personal.key) } : answer
}

function ledgerOf(
  request: KeyedRequest,
  terms: ReplayTerms,
): AnswerLedger<Answer, RecordRow, LockedKey> {
  const { tenantId, key } = request
  return {
    tryLock: (tx) => tryLockKey(tx, tenantId, key),
    find: (db) => selectRecord(db, tenantId, key),
    insert: (tx, answer) => insertRecord(tx, toRecord(request, answer, terms)),
    replay: (db, record) => replay(db, request, record, terms),
    primaryKey: 'idempotency_records_pkey',
  }
}

export async function purgeRecords(db: Db, retentionDays: number, now: Date): Promise<number> {
  const before = addMs(now, -retentionDays * DAY_MS)
  return await purgeTenants(db, (page) => deleteRecordsBefore(db, before, page))
}

const sealContext = (request: Pick<KeyedRequest, 'tenantId' | 'key'>) =>
  `idempotency/${request.tenantId}/${request.key}`

/** Earlier builds sealed the body alone: what they stored is shown to no one. */
type SealedAnswer = { sentBy?: string; body: string }

/** The stored answer of a request that created a secret. Throws `DecryptionError`. */
export function openStoredSecret(
  sealed: string,
  request: Pick<KeyedRequest, 'tenantId' | 'key'>,
  sealer: Sealer,
): SealedAnswer {
  return JSON.parse(sealer.open(sealed, sealContext(request)))
}

export async function resealRecords(db: Db, sealer: Sealer): Promise<Resealed> {
  return await resealTable<{ tenant_id: string; key: string; body: string }>(db, sealer, {
    lock: lockRecordsOfOtherKeys,
    read: ({ tenant_id: tenantId, key, body }) => ({
      sealed: body,
      context: sealContext({ tenantId, key }),
    }),
    update: (tx, { tenant_id, key }, sealed) => updateSealedBody(tx, tenant_id, key, sealed),
  })
}

function toRecord(request: KeyedRequest, answer: Answer, { secrets, now }: ReplayTerms) {
  const { sentBy } = request
  const { body, secretId } = answer
  const sealed: SealedAnswer = { sentBy, body }
  return {
    tenant_id: request.tenantId,
    key: request.key,
    fingerprint: request.fingerprint,
    status: answer.status,
    body:
      secretId === undefined
        ? body
        : secrets.sealer.seal(JSON.stringify(sealed), sealContext(request)),
    secret_id: secretId ?? null,
    borrower_id: answer.personal?.borrowerId ?? null,
    recorded_at: now,
  }
}

async function replay(
  db: Db,
  request: KeyedRequest,
  record: RecordRow,
  { secrets, now }: ReplayTerms,
): Promise<Answer> {
  if (!record.fingerprint.equals(request.fingerprint)) {
    throw keyReused()
  }
  if (record.secret_id === null) {
    const { status, body, borrower_id: borrowerId } = record
    if (borrowerId === null) return { status, body }
    const { tenantId } = request
    const key = await readBorrowerKey(db, { tenantId, borrowerId })
    return { status, body, personal: { borrowerId, key } }
  }
  const isCurrent = (await secrets.currentSecretId(db, request.tenantId)) === record.secret_id
  const isRecent = addMs(record.recorded_at, secrets.replayHours * HOUR_MS) >= now
  if (!isCurrent || !isRecent) throw notRetrievable()
  try {
    const { sentBy, body } = openStoredSecret(record.body, request, secrets.sealer)
    if (sentBy !== request.sentBy) throw notRetrievable()
    return { status: record.status, body, secretId: record.secret_id }
  } catch (error) {
    if (error instanceof DecryptionError) throw notRetrievable(error)
    throw error
  }
}

function notRetrievable(cause?: DecryptionError): Refusal {
  return new Refusal(
    'secret_not_retrievable',
    'The secret that this request created is shown again only to the key or person that created it, for a day and while it is current. Create a new one under a new Idempotency-Key.',
    { cause },
  )
}
