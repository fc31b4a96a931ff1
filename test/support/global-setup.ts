import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrateToLatest } from '../../src/db/migrate.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A server on which tests may create databases. */
    databaseServerUrl: string
    /** The migrated database that each test database is a copy of. */
    templateDatabase: string
    /** Name, and password, of the role that the API and the worker log in as. */
    appRole: string
    redisServerUrl: string
  }
}

/**
 * Starts one PostgreSQL and one Redis-compatible store for the run, or takes TEST_DATABASE_URL
 * (a role that may create databases) and TEST_REDIS_URL, and migrates the template database.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { TEST_DATABASE_URL, TEST_REDIS_URL } = process.env
  const stores = await startStores([
    ...(TEST_DATABASE_URL ? [] : ['postgres']),
    ...(TEST_REDIS_URL ? [] : ['redis']),
  ])
  const serverUrl = TEST_DATABASE_URL ?? stores.urls.databaseServer ?? ''
  const run = randomBytes(6).toString('hex')
  const template = `template_${run}`
  const appRole = `app_${run}`
  try {
    await runOnServer(serverUrl, `CREATE DATABASE ${template}`)
    const role = { name: appRole, password: appRole }
    await migrateToLatest(withDatabase(serverUrl, template), role)
  } catch (error) {
    await stores.stop()
    throw error
  }
  project.provide('databaseServerUrl', serverUrl)
  project.provide('templateDatabase', template)
  project.provide('appRole', appRole)
  project.provide('redisServerUrl', TEST_REDIS_URL ?? stores.urls.redis ?? '')
  return async () => {
    if (TEST_DATABASE_URL) {
      await runOnServer(serverUrl, `DROP DATABASE ${template} WITH (FORCE)`)
      await runOnServer(serverUrl, `DROP ROLE ${appRole}`)
    }
    await stores.stop()
  }
}

async function startStores(wanted: string[]) {
  if (wanted.length === 0) return { urls: {}, stop: async () => undefined }
  const host = fork(fileURLToPath(new URL('./store-host.ts', import.meta.url)), wanted, {
    execArgv: [],
    detached: true,
  })
  const ended = once(host, 'exit')
  const failed = ended.then(([code]) => {
    throw new Error(`The test stores could not be started (exit code ${code}).`)
  })
  const [urls] = await Promise.race([once(host, 'message'), failed])
  failed.catch(() => undefined)
  return {
    urls: urls as { databaseServer?: string; redis?: string },
    async stop() {
      host.disconnect()
      await ended
    },
  }
}

async function runOnServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

function withDatabase(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}
