import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type Child, startChild, untilReady } from '../child.ts'
import { findFreePorts } from '../free-ports.ts'

const OLDEST_MAJOR_VERSION = 7

export type RedisOptions = {
  logFile: string
  port?: number
  /** Data folder of a native server; without it nothing is stored. */
  dataFolder?: string
  packagedOnly?: boolean
  signal?: AbortSignal
}

export type Redis = { child: Child; url: string; kind: string }

/** The machine's redis-server or valkey-server, else the packaged Valkey, which stores nothing. */
export async function startRedis(options: RedisOptions): Promise<Redis> {
  const port = options.port ?? (await findFreePorts(1))[0] ?? 0
  const native = options.packagedOnly ? undefined : findNativeRedis()
  const child = await startChild({
    name: 'The Redis store',
    ...(native ? nativeCommand(native, port, options.dataFolder) : packagedCommand(port)),
    logFile: options.logFile,
    stopSignal: 'SIGTERM',
    stopSeconds: 10,
  })
  try {
    await untilReady(child, () => isAnswering(port), options.signal)
  } catch (error) {
    await child.stop()
    throw error
  }
  return { child, url: `redis://127.0.0.1:${port}`, kind: native ?? 'packaged Valkey' }
}

export function findNativeRedis(): string | undefined {
  return ['redis-server', 'valkey-server'].find((program) => {
    const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
    return Number(/\bv=(\d+)\./.exec(stdout ?? '')?.[1] ?? 0) >= OLDEST_MAJOR_VERSION
  })
}

function nativeCommand(program: string, port: number, dataFolder?: string) {
  if (dataFolder !== undefined) mkdirSync(dataFolder, { recursive: true })
  const persistence =
    dataFolder === undefined ? ['--appendonly', 'no'] : ['--dir', dataFolder, '--appendonly', 'yes']
  const network = ['--bind', '127.0.0.1', '--port', String(port)]
  // A job queue must refuse writes when memory is full, never evict jobs.
  const policy = ['--save', '', '--maxmemory-policy', 'noeviction']
  return { command: program, args: [...network, ...policy, ...persistence] }
}

function packagedCommand(port: number) {
  const script = fileURLToPath(new URL('./valkey.ts', import.meta.url))
  return { command: process.execPath, args: [script, String(port)] }
}

async function isAnswering(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    socket.setTimeout(2_000, () => socket.destroy(new Error('no answer')))
    socket.write('PING\r\n')
    const [reply] = await once(socket, 'data')
    return String(reply).startsWith('+PONG')
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
