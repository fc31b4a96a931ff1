import fastify, { type FastifyInstance } from 'fastify'
import { newId } from '../core/ids.ts'
import { sendProblem, toRefusal } from '../http/errors/problem.ts'
import { restoreMethods, routeOtherMethods } from '../http/plugins/other-methods.ts'
import { healthRoutes } from '../http/routes/health.ts'
import type { Resources } from './resources.ts'

/** For the operator's network only. The API's process serves operators too; a worker does not. */
export async function startInternalServer(
  resources: Resources,
  servesOperators = false,
): Promise<FastifyInstance> {
  const { config } = resources
  const app = await createInternalServer(resources, servesOperators)
  await app.listen({ host: config.metricsHost, port: config.metricsPort })
  return app
}

export async function createInternalServer(
  resources: Resources,
  servesOperators: boolean,
): Promise<FastifyInstance> {
  const { metrics, config, parent, readReadiness } = resources
  const readMetrics = parent
    ? parent.shareMetrics(metrics.registry)
    : () => metrics.registry.metrics()
  const app = fastify({
    genReqId: () => newId('req'),
    forceCloseConnections: true,
    connectionTimeout: 30_000,
    requestTimeout: 10_000,
    keepAliveTimeout: 72_000,
    rewriteUrl: routeOtherMethods,
    // Bad percent-encoding and long parameters, before any route.
    frameworkErrors: (error, request, reply) => {
      reply.headers({ 'x-svc-request-id': request.id, 'cache-control': 'no-store' })
      sendProblem(request, reply, toRefusal(error), config.errorsUrl)
    },
  })
  restoreMethods(app)
  healthRoutes(app, resources)
  metrics.readiness.isReady = async () => (await readReadiness()).ready
  app.get('/metrics', async (_request, reply) => {
    reply.type(metrics.registry.contentType)
    return await readMetrics()
  })
  if (servesOperators) {
    // A worker never loads it.
    const { addOperatorApi } = await import('../http/operator/operator-api.ts')
    await addOperatorApi(app, resources)
  }
  return app
}
