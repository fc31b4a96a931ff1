// The worker process: runs jobs, sweeps for what is due, delivers webhooks, until asked to stop.
import { endAtSignals } from './process/early-signals.ts'

endAtSignals()
// Afterwards, because loading takes longest.
const { runWorker } = await import('./process/run-worker.ts')
await runWorker()
