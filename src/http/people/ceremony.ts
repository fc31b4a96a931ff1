import type { Ceremony } from '../../domain/people/sign-in/webauthn.ts'
import type { DoorFrame } from './door.ts'

export function ceremonyOf(door: DoorFrame): Ceremony {
  const { db, audience, relyingPartyId: id, origin, clock } = door
  return { db, audience, relyingParty: { id, origin }, now: clock() }
}
