import { PEOPLE_PASSKEYS, type TenantPerson } from '../../domain/console/sign-in/people-passkeys.ts'
import type { Ceremony } from '../../domain/sign-in/webauthn.ts'
import type { RouteContext } from '../route-context.ts'

export function ceremonyOf({ config, db, clock }: RouteContext): Ceremony<TenantPerson> {
  const { origin, relyingPartyId: id } = config.console
  return { db, store: PEOPLE_PASSKEYS, relyingParty: { id, origin }, now: clock() }
}
