import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type Child, startChild, untilReady } from '../child.ts'
import { findFreePorts } from '../free-ports.ts'

const OLDEST_MAJOR_VERSION = 7

export type RedisOptions = {
  logFile: string
  port?: number
  /** Made of letters and digits, `-` and `_`. Without one every user of the machine may connect. */
  password?: string
  /** Data folder of a native server; without it nothing is stored. */
  dataFolder?: string
  packagedOnly?: boolean
  signal?: AbortSignal
}

export type Redis = { child: Child; url: string; kind: string }

/** The machine's redis-server or valkey-server, else the packaged Valkey, which stores nothing. */
export async function startRedis(options: RedisOptions): Promise<Redis> {
  const { password } = options
  const port = options.port ?? (await findFreePorts(1))[0] ?? 0
  const native = options.packagedOnly ? undefined : findNativeRedis()
  const child = await startChild({
    name: 'The Redis store',
    ...(native ? nativeCommand(native, port, options.dataFolder) : packagedCommand(port)),
    input: password === undefined ? '' : `requirepass ${password}\n`,
    logFile: options.logFile,
    stopSignal: 'SIGTERM',
    stopSeconds: 10,
  })
  try {
    await untilReady(child, () => isAnswering(port, password), options.signal)
  } catch (error) {
    await child.stop()
    throw error
  }
  const login = password === undefined ? '' : `:${password}@`
  return { child, url: `redis://${login}127.0.0.1:${port}`, kind: native ?? 'packaged Valkey' }
}

export function findNativeRedis(): string | undefined {
  return ['redis-server', 'valkey-server'].find((program) => {
    const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
    return Number(/\bv=(\d+)\./.exec(stdout ?? '')?.[1] ?? 0) >= OLDEST_MAJOR_VERSION
  })
}

function nativeCommand(program: string, port: number, dataFolder?: string) {
  if (dataFolder !== undefined) mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  const persistence =
    dataFolder === undefined ? ['--appendonly', 'no'] : ['--dir', dataFolder, '--appendonly', 'yes']
  const network = ['--bind', '127.0.0.1', '--port', String(port)]
  // A job queue must refuse writes when memory is full, never evict jobs.
  const policy = ['--save', '', '--maxmemory-policy', 'noeviction']
  // The last reads more settings from the standard input.
  return { command: program, args: [...network, ...policy, ...persistence, '-'] }
}

function packagedCommand(port: number) {
  const script = fileURLToPath(new URL('./valkey.ts', import.meta.url))
  return { command: process.execPath, args: [script, String(port)] }
}

async function isAnswering(port: number, password?: string): Promise<boolean> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  try {
    socket.setTimeout(2_000, () => socket.destroy(new Error('no answer')))
    socket.write(password === undefined ? 'PING\r\n' : `AUTH ${password}\r\nPING\r\n`)
    let replies = ''
    for await (const text of socket) {
      replies += text
      if (/^-/m.test(replies)) return false
      if (replies.includes('+PONG')) return true
    }
    return false
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
