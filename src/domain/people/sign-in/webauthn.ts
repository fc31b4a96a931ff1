// The WebAuthn ceremonies. Passkeys are discoverable and always verify their user, so that one is
// possession and knowledge together. Its user handle names its person.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { Refusal } from '../../../core/errors.ts'
import { isId } from '../../../core/ids.ts'
import type { Db } from '../../../db/database.ts'
import { type Audience, LENDER, peopleOf } from '../../../db/sql/people-tables.ts'
import { keyOf, type PersonKey } from '../person.ts'
import { type ChallengeFor, createChallenge, SIGN_IN, takeChallenge } from './challenges.ts'
import { type NewCredential, selectPasskeyByCredential, selectPasskeys } from './passkey-queries.ts'
import type { Session } from './sessions.ts'

export type RelyingParty = { id: string; origin: string }

/** With the first ceremony: it takes some 25 MiB, and many API processes never hold one. */
const loadLibrary = () => import('@simplewebauthn/server')

/** What a ceremony works with. */
export type Ceremony = {
  db: Db
  audience: Audience
  relyingParty: RelyingParty
  now: Date
}

export type UsedPasskey = {
  key: PersonKey
  passkeyId: string
  counter: { before: bigint; after: bigint }
  heldSince: Date | undefined
}

export type { AuthenticationResponseJSON, RegistrationResponseJSON }

/** ES256, EdDSA and RS256: what authenticators make. */
const ALGORITHMS = [-7, -8, -257]
/** Of a credential, as WebAuthn allows. */
const MAX_ID_BYTES = 1_023

const addition = ({ person }: Session): ChallengeFor => ({
  purpose: 'add_passkey',
  subject: person.id,
})

/** As authenticators show it. */
const SITES = { tenant: 'Lending service console', lender: 'Lending service desk' }

export async function optionsToAdd(ceremony: Ceremony, session: Session) {
  const { db, audience, relyingParty, now } = ceremony
  const known = await selectPasskeys(db, keyOf(session), now)
  const challenge = await createChallenge(db, audience, addition(session), now)
  const { generateRegistrationOptions } = await loadLibrary()
  return await generateRegistrationOptions({
    rpName: SITES[audience],
    rpID: relyingParty.id,
    userName: session.person.email,
    userDisplayName: session.person.name,
    userID: new Uint8Array(Buffer.from(toHandle(session))),
    challenge: new Uint8Array(challenge),
    attestationType: 'none',
    excludeCredentials: known.map(toDescriptor),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

/** Refuses `passkey_invalid`. */
export async function verifyAddition(
  ceremony: Ceremony,
  session: Session,
  response: RegistrationResponseJSON,
): Promise<NewCredential> {
  const { relyingParty } = ceremony
  const expectedChallenge = await takeAnswered(ceremony, addition(session), response.response)
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
export async function optionsToSignIn(ceremony: Ceremony) {
  const { db, audience, relyingParty, now } = ceremony
  const { generateAuthenticationOptions } = await loadLibrary()
  return await generateAuthenticationOptions({
    rpID: relyingParty.id,
    challenge: new Uint8Array(await createChallenge(db, audience, SIGN_IN, now)),
    userVerification: 'required',
  })
}

/** Refuses `passkey_invalid`. */
export async function verifySignIn(
  ceremony: Ceremony,
  response: AuthenticationResponseJSON,
): Promise<UsedPasskey> {
  const handle = Buffer.from(response.response.userHandle ?? '', 'base64url').toString()
  const key = fromHandle(ceremony.audience, handle)
  if (!key) throw invalid()
  return await verifyUse(ceremony, response, { key, wanted: SIGN_IN })
}

/** One of the person's own passkeys, for this act alone. Refuses `passkey_required` without one. */
export async function optionsToConfirm(ceremony: Ceremony, key: PersonKey, wanted: ChallengeFor) {
  const { db, audience, relyingParty, now } = ceremony
  const known = await selectPasskeys(db, key, now)
  if (known.length === 0) throw new Refusal('passkey_required', 'Add a passkey first.')
  const { generateAuthenticationOptions } = await loadLibrary()
  return await generateAuthenticationOptions({
    rpID: relyingParty.id,
    challenge: new Uint8Array(await createChallenge(db, audience, wanted, now)),
    allowCredentials: known.map(toDescriptor),
    userVerification: 'required',
  })
}

/** Verifies one of the person's passkeys. Refuses `passkey_invalid`. */
export async function verifyUse(
  ceremony: Ceremony,
  response: AuthenticationResponseJSON,
  { key, wanted }: { key: PersonKey; wanted: ChallengeFor },
): Promise<UsedPasskey> {
  const { db, relyingParty, now } = ceremony
  const credentialId = Buffer.from(response.id, 'base64url')
  const passkey = await selectPasskeyByCredential(db, key, credentialId, now)
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
  const heldSince = passkey.held_since ?? undefined
  return { key, passkeyId: passkey.passkey_id, counter, heldSince }
}

/** Uses up the challenge that the answer names, whether the answer then verifies or not. */
async function takeAnswered(
  { db, audience, now }: Ceremony,
  wanted: ChallengeFor,
  { clientDataJSON }: { clientDataJSON: string },
): Promise<string> {
  const challenge = readChallenge(clientDataJSON)
  if (challenge === undefined) throw invalid()
  const isKnown = await takeChallenge(db, audience, { ...wanted, given: challenge }, now)
  if (!isKnown) throw invalid()
  return challenge
}

/** The user handle, which a passkey returns at a sign-in. */
function toHandle({ people, person }: Session): string {
  return people.audience === 'tenant' ? `${people.tenantId}/${person.id}` : person.id
}

/** Undefined for a handle of another form. */
function fromHandle(audience: Audience, handle: string): PersonKey | undefined {
  if (audience === 'lender') {
    return isId('opr', handle) ? { ...LENDER, personId: handle } : undefined
  }
  const [tenantId = '', personId = ''] = handle.split('/')
  if (!isId('ten', tenantId) || !isId('per', personId)) return undefined
  return { ...peopleOf(tenantId), personId }
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
