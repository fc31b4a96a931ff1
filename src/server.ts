// The API process: serves the tenants' signed /v1 API until it is asked to stop.
import { endAtSignals } from './process/early-signals.ts'

endAtSignals()
// Afterwards, because loading takes longest.
const { runApi } = await import('./process/run-api.ts')
await runApi()
