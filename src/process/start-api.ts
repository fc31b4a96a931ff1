import { buildApp } from '../app.ts'
import type { Config } from '../config/config.ts'
import { assertVerifierWorks } from '../domain/auth/verify-signature.ts'
import { startTracing } from '../telemetry/tracing.ts'
import { startInternalServer } from './internal-server.ts'
import type { Parent } from './many/parent.ts'
import { verifyOwnStores } from './own-stores.ts'
import { endForeign, type Started } from './process.ts'
import { startReports } from './report-process.ts'
import { createResources } from './resources.ts'

export async function startApi(config: Config, parent: Parent | undefined): Promise<Started> {
  assertVerifierWorks()
  const tracing = await startTracing(config, 'api')
  const resources = createResources(config, { kind: 'api', tracing, parent })
  await verifyOwnStores(resources, endForeign)
  const app = await buildApp(resources)
  const internal = await startInternalServer(resources, true)
  // For `localhost` Fastify opens a second server without the guards of the first.
  const host = config.host === 'localhost' ? '127.0.0.1' : config.host
  const address = await app.listen({ host, port: config.port })
  const reports = startReports(resources)
  resources.logger.info({ address }, 'listening')
  return {
    logger: resources.logger,
    drains: [
      // Resolves when the requests in flight are answered.
      { name: 'api', end: () => app.close() },
      { name: 'internal', end: () => internal.close() },
      { name: 'reports', end: () => reports.end() },
      { name: 'resources', end: () => resources.dispose() },
    ],
  }
}
