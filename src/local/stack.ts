import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { join, relative } from 'node:path'
import { loadDatabaseConfig } from '../config/database-config.ts'
import { localErasedFile } from '../config/local-files.ts'
import { localDeskUrl } from '../config/page-address.ts'
import { createSealer, type Sealer } from '../core/sealing.ts'
import { createDatabase } from '../db/database.ts'
import { migrateToLatest } from '../db/migrate/migrate.ts'
import { type Child, explainEnd, startChild, untilReady } from './child.ts'
import { lockFolder } from './folder-lock.ts'
import { findFreePort, findFreePorts, requireFreePort } from './free-ports.ts'
import { LocalFailure, messageOf } from './local-failure.ts'
import { makeConsoleLink, makeDeskLink } from './page-links.ts'
import { describePagesBuild, startPagesBuild } from './pages-build.ts'
import { ALLOCATOR, NODE_FLAGS } from './process-options.ts'
import { announceStack, type RunningStack, withdrawStack } from './running-stack.ts'
import { type SandboxCredentials, seedDemoTenant, seedStoryTenant } from './seed.ts'
import { ensureSecrets, type LocalSettings, prepareFolder } from './settings.ts'
import { checkDatabase, checkRedis } from './stores/external-stores.ts'
import { ensureDatabase, startPostgres } from './stores/postgres.ts'
import { startRedis } from './stores/redis.ts'

/** A little more than the drain deadline of API and worker. */
const DRAIN_SECONDS = 30

const DATABASE = 'lending'

/** Above PORT is the desk's, 9080 by default and the same at each start, if it is free: so that a bookmark works. */
const TO_DESK_PORT = 1_000

/** API and worker log in as this role, with a new password at each start. */
const APP_ROLE = 'lending_app'

export type StackRun = {
  settings: LocalSettings
  cleanup: AsyncDisposableStack
  /** Aborted to end the run, with a message where something ended by itself. */
  halt: AbortController
  reportStep: (step: string, detail: string) => void
}

type Launch = StackRun & { logs: string; keep(child: Child): void }

/** Each opens once. */
export type PageLinks = { console: string; desk: string }

/** Returns links to the console and the desk. */
export async function startStack(run: StackRun): Promise<PageLinks> {
  const { settings, cleanup, halt, reportStep } = run
  const logs = prepareFolder(settings.folder)
  const lock = await lockFolder(settings.folder)
  cleanup.defer(lock.release)
  await requireFreePort(settings.port, settings.host)
  const keep = (child: Child) => {
    lock.note(child)
    // It never rejects.
    void child.ended.then((how) => halt.abort(explainEnd(child, how, 'by itself')))
  }
  const launch = { ...run, logs, keep }
  const pages = await startPagesBuild(logs)
  cleanup.defer(pages.stop)
  const secrets = ensureSecrets(settings.folder)
  const { databaseUrl, appRole } = await provideDatabase(launch, secrets.databasePassword)
  halt.signal.throwIfAborted()
  const redisUrl = await provideRedis(launch)
  halt.signal.throwIfAborted()
  const encryptionKeys = settings.encryptionKeys ?? secrets.encryptionKeys
  const { applied, newer } = await migrateToLatest(databaseUrl, {
    stack: 'sandbox',
    appRole,
    sealer: sealerOf(encryptionKeys),
  }).catch((error: unknown) => {
    // The folder has the keys of the data, wherever that is.
    const advice =
      settings.databaseUrl === undefined
        ? `If you do not need the data, delete ${settings.folder} and start again.`
        : 'The database of DATABASE_URL is as the last migration that succeeded has left it.'
    throw new LocalFailure(`The migrations failed: ${messageOf(error)}. ${advice}`, {
      cause: error,
    })
  })
  reportStep('Migrations', describeMigrations(applied, newer))
  const apiMetricsPort = await findFreePort(settings.port + TO_DESK_PORT)
  const [workerMetricsPort = 0] = await findFreePorts(1)
  const deskUrl = localDeskUrl(apiMetricsPort)
  announceStack(settings.folder, { databaseUrl, encryptionKeys, deskUrl })
  cleanup.defer(() => withdrawStack(settings.folder))
  const credentials = await seedDemoTenant(settings, databaseUrl, new Date())
  reportStep('Demo tenant', `${credentials.tenant_id}, key ${credentials.key_id}`)
  await seedStoryTenant(settings, databaseUrl, new Date())
  halt.signal.throwIfAborted()
  const appUrl = new URL(databaseUrl)
  if (appRole) Object.assign(appUrl, { username: appRole.name, password: appRole.password })
  const links = await makeLinks(databaseUrl, credentials, deskUrl)
  await startProcesses(launch, {
    ...{ databaseUrl: appUrl.href, redisUrl, encryptionKeys },
    ...{ apiMetricsPort, workerMetricsPort },
  })
  // It goes on beside the stack, which serves the pages once they are there.
  void describePagesBuild(pages).then((report) => {
    if (!halt.signal.aborted) reportStep('Pages', report)
  })
  return links
}

function sealerOf(encryptionKeys: string): Sealer | undefined {
  const keys = loadDatabaseConfig({ ENCRYPTION_KEYS: encryptionKeys }).encryptionKeys
  return keys && createSealer(keys)
}

async function makeLinks(
  databaseUrl: string,
  tenant: SandboxCredentials,
  deskUrl: string,
): Promise<PageLinks> {
  const db = createDatabase({ connectionString: databaseUrl, maxConnections: 1 })
  try {
    const demo = { tenantId: tenant.tenant_id, baseUrl: tenant.base_url }
    return {
      console: await makeConsoleLink(db, demo, new Date()),
      desk: await makeDeskLink(db, deskUrl, new Date()),
    }
  } finally {
    await db.destroy()
  }
}

function describeMigrations(applied: readonly string[], newer: readonly string[]): string {
  if (newer.length > 0) return `the data is of a newer build (${newer.at(-1)}), which works`
  const latest = applied.at(-1)
  return latest ? `applied ${applied.length}, the latest ${latest}` : 'up to date'
}

/** On a database of the user's, API and worker log in as its owner. */
async function provideDatabase(
  launch: Launch,
  password: string,
): Promise<{ databaseUrl: string; appRole?: { name: string; password: string } }> {
  const { settings, cleanup, halt, reportStep } = launch
  if (settings.databaseUrl !== undefined) {
    await checkDatabase(settings.databaseUrl)
    reportStep('PostgreSQL', 'the one of DATABASE_URL')
    return { databaseUrl: settings.databaseUrl }
  }
  const dataFolder = join(settings.folder, 'postgres')
  const logFile = join(launch.logs, 'postgres.log')
  const postgres = await startPostgres({ dataFolder, logFile, password, signal: halt.signal })
  cleanup.defer(() => postgres.child.stop())
  launch.keep(postgres.child)
  await ensureDatabase(postgres, DATABASE)
  reportStep('PostgreSQL', `started, data in ${relative('', dataFolder)}`)
  const appRole = { name: APP_ROLE, password: randomBytes(18).toString('base64url') }
  return { databaseUrl: postgres.urlOf(DATABASE), appRole }
}

async function provideRedis(launch: Launch): Promise<string> {
  const { settings, cleanup, halt, reportStep } = launch
  if (settings.redisUrl !== undefined) {
    await checkRedis(settings.redisUrl)
    reportStep('Redis', 'the one of REDIS_URL')
    return settings.redisUrl
  }
  const dataFolder = join(settings.folder, 'redis')
  const logFile = join(launch.logs, 'redis.log')
  const password = randomBytes(18).toString('base64url')
  const redis = await startRedis({ dataFolder, logFile, password, signal: halt.signal })
  cleanup.defer(() => redis.child.stop())
  launch.keep(redis.child)
  reportStep('Redis', `started (${redis.kind})`)
  return redis.url
}

type Connections = RunningStack & {
  redisUrl: string
  apiMetricsPort: number
  workerMetricsPort: number
}

async function startProcesses(launch: Launch, given: Omit<Connections, 'deskUrl'>): Promise<void> {
  const { settings, cleanup, halt, reportStep } = launch
  const { databaseUrl, redisUrl, encryptionKeys, apiMetricsPort, workerMetricsPort } = given
  const env = {
    PUBLIC_URL: settings.baseUrl,
    CONSOLE: 'local',
    DESK: 'local',
    ERASED_FILE: localErasedFile(settings.folder),
    // For the demo's webhook receiver.
    WEBHOOK_ALLOW_CIDRS: settings.webhookRanges,
    // Each process closes its own ports and the stores'; these are the other process's.
    WEBHOOK_DENY_PORTS: `${apiMetricsPort},${workerMetricsPort}`,
    ...ALLOCATOR,
    ...process.env,
    STACK: 'sandbox',
    ENCRYPTION_KEYS: encryptionKeys,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    HOST: settings.host,
    PORT: String(settings.port),
    METRICS_HOST: '127.0.0.1',
    DESK_URL: localDeskUrl(apiMetricsPort),
  }
  const processes = [
    { name: 'The API', entry: 'server', metricsPort: apiMetricsPort, baseUrl: settings.baseUrl },
    {
      name: 'The worker',
      entry: 'worker',
      metricsPort: workerMetricsPort,
      baseUrl: `http://127.0.0.1:${workerMetricsPort}`,
    },
  ]
  const children: Child[] = []
  cleanup.defer(async () => {
    await Promise.all(children.map((child) => child.stop()))
  })
  for (const { name, entry, metricsPort } of processes) {
    const child = await startChild({
      name,
      command: process.execPath,
      args: [...NODE_FLAGS, join(import.meta.dirname, '..', `${entry}.ts`)],
      logFile: join(launch.logs, `${entry}.log`),
      env: { ...env, METRICS_PORT: String(metricsPort) },
      stopSignal: 'SIGTERM',
      stopSeconds: DRAIN_SECONDS,
    })
    children.push(child)
    launch.keep(child)
  }
  await Promise.all(
    processes.map(async ({ baseUrl }, at) => {
      const child = children[at]
      if (child) await untilReady(child, () => isReady(baseUrl), halt.signal)
    }),
  )
  reportStep('API, worker', 'started and ready')
}

async function isReady(baseUrl: string): Promise<boolean> {
  // An agent of its own: that of all would go through HTTP_PROXY where NODE_USE_ENV_PROXY is set.
  const request = get(`${baseUrl}/readyz`, {
    agent: new Agent(),
    signal: AbortSignal.timeout(2_000),
  })
  try {
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode === 200
  } catch {
    return false
  }
}
