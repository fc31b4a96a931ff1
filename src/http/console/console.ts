import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config/config.ts'
import { Refusal } from '../../core/errors.ts'
import type { ConnectionSlots } from '../../db/connections/connection-slots.ts'
import { serveApplication } from '../browser/application.ts'
import { refuseForeignParts, requireOwnHost, requireSameOrigin } from '../browser/same-origin.ts'
import { addSecurityHeaders } from '../browser/security-headers.ts'
import {
  type AdmitOptions,
  admit,
  assertReadable,
  rateLimited,
  setRateHeaders,
} from '../limits/admit.ts'
import { refuseExhausted, sourceOf } from '../limits/failures-by-source.ts'
import { answerListsInTurn } from '../limits/lists-in-turn.ts'
import { shareConnections } from '../limits/tenant-connections.ts'
import { addAccountRoutes, addSignInRoutes } from '../people/account-routes.ts'
import { doorApp } from '../people/door.ts'
import { refuseUnasked } from '../people/oidc-flow.ts'
import { oidcRoutes } from '../people/oidc-routes.ts'
import { refuseOtherMethods } from '../plugins/other-methods.ts'
import { recordRequests } from '../plugins/record-requests.ts'
import {
  answerOpenRefusals,
  answerPublicRefusals,
  answerRefusals,
  type RefusalOptions,
} from '../plugins/refusals.ts'
import type { RouteContext } from '../route-context.ts'
import { createStaticFile, type StaticFile, sendStaticFile } from '../static-file.ts'
import { authenticateSession, readBodies, sessionOf } from './authenticate-session.ts'
import { consoleDoorOf } from './console-door.ts'
import { consoleApp } from './operation.ts'
import { recordAttempts } from './record-mutation.ts'
import { actionRoutes } from './routes/actions.ts'
import { keyRoutes } from './routes/keys.ts'
import { lendingRoutes } from './routes/lending.ts'
import { ltvRoutes } from './routes/ltv.ts'
import { nameRoutes } from './routes/names.ts'
import { notificationRoutes } from './routes/notifications.ts'
import { peopleRoutes } from './routes/people.ts'
import { requestRoutes } from './routes/requests.ts'
import { streamRoutes } from './routes/stream.ts'
import { tenantDeliveryRoutes } from './routes/tenant-deliveries.ts'
import { tenantEventRoutes } from './routes/tenant-events.ts'

export type ConsoleOptions = {
  context: RouteContext
  slots: ConnectionSlots
  refusals: RefusalOptions
  /** The `/v1` routes, whose changes are recorded as what people do. */
  addRoutes: (app: FastifyInstance) => void
  /** Parses the bytes of a body as JSON. */
  parseBodies: (app: FastifyInstance) => void
}

/** The files of a page and of its parts, in a minute, for people behind one address. */
const MAX_FILES = 1_200

const siteOf = ({ console: { origin } }: Config) => ({ name: 'The console', origin })

/** Everything under /console: its own interface, the `/v1` operations by session, the application. */
export async function addConsole(app: FastifyInstance, options: ConsoleOptions): Promise<void> {
  const { config } = options.context
  addSecurityHeaders(app)
  requireOwnHost(app, siteOf(config))
  await app.register(async (api) => addOperations(api, options), { prefix: '/v1' })
  await app.register(async (api) => addOwnRoutes(api, options), { prefix: '/api' })
  await app.register(async (open) => addSignIn(open, options), { prefix: '/api' })
  await app.register(async (open) => addRedirects(open, options), { prefix: '/api' })
  await app.register(async (open) => {
    refuseForeignParts(open)
    await open.register(rateLimit, {
      max: MAX_FILES,
      timeWindow: '1 minute',
      enableDraftSpec: true,
    })
    answerPublicRefusals(open, options.refusals)
    serveDocument(open)
    serveApplication(open, { name: 'The console', folder: config.consoleFolder })
  })
}

/** Every `/v1` operation, with a session in place of a signature and a bucket for each person. */
function addOperations(app: FastifyInstance, options: ConsoleOptions): void {
  const { context, addRoutes } = options
  addPipeline(app, options)
  recordAttempts(app, context)
  const { add } = context.requestLog
  if (context.config.requestLogDays > 0) recordRequests(app, { add })
  const methods = refuseOtherMethods(app)
  addRoutes(app)
  methods.addRefusals()
  refuseOtherPaths(app)
}

function addOwnRoutes(app: FastifyInstance, options: ConsoleOptions): void {
  const { context } = options
  addPipeline(app, options)
  const methods = refuseOtherMethods(app)
  addAccountRoutes(app, consoleDoorOf(context))
  const routes = consoleApp(app)
  keyRoutes(routes, context)
  peopleRoutes(routes, context)
  notificationRoutes(routes, context)
  actionRoutes(routes, context)
  requestRoutes(routes, context)
  tenantDeliveryRoutes(routes, context)
  tenantEventRoutes(routes, context)
  ltvRoutes(routes, context)
  lendingRoutes(routes, context)
  nameRoutes(routes, context)
  streamRoutes(app, context)
  methods.addRefusals()
  refuseOtherPaths(app)
}

/** They would be the application's otherwise, which answers to every path. */
function refuseOtherPaths(app: FastifyInstance): void {
  app.all('/*', { schema: { hide: true } }, () => {
    throw new Refusal('not_found', 'There is no such path.')
  })
}

/** As that of signed requests, step by step. */
function addPipeline(app: FastifyInstance, options: ConsoleOptions): void {
  const { context, slots, refusals, parseBodies } = options
  const { config, db, clock, buckets } = context
  answerRefusals(app, refusals, 'console_sign_in')
  requireSameOrigin(app, siteOf(config))
  authenticateSession(app, {
    db,
    clock,
    maxBodyBytes: config.maxBodyBytes,
    isLocal: config.console.mode === 'local',
    refuseExhausted: (source) => refuseExhausted(buckets, source, 'console_sign_in'),
  })
  admit(app, { buckets, isLive: config.stack === 'live', chargesOf: chargePerson })
  shareConnections(app, slots)
  answerListsInTurn(app)
  parseBodies(app)
}

/** A person's own, then that of the tenant's people together, then what they have together in the class:
 * the pace of the tenant's keys. Reads have no third: the second bounds them. */
const chargePerson: NonNullable<AdmitOptions['chargesOf']> = (request, routeClass) => {
  const { person, tenant } = sessionOf(request)
  const own = { scope: { personId: person.id }, limitClass: 'console' } as const
  const scope = { tenantId: tenant.id, by: 'console' } as const
  const sum = { scope, limitClass: 'console_tenant' } as const
  if (routeClass === 'console' || routeClass === 'reads') return [own, sum]
  return [own, sum, { scope, limitClass: routeClass }]
}

/** Every request takes a token of its source: these look up what anyone sends. */
function countSources(app: FastifyInstance, { context, refusals }: ConsoleOptions): void {
  answerOpenRefusals(app, refusals)
  app.decorateRequest('limitClass', undefined)
  app.addHook('onRequest', async (request, reply) => {
    request.limitClass = 'console_sign_in'
    const source = sourceOf(request.ip)
    const decision = await context.buckets.take({ source }, 'console_sign_in')
    setRateHeaders(reply, decision)
    if (!decision.allowed) throw rateLimited(decision, 'console_sign_in')
  })
}

/** To the OIDC provider and back: the provider's site starts the second, so no origin is asked. */
function addRedirects(app: FastifyInstance, options: ConsoleOptions): void {
  const door = consoleDoorOf(options.context)
  refuseUnasked(app, door)
  countSources(app, options)
  oidcRoutes(doorApp(app, door), door)
}

function addSignIn(app: FastifyInstance, options: ConsoleOptions): void {
  const { context, parseBodies } = options
  const { config } = context
  // First: what another site sends takes no token.
  requireSameOrigin(app, siteOf(config))
  countSources(app, options)
  readBodies(app, config.maxBodyBytes)
  app.addHook('preParsing', async (request, reply) => {
    assertReadable(request, reply, config.stack === 'live')
  })
  parseBodies(app)
  const methods = refuseOtherMethods(app)
  addSignInRoutes(app, consoleDoorOf(context))
  methods.addRefusals()
}

function serveDocument(app: FastifyInstance): void {
  let document: StaticFile | undefined
  app.get('/openapi.json', { schema: { hide: true } }, (request, reply) => {
    const json = () => JSON.stringify(app.consoleDocument())
    document ??= createStaticFile('application/json; charset=utf-8', json())
    return sendStaticFile(request, reply, document)
  })
}
