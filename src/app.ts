import rateLimit from '@fastify/rate-limit'
import fastify, { type FastifyInstance } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { newId } from './core/ids.ts'
import { SECOND_MS } from './core/time.ts'
import { currentSecretId } from './domain/webhooks/signing-secret.ts'
import { authenticate } from './http/authentication/authenticate.ts'
import { addConsole } from './http/console/console.ts'
import { describeConsole } from './http/console/document.ts'
import { recordMutation } from './http/console/record-mutation.ts'
import { DEPRECATIONS } from './http/deprecations.ts'
import { admit } from './http/limits/admit.ts'
import { boundPipelines } from './http/limits/bound-pipelines.ts'
import { refuseExhausted } from './http/limits/failures-by-source.ts'
import { answerListsInTurn } from './http/limits/lists-in-turn.ts'
import { createPortfolioLine } from './http/limits/portfolio-line.ts'
import { shareConnections } from './http/limits/tenant-connections.ts'
import { announceDeprecations } from './http/plugins/announce-deprecations.ts'
import { closeAnswered } from './http/plugins/drain.ts'
import {
  createMutate,
  createReplayFirst,
  type MutationContext,
} from './http/plugins/idempotency.ts'
import { describeRoutes } from './http/plugins/openapi.ts'
import {
  refuseOtherMethods,
  restoreMethod,
  restoreMethods,
  routeOtherMethods,
} from './http/plugins/other-methods.ts'
import {
  createClientErrorHandler,
  createFrameworkErrorHandler,
  refuseExpectations,
  refuseTunnels,
  refuseUnclearHosts,
} from './http/plugins/raw-refusals.ts'
import { recordRequest, recordRequests } from './http/plugins/record-requests.ts'
import {
  answerOpenRefusals,
  answerPublicRefusals,
  answerRefusals,
  type RefusalOptions,
} from './http/plugins/refusals.ts'
import { logRequests } from './http/plugins/request-log.ts'
import { traceRequests } from './http/plugins/trace-requests.ts'
import { warnOfUntrustedForwarder } from './http/plugins/untrusted-forwarder.ts'
import { parseBodies } from './http/read-json.ts'
import type { RouteContext } from './http/route-context.ts'
import { borrowerRoutes } from './http/routes/borrowers.ts'
import { callbackRoutes } from './http/routes/callbacks.ts'
import { deliveryRoutes } from './http/routes/deliveries.ts'
import { documentRoutes } from './http/routes/documents.ts'
import { drawRoutes } from './http/routes/draws.ts'
import { errorPages } from './http/routes/error-pages.ts'
import { eventRoutes } from './http/routes/events.ts'
import { facilityRoutes } from './http/routes/facilities.ts'
import { foresightRoutes } from './http/routes/foresight.ts'
import { guidePages } from './http/routes/guide-pages.ts'
import { healthRoutes } from './http/routes/health.ts'
import { marginDecisionRoutes, marginRoutes } from './http/routes/margin.ts'
import { portfolioRoutes, portfolioSourceRoutes } from './http/routes/portfolios.ts'
import { receiptKeyRoute } from './http/routes/receipt-keys.ts'
import { referencePages } from './http/routes/reference.ts'
import { repaymentRoutes } from './http/routes/repayments.ts'
import { sandboxRoutes } from './http/routes/sandbox.ts'
import { sandboxClockRoutes } from './http/routes/sandbox-clock.ts'
import { searchPage } from './http/routes/search-page.ts'
import { signatureRoutes } from './http/routes/signatures.ts'
import { simulateRoute } from './http/routes/simulate.ts'
import { startPage } from './http/routes/start-page.ts'
import { statementRoutes } from './http/routes/statements.ts'
import { webhookRecoveryRoute } from './http/routes/webhook-recovery.ts'
import { webhookRoutes } from './http/routes/webhooks.ts'
import { whoamiRoute } from './http/routes/whoami.ts'
import { type TenantApp, tenantApp } from './http/schemas/operation.ts'
import { validatorCompiler } from './http/validate.ts'
import type { Resources } from './process/resources.ts'

/** Time for the headers and for the whole request to arrive. */
export type ArrivalLimits = { headersMs: number; requestMs: number; checkEveryMs: number }

const ARRIVAL_LIMITS = { headersMs: 10_000, requestMs: 15_000, checkEveryMs: 1_000 }

export async function buildApp(
  resources: Resources,
  arrival: ArrivalLimits = ARRIVAL_LIMITS,
  deprecations = DEPRECATIONS,
): Promise<FastifyInstance> {
  const { config, logger, metrics, buckets, requestLog } = resources
  const isLogged = config.requestLogDays > 0
  const refusals: RefusalOptions = { buckets, logger, errorsUrl: config.errorsUrl }

  const app = fastify({
    genReqId: () => newId('req'),
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    bodyLimit: config.maxBodyBytes,
    connectionTimeout: 30_000,
    requestTimeout: arrival.requestMs,
    keepAliveTimeout: 72_000,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 1_024 },
    http: {
      maxHeaderSize: 16 * 1024,
      headersTimeout: arrival.headersMs,
      connectionsCheckingInterval: arrival.checkEveryMs,
      requireHostHeader: false,
    },
    rewriteUrl: routeOtherMethods,
    frameworkErrors: createFrameworkErrorHandler(refusals, (request, reply) => {
      restoreMethod(request.raw)
      if (isLogged && request.raw.url?.startsWith('/v1/')) recordRequest(requestLog, request, reply)
    }),
    clientErrorHandler: createClientErrorHandler(refusals),
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  restoreMethods(app)
  boundPipelines(app)
  refuseExpectations(app, refusals)
  refuseTunnels(app, refusals)
  if (resources.tracing) traceRequests(app, resources.tracing)
  logRequests(app, { logger, metrics })
  if (config.stack === 'live') warnOfUntrustedForwarder(app, logger)
  closeAnswered(app)
  refuseUnclearHosts(app)
  const announced = { deprecations, publicUrl: config.publicUrl }
  await describeRoutes(app, announced)
  await describeConsole(app, config.console.origin)

  const context = createRouteContext(resources)
  await app.register(
    async (api) => {
      announceDeprecations(api, announced, () => app.swagger())
      addTenantApi(api, { resources, refusals, context })
    },
    { prefix: '/v1' },
  )
  if (config.console.mode !== 'off') {
    await app.register(async (pages) => addConsoleTo(pages, { resources, refusals, context }), {
      prefix: '/console',
    })
  }
  await app.register(
    async (callbacks) => {
      answerRefusals(callbacks, refusals)
      callbackRoutes(callbacks, resources)
    },
    { prefix: '/callbacks' },
  )
  await app.register(async (probes) => {
    answerOpenRefusals(probes, refusals)
    healthRoutes(probes, resources)
  })
  await app.register(async (open) => {
    await open.register(rateLimit, { max: 120, timeWindow: '1 minute', enableDraftSpec: true })
    answerPublicRefusals(open, refusals)
    const methods = refuseOtherMethods(open)
    startPage(open, config)
    searchPage(open, [...guidePages(open, config.publicUrl), ...errorPages(open)])
    referencePages(open)
    receiptKeyRoute(open, resources)
    methods.addRefusals()
  })
  return app
}

type Api = { resources: Resources; refusals: RefusalOptions; context: RouteContext }

function createRouteContext(resources: Resources): RouteContext {
  const { config, buckets } = resources
  const mutations = mutationsOf(resources)
  const line = createPortfolioLine({
    buckets,
    waitMs: config.portfolioWaitSeconds * SECOND_MS,
    maxSlots: config.portfolioWaitingBorrowers,
    maxBytes: config.portfolioWaitingBytes,
  })
  return {
    ...resources,
    line,
    mutate: createMutate(mutations),
    replayFirst: createReplayFirst(mutations),
  }
}

function mutationsOf({ config, clock, clockFor, termsAt, db, sealer }: Resources): MutationContext {
  const secrets = { sealer, replayHours: config.secretReplayHours, currentSecretId }
  return { db, clock, clockFor, termsAt, secrets }
}

/** Each request is verified and admitted before its route runs. */
function addTenantApi(app: FastifyInstance, { resources, refusals, context }: Api): void {
  const { config, clock, buckets } = resources
  const { line } = context
  answerRefusals(app, refusals)
  authenticate(app, {
    findKey: resources.findKey,
    noteUse: resources.keyUses.note,
    clock,
    toleranceSeconds: config.signatureToleranceSeconds,
    maxBodyBytes: config.maxBodyBytes,
    refuseExhausted: (source) => refuseExhausted(buckets, source),
  })
  admit(app, { buckets, line, isLive: config.stack === 'live' })
  shareConnections(app, resources.slots)
  answerListsInTurn(app)
  if (config.requestLogDays > 0) recordRequests(app, resources.requestLog)
  app.addHook('preClose', (done) => {
    line.drain()
    done()
  })
  parseBodies(app, config.maxJsonDepth)

  const methods = refuseOtherMethods(app)
  const routes = tenantApp(app)
  addRoutes(routes, context)
  // A person in the console has no key.
  whoamiRoute(routes, context)
  methods.addRefusals()
}

/** The same operations for people, with what they change recorded. */
async function addConsoleTo(app: FastifyInstance, api: Api): Promise<void> {
  const { resources, refusals, context } = api
  const mutate = createMutate({ ...mutationsOf(resources), record: recordMutation })
  await addConsole(app, {
    context,
    slots: resources.slots,
    refusals,
    addRoutes: (scope) => addRoutes(tenantApp(scope), { ...context, mutate }),
    parseBodies: (scope) => parseBodies(scope, resources.config.maxJsonDepth),
  })
}

function addRoutes(routes: TenantApp, context: RouteContext): void {
  documentRoutes(routes, context)
  borrowerRoutes(routes, context)
  signatureRoutes(routes, context)
  portfolioRoutes(routes, context)
  portfolioSourceRoutes(routes, context)
  facilityRoutes(routes, context)
  statementRoutes(routes, context)
  drawRoutes(routes, context)
  repaymentRoutes(routes, context)
  marginRoutes(routes, context)
  foresightRoutes(routes, context)
  marginDecisionRoutes(routes, context)
  simulateRoute(routes, context)
  webhookRoutes(routes, context)
  webhookRecoveryRoute(routes, context)
  deliveryRoutes(routes, context)
  eventRoutes(routes, context)
  sandboxRoutes(routes, context)
  sandboxClockRoutes(routes, context)
}
