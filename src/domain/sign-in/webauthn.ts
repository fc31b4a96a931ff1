// The WebAuthn ceremonies. Passkeys are discoverable and always verify their user, so that one is
// possession and knowledge together. Its user handle names its owner.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { Refusal } from '../../core/errors.ts'
import type { Db } from '../../db/database.ts'
import { type ChallengeFor, createChallenge, SIGN_IN, takeChallenge } from './challenges.ts'
import type { Holder, NewCredential, PasskeyStore } from './passkey-store.ts'

export type RelyingParty = { id: string; origin: string }

/** With the first ceremony: it takes some 25 MiB, and many API processes never hold one. */
const loadLibrary = () => import('@simplewebauthn/server')

/** What a ceremony works with. */
export type Ceremony<Owner> = {
  db: Db
  store: PasskeyStore<Owner>
  relyingParty: RelyingParty
  now: Date
}

export type UsedPasskey<Owner> = {
  owner: Owner
  passkeyId: string
  counter: { before: bigint; after: bigint }
}

export type { AuthenticationResponseJSON, RegistrationResponseJSON }

/** ES256, EdDSA and RS256: what authenticators make. */
const ALGORITHMS = [-7, -8, -257]
/** Of a credential, as WebAuthn allows. */
const MAX_ID_BYTES = 1_023

const addition = ({ personId }: Holder<unknown>): ChallengeFor => ({
  purpose: 'add_passkey',
  subject: personId,
})

export async function optionsToAdd<Owner>(ceremony: Ceremony<Owner>, holder: Holder<Owner>) {
  const { db, store, relyingParty, now } = ceremony
  const known = await store.list(db, holder.owner)
  const challenge = await createChallenge(db, store.challenges, addition(holder), now)
  const { generateRegistrationOptions } = await loadLibrary()
  return await generateRegistrationOptions({
    rpName: store.siteName,
    rpID: relyingParty.id,
    userName: holder.email,
    userDisplayName: holder.name,
    userID: new Uint8Array(Buffer.from(store.toHandle(holder.owner))),
    challenge: new Uint8Array(challenge),
    attestationType: 'none',
    excludeCredentials: known.map(toDescriptor),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

/** Refuses `passkey_invalid`. */
export async function verifyAddition<Owner>(
  ceremony: Ceremony<Owner>,
  holder: Holder<Owner>,
  response: RegistrationResponseJSON,
): Promise<NewCredential> {
  const { relyingParty } = ceremony
  const expectedChallenge = await takeAnswered(ceremony, addition(holder), response.response)
  const { verifyRegistrationResponse } = await loadLibrary()
  const { registrationInfo } = await asPasskey(() =>
    verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  )
  if (!registrationInfo) throw invalid()
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  const credentialId = Buffer.from(id, 'base64url')
  if (credentialId.length === 0 || credentialId.length > MAX_ID_BYTES) throw invalid()
  return { credentialId, publicKey: Buffer.from(publicKey), counter, transports }
}

/** No passkey is named: the browser offers those that it has for this address. */
export async function optionsToSignIn<Owner>(ceremony: Ceremony<Owner>) {
  const { db, store, relyingParty, now } = ceremony
  const { generateAuthenticationOptions } = await loadLibrary()
  return await generateAuthenticationOptions({
    rpID: relyingParty.id,
    challenge: new Uint8Array(await createChallenge(db, store.challenges, SIGN_IN, now)),
    userVerification: 'required',
  })
}

/** Refuses `passkey_invalid`. */
export async function verifySignIn<Owner>(
  ceremony: Ceremony<Owner>,
  response: AuthenticationResponseJSON,
): Promise<UsedPasskey<Owner>> {
  const handle = Buffer.from(response.response.userHandle ?? '', 'base64url').toString()
  const owner = ceremony.store.fromHandle(handle)
  if (owner === undefined) throw invalid()
  return await verifyUse(ceremony, response, { owner, wanted: SIGN_IN })
}

/** One of the person's own passkeys, for this act alone. Refuses `passkey_required` without one. */
export async function optionsToConfirm<Owner>(
  ceremony: Ceremony<Owner>,
  owner: Owner,
  wanted: ChallengeFor,
) {
  const { db, store, relyingParty, now } = ceremony
  const known = await store.list(db, owner)
  if (known.length === 0) throw new Refusal('passkey_required', 'Add a passkey first.')
  const { generateAuthenticationOptions } = await loadLibrary()
  return await generateAuthenticationOptions({
    rpID: relyingParty.id,
    challenge: new Uint8Array(await createChallenge(db, store.challenges, wanted, now)),
    allowCredentials: known.map(toDescriptor),
    userVerification: 'required',
  })
}

/** By one of the owner's passkeys. Refuses `passkey_invalid`. */
export async function verifyUse<Owner>(
  ceremony: Ceremony<Owner>,
  response: AuthenticationResponseJSON,
  { owner, wanted }: { owner: Owner; wanted: ChallengeFor },
): Promise<UsedPasskey<Owner>> {
  const { db, store, relyingParty } = ceremony
  const passkey = await store.find(db, owner, Buffer.from(response.id, 'base64url'))
  if (!passkey) throw invalid()
  const expectedChallenge = await takeAnswered(ceremony, wanted, response.response)
  const { verifyAuthenticationResponse } = await loadLibrary()
  const { verified, authenticationInfo } = await asPasskey(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      credential: {
        id: response.id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: Number(passkey.counter),
      },
      requireUserVerification: true,
    }),
  )
  if (!verified) throw invalid()
  const counter = { before: passkey.counter, after: BigInt(authenticationInfo.newCounter) }
  return { owner, passkeyId: passkey.passkey_id, counter }
}

/** Uses up the challenge that the answer names, whether the answer then verifies or not. */
async function takeAnswered(
  { db, store, now }: Ceremony<unknown>,
  wanted: ChallengeFor,
  { clientDataJSON }: { clientDataJSON: string },
): Promise<string> {
  const challenge = readChallenge(clientDataJSON)
  if (challenge === undefined) throw invalid()
  const isKnown = await takeChallenge(db, store.challenges, { ...wanted, given: challenge }, now)
  if (!isKnown) throw invalid()
  return challenge
}

function readChallenge(clientDataJson: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString())
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

function toDescriptor(row: { credential_id: Buffer; transports: string[] }) {
  return { id: row.credential_id.toString('base64url'), transports: row.transports }
}

/** The library throws an Error for each fault of the answer. */
async function asPasskey<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify()
  } catch (error) {
    throw invalid(error)
  }
}

function invalid(cause?: unknown): Refusal {
  const detail = 'The passkey does not verify: it is unknown here, or its answer came too late.'
  return new Refusal('passkey_invalid', detail, { cause })
}
