// The worker: runs jobs, sweeps for what is due, delivers webhooks, until it is asked to stop.
import { endAtSignals } from './process/early-signals.ts'

endAtSignals()
// Afterwards, because loading takes longest.
const { runProcesses } = await import('./process/run-processes.ts')
await runProcesses('worker', async () => (await import('./process/start-worker.ts')).startWorker)
