import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify'
import type { Logger } from 'pino'
import type { z } from 'zod'
import type { Sealer } from '../../core/sealing.ts'
import type { Clock } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import type { Audience } from '../../db/sql/people-tables.ts'
import type { IdentityProvider } from '../../domain/people/sign-in/identity-provider.ts'
import type { SessionIn } from '../../domain/people/sign-in/sessions.ts'
import type { Ceremony } from '../../domain/people/sign-in/webauthn.ts'
import { appOf, type Described } from '../app-type.ts'
import type { Cookie } from '../browser/cookies.ts'

/** Where people come in: tenants' people to the console, the lender's to the desk. Each has a cookie of
 * its own, and the same routes. */
export type Door<A extends Audience = Audience> = DoorFrame & {
  audience: A
  /** Refuses `session_required`. */
  sessionOf(request: FastifyRequest): SessionIn[A]
  describeSession(session: SessionIn[A]): Promise<unknown>
}

/** What is the same for every audience. */
export type DoorFrame = {
  audience: Audience
  /** The address of its pages. With the code of a failure after `#error=`. */
  home: string
  origin: string
  relyingPartyId: string
  /** The stack that npm start runs on this machine: its links sign in by themselves. */
  isLocal: boolean
  hasMailServer: boolean
  cookie: Cookie
  /** Between the start of a sign-in at the OIDC provider and its answer. */
  flowCookie: Cookie
  identityProvider: IdentityProvider | undefined
  sessionSchema: z.ZodType
  operation: (definition: DoorOperation) => FastifySchema
  /** The name in the document of the body with which a link is opened. */
  linkName: string
  linkExample: string
} & DoorContext

export type DoorContext = { db: Db; clock: Clock; sealer: Sealer; logger: Logger }

/** An operation at a door, in whose document it is described. */
export type DoorOperation = Described & {
  tag: 'Session' | 'Passkeys'
  /** Before anyone has signed in. */
  isOpen?: true
  /** Without a body, and may still be sent one. */
  isPost?: true
}

/** Takes the operations at a door. */
export type DoorApp = ReturnType<typeof doorApp>

export const doorApp = (app: FastifyInstance, { operation }: DoorFrame) => appOf(app, operation)

/** Reached with a session, once its person has a passkey. */
export const SIGNED_IN = { limitClass: 'console', idempotencyKey: 'ignored' } as const

/** Reached with a session, before the first passkey too. */
export const IN_SESSION = { ...SIGNED_IN, isBeforePasskey: true } as const

/** Reached by anyone. */
export const OPEN = { limitClass: 'console_sign_in', idempotencyKey: 'ignored' } as const

export function ceremonyOf(door: DoorFrame): Ceremony {
  const { db, audience, relyingPartyId: id, origin, clock } = door
  return { db, audience, relyingParty: { id, origin }, now: clock() }
}
