import type { Db, Tx } from '../../db/database.ts'
import type { ChallengeTable } from './challenge-queries.ts'

/** What an authenticator has made. */
export type NewCredential = {
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  transports: readonly string[]
}

export type NewPasskeyRow = NewCredential & { passkeyId: string; name: string; createdAt: Date }

type KnownPasskey = {
  passkey_id: string
  credential_id: Buffer
  transports: string[]
  name: string
  created_at: Date
  last_used_at: Date | null
}

/** The passkeys of one kind of people: of tenants, or operators. */
export type PasskeyStore<Owner> = {
  /** As authenticators show it. */
  siteName: string
  challenges: ChallengeTable
  /** The user handle, which a passkey returns at a sign-in. */
  toHandle(owner: Owner): string
  /** Undefined for a handle of another form. */
  fromHandle(handle: string): Owner | undefined
  list(db: Db, owner: Owner): Promise<KnownPasskey[]>
  count(db: Db, owner: Owner): Promise<number>
  /** None of another owner, and none of one who was removed. */
  find(
    db: Db,
    owner: Owner,
    credentialId: Buffer,
  ): Promise<{ passkey_id: string; public_key: Buffer; counter: bigint } | undefined>
  insert(tx: Tx, owner: Owner, passkey: NewPasskeyRow): Promise<void>
  /** False where another use of the same counter came first. */
  markUsed(tx: Tx, owner: Owner, use: PasskeyUse): Promise<boolean>
  /** Returns its name; undefined where there is no such passkey. */
  remove(tx: Tx, owner: Owner, passkeyId: string): Promise<string | undefined>
  lockOwner(tx: Tx, owner: Owner): Promise<unknown>
  isSessionOpen(tx: Tx, owner: Owner, sessionId: string): Promise<boolean>
  /** Frees the session from asking for a passkey. */
  markAdded(tx: Tx, owner: Owner, sessionId: string): Promise<void>
}

export type PasskeyUse = { passkeyId: string; from: bigint; to: bigint; now: Date }

/** Who is signed in, and by which session. */
export type Holder<Owner> = {
  owner: Owner
  personId: string
  sessionId: string
  email: string
  name: string
}
