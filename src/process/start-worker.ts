import type { Config } from '../config/config.ts'
import { startJobs } from '../jobs/start-jobs.ts'
import { createWorkerConnections } from '../jobs/work/work-connections.ts'
import { startTracing } from '../telemetry/tracing.ts'
import { startInternalServer } from './internal-server.ts'
import type { Parent } from './many/parent.ts'
import { verifyOwnStores } from './own-stores.ts'
import { endForeign, type Started } from './process.ts'
import { startReports } from './report-process.ts'
import { createResources } from './resources.ts'

export async function startWorker(config: Config, parent: Parent | undefined): Promise<Started> {
  const tracing = await startTracing(config, 'worker')
  const total = config.databaseConnections.worker
  const connections = { total, slots: createWorkerConnections(total) }
  const resources = createResources(config, { kind: 'worker', tracing, parent, connections })
  await verifyOwnStores(resources, endForeign)
  const jobs = startJobs(resources)
  const internal = await startInternalServer(resources)
  const reports = startReports(resources)
  resources.logger.info('working')
  return {
    logger: resources.logger,
    drains: [
      { name: 'jobs', end: () => jobs.drain() },
      { name: 'internal', end: () => internal.close() },
      { name: 'reports', end: () => reports.end() },
      { name: 'resources', end: () => resources.dispose() },
    ],
  }
}
