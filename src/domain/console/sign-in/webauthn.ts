// The WebAuthn ceremonies. Passkeys are discoverable and always verify their user, so that one is
// possession and knowledge together. Its user handle names tenant and person.
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { Refusal } from '../../../core/errors.ts'
import { isId } from '../../../core/ids.ts'
import type { Db } from '../../../db/database.ts'
import { type ChallengeFor, createChallenge, takeChallenge } from './challenges.ts'
import { selectPasskeyByCredential, selectPasskeys } from './passkey-queries.ts'
import type { ConsoleSession } from './sessions.ts'

export type RelyingParty = { id: string; origin: string }

/** What a ceremony works with. */
export type Ceremony = { db: Db; relyingParty: RelyingParty; now: Date }

export type NewCredential = {
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  transports: readonly string[]
}

export type UsedPasskey = {
  tenantId: string
  personId: string
  passkeyId: string
  counter: { before: bigint; after: bigint }
}

export type { AuthenticationResponseJSON, RegistrationResponseJSON }

const NAME = 'Lending service console'
/** ES256, EdDSA and RS256: what authenticators make. */
const ALGORITHMS = [-7, -8, -257]
/** Of a credential, as WebAuthn allows. */
const MAX_ID_BYTES = 1_023
const SIGN_IN: ChallengeFor = { purpose: 'sign_in', subject: '' }

const addition = ({ person }: ConsoleSession): ChallengeFor => ({
  purpose: 'add_passkey',
  subject: person.id,
})

/** What a session alone is not enough for. */
export type ConfirmedAct = 'add_passkey' | 'invite' | { revokeKey: string }

/** An invitation is for a passkey too, of another person. */
function confirmation({ id, person }: ConsoleSession, act: ConfirmedAct): ChallengeFor {
  if (act === 'add_passkey') return { purpose: act, subject: `${person.id}/${id}` }
  if (act === 'invite') return { purpose: 'add_passkey', subject: `${person.id}/${id}/invite` }
  return { purpose: 'revoke_key', subject: `${person.id}/${act.revokeKey}` }
}

export async function optionsToAdd({ db, relyingParty, now }: Ceremony, session: ConsoleSession) {
  const { person, tenant } = session
  const known = await selectPasskeys(db, tenant.id, person.id)
  return await generateRegistrationOptions({
    rpName: NAME,
    rpID: relyingParty.id,
    userName: person.email,
    userDisplayName: person.name,
    userID: new Uint8Array(Buffer.from(`${tenant.id}/${person.id}`)),
    challenge: new Uint8Array(await createChallenge(db, addition(session), now)),
    attestationType: 'none',
    excludeCredentials: known.map(toDescriptor),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

/** Refuses `passkey_invalid`. */
export async function verifyAddition(
  ceremony: Ceremony,
  session: ConsoleSession,
  response: RegistrationResponseJSON,
): Promise<NewCredential> {
  const { relyingParty } = ceremony
  const expectedChallenge = await takeAnswered(ceremony, addition(session), response.response)
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
export async function optionsToSignIn({ db, relyingParty, now }: Ceremony) {
  return await generateAuthenticationOptions({
    rpID: relyingParty.id,
    challenge: new Uint8Array(await createChallenge(db, SIGN_IN, now)),
    userVerification: 'required',
  })
}

/** Refuses `passkey_invalid`. */
export async function verifySignIn(
  ceremony: Ceremony,
  response: AuthenticationResponseJSON,
): Promise<UsedPasskey> {
  const handle = Buffer.from(response.response.userHandle ?? '', 'base64url').toString()
  const [tenantId = '', personId = ''] = handle.split('/')
  if (!isId('ten', tenantId) || !isId('per', personId)) throw invalid()
  return await verifyUse(ceremony, response, { tenantId, personId, wanted: SIGN_IN })
}

/** One of the person's own passkeys, for this act alone. Refuses `passkey_required` without one. */
export async function optionsToConfirm(
  ceremony: Ceremony,
  session: ConsoleSession,
  act: ConfirmedAct,
) {
  const { db, relyingParty, now } = ceremony
  const known = await selectPasskeys(db, session.tenant.id, session.person.id)
  if (known.length === 0) throw new Refusal('passkey_required', 'Add a passkey first.')
  return await generateAuthenticationOptions({
    rpID: relyingParty.id,
    challenge: new Uint8Array(await createChallenge(db, confirmation(session, act), now)),
    allowCredentials: known.map(toDescriptor),
    userVerification: 'required',
  })
}

/** Refuses `passkey_invalid`. */
export async function verifyConfirmation(
  ceremony: Ceremony,
  session: ConsoleSession,
  act: ConfirmedAct,
  response: AuthenticationResponseJSON,
): Promise<UsedPasskey> {
  const { tenant, person } = session
  const given = { tenantId: tenant.id, personId: person.id, wanted: confirmation(session, act) }
  return await verifyUse(ceremony, response, given)
}

async function verifyUse(
  ceremony: Ceremony,
  response: AuthenticationResponseJSON,
  given: { tenantId: string; personId: string; wanted: ChallengeFor },
): Promise<UsedPasskey> {
  const { db, relyingParty } = ceremony
  const credentialId = Buffer.from(response.id, 'base64url')
  const passkey = await selectPasskeyByCredential(db, given.tenantId, credentialId)
  if (passkey?.person_id !== given.personId) throw invalid()
  const expectedChallenge = await takeAnswered(ceremony, given.wanted, response.response)
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
  const { tenant_id: tenantId, person_id: personId, passkey_id: passkeyId } = passkey
  return { tenantId, personId, passkeyId, counter }
}

/** Uses up the challenge that the answer names, whether the answer then verifies or not. */
async function takeAnswered(
  { db, now }: Ceremony,
  wanted: ChallengeFor,
  { clientDataJSON }: { clientDataJSON: string },
): Promise<string> {
  const challenge = readChallenge(clientDataJSON)
  const isKnown = challenge !== undefined && (await takeChallenge(db, wanted, challenge, now))
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
