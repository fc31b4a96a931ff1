// The API: serves the tenants' signed /v1 API until it is asked to stop.
import { endAtSignals } from './process/early-signals.ts'

endAtSignals()
// Afterwards, because loading takes longest.
const { runProcesses } = await import('./process/run-processes.ts')
await runProcesses('api', async () => (await import('./process/start-api.ts')).startApi)
