import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import type { Clock } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { EMPTY_BODY_HASH } from '../../domain/auth/verify-signature.ts'
import { scopesOf } from '../../domain/console/roles.ts'
import { assertConfirmed } from '../../domain/people/sign-in/confirm.ts'
import { createSessionLookup } from '../../domain/people/sign-in/session-lookup.ts'
import { type ConsoleSession, prolongSession } from '../../domain/people/sign-in/sessions.ts'
import { assertFraming, hasBody, NO_BODY, readBytes } from '../authentication/authenticate.ts'
import { CONSOLE_COOKIE } from '../browser/cookies.ts'
import { isAttended } from '../browser/same-origin.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** In the console, once its cookie has been found to open one. */
    session: ConsoleSession | undefined
  }
}

export type SessionOptions = {
  db: Db
  clock: Clock
  maxBodyBytes: number
  isLocal: boolean
  /** Refusal for a source over its failure limit. */
  refuseExhausted: (source: string) => Promise<Refusal | undefined>
}

/** In place of a signature: the cookie opens a session, whose person is the caller. */
export function authenticateSession(app: FastifyInstance, options: SessionOptions): void {
  app.decorateRequest('caller', undefined)
  app.decorateRequest('session', undefined)
  readBodies(app, options.maxBodyBytes)
  const findSession = createSessionLookup(options.db)
  app.addHook('onRequest', async (request) => {
    const token = CONSOLE_COOKIE.read(request)
    if (token === undefined) throw sessionRequired()
    const now = options.clock()
    const isExhausted = async () => (await options.refuseExhausted(request.ip)) !== undefined
    const session = await findSession(token, now, isExhausted)
    if (!session) throw sessionRequired()
    if (isAttended(request)) await prolongSession(options.db, session, now)
    request.session = session
  })
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const { tenant, person } = sessionOf(request)
    request.caller = {
      tenantId: tenant.id,
      scopes: new Set(scopesOf(person.role)),
      isSuspended: tenant.isSuspended,
    }
    done()
  })
  app.addHook('preHandler', async (request) => {
    if (!request.routeOptions.config.needsConfirmation) return
    const { db, clock, isLocal } = options
    await assertConfirmed(db, sessionOf(request), { now: clock(), isLocal })
  })
}

/** Bodies as bytes, bounded and hashed, as those of signed requests. */
export function readBodies(app: FastifyInstance, maxBodyBytes: number): void {
  app.decorateRequest('bodyHash', EMPTY_BODY_HASH)
  app.decorateRequest('rawBody', null as unknown as Buffer)
  app.addHook('onRequest', (request, _reply, done) => {
    request.rawBody = NO_BODY
    assertFraming(request)
    done()
  })
  app.addHook('preParsing', async (request, reply) => {
    if (!hasBody(request)) return
    request.rawBody = await readBytes(request, reply, maxBodyBytes)
    request.bodyHash = hash('sha256', request.rawBody, 'hex')
  })
}

export function sessionOf(request: FastifyRequest): ConsoleSession {
  if (!request.session) throw new Error('a route was reached without a session')
  return request.session
}

/** Who acts by this request. */
export function actorOf(request: FastifyRequest, now: Date) {
  const { people, person } = sessionOf(request)
  return { ...people, personId: person.id, requestId: request.id, now }
}

function sessionRequired(): Refusal {
  return new Refusal('session_required', 'Sign in to the console.')
}
