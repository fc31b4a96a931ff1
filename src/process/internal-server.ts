import fastify, { type FastifyInstance } from 'fastify'
import { healthRoutes } from '../http/routes/health.ts'
import type { Resources } from './resources.ts'

/** For the operator's network only. */
export async function startInternalServer(resources: Resources): Promise<FastifyInstance> {
  const { config, metrics } = resources
  const app = fastify({
    forceCloseConnections: true,
    connectionTimeout: 30_000,
    requestTimeout: 10_000,
    keepAliveTimeout: 72_000,
  })
  healthRoutes(app, resources)
  app.get('/metrics', async (_request, reply) => {
    reply.type(metrics.registry.contentType)
    return await metrics.registry.metrics()
  })
  await app.listen({ host: config.metricsHost, port: config.metricsPort })
  return app
}
