import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase } from '../../../src/db/database.ts'
import { createTemporaryFolder } from '../../support/process/temporary-folder.ts'
import { testCertificate } from '../../support/servers/test-certificate.ts'
import { startPostgres } from '../../support/stores/start-postgres.ts'

/** The service has no session without TLS; its owner has, because that starts the server here. */
const RULES = `
hostssl all service 127.0.0.1/32 scram-sha-256
host all postgres 127.0.0.1/32 scram-sha-256`

let owned: AsyncDisposableStack
let url: string
let authority: string
beforeAll(async () => {
  owned = new AsyncDisposableStack()
  const { path } = owned.use(createTemporaryFolder())
  authority = join(path, 'ca.pem')
  writeFileSync(authority, testCertificate.cert)
  const dataFolder = join(path, 'postgres')
  const options = { dataFolder, logFile: join(path, 'postgres.log'), password: 'secret' }
  await (await startPostgres(options)).child.stop()
  const { uid, gid } = statSync(dataFolder)
  for (const [name, content] of [
    ['server.crt', testCertificate.cert],
    ['server.key', testCertificate.key],
    ['pg_hba.conf', RULES],
  ] as const) {
    writeFileSync(join(dataFolder, name), `${content}\n`, { mode: 0o600 })
    chownSync(join(dataFolder, name), uid, gid)
  }
  const postgres = await startPostgres({ ...options, settings: { ssl: 'on' } })
  owned.defer(() => postgres.child.stop())
  const admin = createDatabase({ connectionString: postgres.urlOf('postgres'), maxConnections: 1 })
  await sql`CREATE ROLE service LOGIN PASSWORD 'secret'`.execute(admin)
  await admin.destroy()
  url = postgres.urlOf('postgres').replace('//postgres:', '//service:')
}, 60_000)
afterAll(() => owned.disposeAsync())

async function connect(parameters: Record<string, string>, host = '127.0.0.1'): Promise<boolean> {
  const address = new URL(url)
  address.hostname = host
  address.search = new URLSearchParams(parameters).toString()
  const db = createDatabase({ connectionString: address.href, maxConnections: 1 })
  try {
    const { rows } = await sql<{ ssl: boolean }>`
      SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`.execute(db)
    return rows[0]?.ssl === true
  } finally {
    await db.destroy()
  }
}

test('verify-full with the CA of sslrootcert connects over TLS', async () => {
  expect(await connect({ sslmode: 'verify-full', sslrootcert: authority })).toBe(true)
})

test('verify-full refuses a server whose CA is unknown, or whose certificate has another name', async () => {
  await expect(connect({ sslmode: 'verify-full' })).rejects.toThrow('self-signed certificate')
  const known = { sslmode: 'verify-full', sslrootcert: authority }
  await expect(connect(known, 'localhost')).rejects.toThrow("does not match certificate's altnames")
})

/** In a process of its own, because Node reads the variable when it starts. */
async function connectWith(env: Record<string, string>, calledUrl: string): Promise<string> {
  const address = new URL(url)
  address.search = 'sslmode=verify-full'
  const script = `
    import { createHttpPool } from './src/providers/http-pool.ts'
    import { sql } from 'kysely'
    import { createDatabase } from './src/db/database.ts'
    const db = createDatabase({ connectionString: '${address.href}', maxConnections: 1 })
    const { rows } = await sql\`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()\`.execute(db)
    const call = { method: 'GET', headers: {}, signal: AbortSignal.timeout(10_000) }
    const { statusCode } = await createHttpPool().send({ ...call, url: new URL('${calledUrl}') })
    console.log(rows[0].ssl, statusCode)
    await db.destroy()`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { env })
  const [shown, failure] = await Promise.all([text(child.stdout), text(child.stderr)])
  return `${shown}${failure}`
}

test('a CA of NODE_EXTRA_CA_CERTS is known to connections to the database and to calls', async () => {
  const server = createServer(testCertificate, (_, response) => response.end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const calledUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
  try {
    expect(await connectWith({ NODE_EXTRA_CA_CERTS: authority }, calledUrl)).toBe('true 200\n')
    expect(await connectWith({}, calledUrl)).toContain('self-signed certificate')
  } finally {
    server.close()
  }
})

test('no-verify encrypts and accepts any server, and disable is refused by a server that needs TLS', async () => {
  expect(await connect({ sslmode: 'no-verify' })).toBe(true)
  await expect(connect({ sslmode: 'disable' })).rejects.toThrow('no encryption')
  await expect(connect({})).rejects.toThrow('no encryption')
})
