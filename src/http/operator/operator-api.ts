import type { FastifyInstance } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { Refusal } from '../../core/errors.ts'
import { serveApplication } from '../browser/application.ts'
import { refuseForeignParts, requireOwnHost, requireSameOrigin } from '../browser/same-origin.ts'
import { addSecurityHeaders } from '../browser/security-headers.ts'
import { readBodies } from '../console/authenticate-session.ts'
import { sendProblem, toRefusal, unsupportedMediaType } from '../errors/problem.ts'
import { addAccountRoutes, addSignInRoutes } from '../people/account-routes.ts'
import { doorApp } from '../people/door.ts'
import { refuseUnasked } from '../people/oidc-flow.ts'
import { oidcRoutes } from '../people/oidc-routes.ts'
import { refuseOtherMethods } from '../plugins/other-methods.ts'
import { logRequests } from '../plugins/request-log.ts'
import { parseBodies } from '../read-json.ts'
import { createStaticFile, type StaticFile, sendStaticFile } from '../static-file.ts'
import { validatorCompiler } from '../validate.ts'
import { authenticateOperator } from './authenticate-operator.ts'
import { honourKeys, markReplays } from './change-once.ts'
import { deskDoorOf } from './desk-door.ts'
import { describeOperatorApi } from './document.ts'
import { type OperatorApp, operatorApp } from './operation.ts'
import { deskSiteOf, type OperatorContext } from './operator-context.ts'
import { actionRoutes } from './routes/actions.ts'
import { accessRoutes } from './routes/administration/access.ts'
import { documentRoutes } from './routes/administration/documents.ts'
import { marginPolicyRoutes } from './routes/administration/margin-policy.ts'
import { residencyRoutes } from './routes/administration/residency.ts'
import { tenantRoutes } from './routes/administration/tenants.ts'
import { amendmentPreviewRoutes, amendmentRoutes } from './routes/amendments.ts'
import { approvalRoutes } from './routes/approvals.ts'
import { auditRoutes } from './routes/audit.ts'
import { bookRoutes } from './routes/book.ts'
import { bookkeepingRoutes } from './routes/books.ts'
import { borrowerFileRoutes } from './routes/borrower-file.ts'
import { breakRoutes } from './routes/breaks.ts'
import { correctionRoutes } from './routes/corrections.ts'
import { findRoutes } from './routes/find.ts'
import { holdRoutes } from './routes/holds.ts'
import { marginRoutes } from './routes/margin.ts'
import { nameRoutes } from './routes/names.ts'
import { overviewRoutes } from './routes/operations/overview.ts'
import { priceRoutes } from './routes/operations/prices.ts'
import { processRoutes } from './routes/operations/processes.ts'
import { queueRoutes } from './routes/operations/queue.ts'
import { storeRoutes } from './routes/operations/stores.ts'
import { webhookRoutes } from './routes/operations/webhooks.ts'
import { operatorRoutes } from './routes/operators.ts'
import { paymentRoutes } from './routes/payments.ts'
import { receiptRoutes } from './routes/receipts.ts'
import { refundRoutes } from './routes/refunds.ts'
import { reviewQueueRoutes } from './routes/review-queue.ts'
import { reviewRoutes } from './routes/reviews.ts'
import { stressRoutes } from './routes/stress.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { workRoutes } from './routes/work.ts'

/** For the internal port: nothing here counts requests by source. */
export async function addOperatorApi(app: FastifyInstance, context: OperatorContext) {
  const prefix = '/operator/v1'
  await describeOperatorApi(app)
  await app.register(async (api) => addOperations(api, context), { prefix })
  if (context.config.desk.mode !== 'off') {
    await app.register(async (open) => addSignIn(open, context), { prefix })
    await app.register(async (open) => addRedirects(open, context), { prefix })
    await app.register(async (pages) => addDesk(pages, context), { prefix: '/desk' })
  }
  serveDocument(app)
}

function addOperations(app: FastifyInstance, context: OperatorContext): void {
  answerProblems(app, context)
  authenticateOperator(app, context)
  readRequests(app, context)
  const methods = refuseOtherMethods(app)
  honourKeys(app)
  if (context.config.desk.mode !== 'off') addAccountRoutes(app, deskDoorOf(context))
  const routes = operatorApp(app)
  operatorRoutes(routes, context)
  tokenRoutes(routes, context)
  actionRoutes(routes, context)
  approvalRoutes(routes, context)
  findRoutes(routes, context)
  bookRoutes(routes, context)
  bookkeepingRoutes(routes, context)
  marginRoutes(routes, context)
  correctionRoutes(routes, context)
  holdRoutes(routes, context)
  amendmentRoutes(routes, context)
  amendmentPreviewRoutes(routes, context)
  stressRoutes(routes, context)
  reviewQueueRoutes(routes, context)
  borrowerFileRoutes(routes, context)
  nameRoutes(routes, context)
  reviewRoutes(routes, context)
  workRoutes(routes, context)
  refundRoutes(routes, context)
  receiptRoutes(routes, context)
  paymentRoutes(routes, context)
  breakRoutes(routes, context)
  auditRoutes(routes, context)
  addOperationsRoutes(routes, context)
  addAdministrationRoutes(routes, context)
  methods.addRefusals()
  app.all('/*', { schema: { hide: true } }, () => {
    throw new Refusal('not_found', 'There is no such path.')
  })
}

function addOperationsRoutes(routes: OperatorApp, context: OperatorContext): void {
  overviewRoutes(routes, context)
  processRoutes(routes, context)
  queueRoutes(routes, context)
  webhookRoutes(routes, context)
  priceRoutes(routes, context)
  storeRoutes(routes, context)
}

/** Before anyone has signed in. */
function addSignIn(app: FastifyInstance, context: OperatorContext): void {
  answerProblems(app, context)
  requireOwnHost(app, deskSiteOf(context))
  requireSameOrigin(app, deskSiteOf(context))
  readRequests(app, context)
  const methods = refuseOtherMethods(app)
  addSignInRoutes(app, deskDoorOf(context))
  methods.addRefusals()
}

/** To the OIDC provider and back: the provider's site starts the second, so no origin is asked. */
function addRedirects(app: FastifyInstance, context: OperatorContext): void {
  answerProblems(app, context)
  requireOwnHost(app, deskSiteOf(context))
  const door = deskDoorOf(context)
  refuseUnasked(app, door)
  oidcRoutes(doorApp(app, door), door)
}

/** The application, whose paths are all others than those of the API. */
function addDesk(app: FastifyInstance, context: OperatorContext): void {
  answerProblems(app, context)
  requireOwnHost(app, deskSiteOf(context))
  refuseForeignParts(app)
  serveApplication(app, { name: 'The desk', folder: context.config.deskFolder })
}

function answerProblems(app: FastifyInstance, context: OperatorContext): void {
  const { config, logger } = context
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('caller', undefined)
  app.decorateRequest('session', undefined)
  app.decorateRequest('limitClass', undefined)
  app.decorateRequest('operator', undefined)
  app.decorateRequest('operatorSession', undefined)
  app.decorateRequest('operatorHeldSince', undefined)
  addSecurityHeaders(app)
  markReplays(app)
  logRequests(app, context)
  app.setErrorHandler((error, request, reply) => {
    const refusal = toRefusal(error)
    if (refusal.code === 'internal' || refusal.code === 'unavailable') {
      logger.error({ requestId: request.id, err: refusal.extras.cause }, 'request failed')
    }
    return sendProblem(request, reply, refusal, config.errorsUrl)
  })
}

function readRequests(app: FastifyInstance, { config }: OperatorContext): void {
  readBodies(app, config.maxBodyBytes)
  requireJson(app)
  parseBodies(app, config.maxJsonDepth)
}

function addAdministrationRoutes(routes: OperatorApp, context: OperatorContext): void {
  tenantRoutes(routes, context)
  accessRoutes(routes, context)
  documentRoutes(routes, context)
  residencyRoutes(routes, context)
  marginPolicyRoutes(routes, context)
}

function requireJson(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const type = request.headers['content-type'] ?? ''
    const isJson = /^application\/json\s*(;|$)/i.test(type)
    done(request.rawBody.length > 0 && !isJson ? unsupportedMediaType() : null)
  })
}

function serveDocument(app: FastifyInstance): void {
  let document: StaticFile | undefined
  app.get('/operator/openapi.json', { schema: { hide: true } }, (request, reply) => {
    const json = () => JSON.stringify(app.operatorDocument())
    document ??= createStaticFile('application/json; charset=utf-8', json())
    return sendStaticFile(request, reply, document)
  })
}
