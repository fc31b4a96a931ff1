import type { Ceremony } from '../../domain/console/sign-in/webauthn.ts'
import type { RouteContext } from '../route-context.ts'

export function ceremonyOf({ config, db, clock }: RouteContext): Ceremony {
  const { origin, relyingPartyId: id } = config.console
  return { db, relyingParty: { id, origin }, now: clock() }
}
