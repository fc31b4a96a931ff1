// The worker process: runs jobs, sweeps for what is due, delivers webhooks, until asked to stop.

import { startJobs } from './jobs/start-jobs.ts'
import { createWorkerConnections } from './jobs/work/work-connections.ts'
import { startInternalServer } from './process/internal-server.ts'
import { verifyOwnStores } from './process/own-stores.ts'
import { endForeign, runProcess } from './process/process.ts'
import { createResources } from './process/resources.ts'
import { startTracing } from './telemetry/tracing.ts'

await runProcess(async (config) => {
  const tracing = await startTracing(config, 'worker')
  const resources = createResources(config, {
    tracing,
    slots: createWorkerConnections(config.databaseConnections),
  })
  await verifyOwnStores(resources, endForeign)
  const jobs = startJobs(resources)
  const internal = await startInternalServer(resources)
  resources.logger.info('working')
  return {
    logger: resources.logger,
    drains: [
      { name: 'jobs', end: () => jobs.drain() },
      { name: 'internal', end: () => internal.close() },
      { name: 'resources', end: () => resources.dispose() },
    ],
  }
})
