import type { Tx } from '../../db/database.ts'
import type { SignInMethod } from '../../db/schema/console.ts'
import { type Actor, recordAction } from '../console/actions.ts'
import { type ActingOperator, recordOperatorAction } from '../operators/actions.ts'
import type { LenderPeople, Member, TenantPeople } from './person.ts'

/** Who acts, and in whose record it is written. */
export type Acting = ActingInConsole | (LenderPeople & ActingOperator)

/** A person, a key, or the lender. */
export type ActingInConsole = TenantPeople & Actor

export type When = { now: Date; requestId?: string | undefined }

/** The person acts as themselves. */
export function actAs({ people, person }: Member, { now, requestId }: When): Acting {
  if (people.audience === 'tenant') return { ...people, personId: person.id, requestId, now }
  const { id, email } = person
  // The record reads the role as it is then.
  return { ...people, actor: { kind: 'operator', id, email, role: 'viewer' }, requestId, now }
}

/** What people do with their own ways to sign in. */
export type SignInAct =
  | { act: 'signIn'; sessionId: string; signedInBy: SignInMethod }
  | { act: 'signOut'; sessionId: string }
  | { act: 'signOutEverywhere'; sessionsEnded: number }
  | { act: 'addPasskey' | 'removePasskey'; passkey: { id: string; name: string } }
  | { act: 'confirmAddress' }
  | { act: 'bindIdentity' | 'refuseLink' }

/** In the transaction of the act; at the lender as its last write. */
export async function recordSignInAct(
  tx: Tx,
  acting: Acting,
  personId: string,
  act: SignInAct,
): Promise<void> {
  if (acting.audience === 'tenant') {
    await recordAction(tx, acting, { action: act.act, ...inConsole(act, personId) })
    return
  }
  const subject = { kind: 'operator', id: personId }
  await recordOperatorAction(tx, acting, { ...inDesk(act), subject })
}

function inConsole(act: SignInAct, personId: string) {
  switch (act.act) {
    case 'signIn':
      return { subject: act.sessionId, after: { signed_in_by: act.signedInBy } }
    case 'signOut':
      return { subject: act.sessionId }
    case 'signOutEverywhere':
      return { subject: personId, after: { sessions_ended: act.sessionsEnded } }
    case 'addPasskey':
      return { subject: act.passkey.id, after: { name: act.passkey.name } }
    case 'bindIdentity':
    case 'refuseLink':
      return { subject: personId }
    case 'removePasskey':
      return { subject: act.passkey.id, before: { name: act.passkey.name } }
    case 'confirmAddress':
      return { subject: personId }
  }
}

function inDesk(act: SignInAct) {
  switch (act.act) {
    case 'signIn': {
      const after = { session_id: act.sessionId, signed_in_by: act.signedInBy }
      return { action: 'operators.sign_in' as const, after }
    }
    case 'signOut':
      return { action: 'operators.sign_out' as const, after: { session_id: act.sessionId } }
    case 'signOutEverywhere':
      return {
        action: 'operators.sign_out' as const,
        after: { sessions_ended: act.sessionsEnded },
      }
    case 'bindIdentity':
      return { action: 'operators.bind_identity' as const }
    case 'refuseLink':
      return { action: 'operators.refuse_link' as const }
    case 'addPasskey':
      return { action: 'operators.add_passkey' as const, after: inRow(act.passkey) }
    case 'removePasskey':
      return { action: 'operators.remove_passkey' as const, before: inRow(act.passkey) }
    case 'confirmAddress':
      return { action: 'operators.confirm_address' as const }
  }
}

const inRow = ({ id, name }: { id: string; name: string }) => ({ passkey_id: id, name })
