// The API of several processes, whose parent waits a fraction of what it does in operation.
import { runProcesses } from '../../../src/process/run-processes.ts'

await runProcesses(
  'api',
  async () => (await import('../../../src/process/start-api.ts')).startApi,
  {
    probeMs: 1_000,
    restartMs: 100,
  },
)
