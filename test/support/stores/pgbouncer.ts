import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type Child, startChild, untilReady } from '../../../src/local/child.ts'
import { findFreePorts } from '../../../src/local/free-ports.ts'
import { choosePostgresUser } from '../../../src/local/stores/postgres-user.ts'

/** The first that keeps prepared statements separate in transaction mode. */
const OLDEST = [1, 21] as const

const SETTINGS = join(import.meta.dirname, '..', '..', '..', 'deploy', 'pgbouncer', 'settings.ini')

export type PgBouncerOptions = {
  /** Of the server behind it: an address that any database's name may stand in. */
  serverUrl: string
  /** Roles that may log in, with their passwords. */
  roles: Readonly<Record<string, string>>
  /** Where its files are put. */
  folder: string
  /** Any free one, unless given. */
  port?: number
  logFile?: string
}

export type PgBouncer = { child: Child; port: number }

/** Starts a PgBouncer in transaction mode, as `deploy/pgbouncer` has it, before a server. */
export async function startPgBouncer(options: PgBouncerOptions): Promise<PgBouncer> {
  const { serverUrl, roles, folder } = options
  const port = options.port ?? (await findFreePorts(1))[0] ?? 0
  const server = new URL(serverUrl)
  const users = join(folder, 'pgbouncer-users.txt')
  const ini = join(folder, 'pgbouncer.ini')
  const lines = Object.entries(roles).map(([role, password]) => `"${role}" "${password}"\n`)
  writeFileSync(users, lines.join(''))
  writeFileSync(
    ini,
    `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
%include ${SETTINGS}
`,
  )
  for (const file of [users, ini]) chmodSync(file, 0o644)
  const { prefix, spawnAs } = choosePostgresUser([folder, SETTINGS])
  const [command = '', ...args] = [...prefix, findPgBouncer(), '--quiet', ini]
  const child = await startChild({
    name: 'PgBouncer',
    command,
    args,
    spawnAs,
    logFile: options.logFile ?? join(folder, 'pgbouncer.log'),
    stopSignal: 'SIGINT',
    stopSeconds: 10,
  })
  try {
    await untilReady(child, () => isListening(port))
  } catch (error) {
    await child.stop()
    throw error
  }
  return { child, port }
}

/** The same address through a pooler on this machine. */
export function throughPooler(url: string, port: number): string {
  const pooled = new URL(url)
  pooled.hostname = '127.0.0.1'
  pooled.port = String(port)
  return pooled.href
}

/** The program of PGBOUNCER, or the one on the path; throws where it is missing or too old. */
export function findPgBouncer(): string {
  const { PGBOUNCER: program = 'pgbouncer' } = process.env
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  const [, major = '0', minor = '0'] = /PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? []
  if (Number(major) * 1_000 + Number(minor) < OLDEST[0] * 1_000 + OLDEST[1]) {
    throw new Error(
      `PgBouncer ${OLDEST.join('.')} or later is needed on the path, or named by PGBOUNCER; found ${stdout?.split('\n')[0] || 'none'}.`,
    )
  }
  return program
}

function isListening(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, '127.0.0.1')
  socket.once('connect', () => resolve(true))
  socket.once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}
