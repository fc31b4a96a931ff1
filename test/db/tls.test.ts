import { chownSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase } from '../../src/db/database.ts'
import { startPostgres } from '../../src/local/postgres.ts'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'
import { testCertificate } from '../support/servers/test-certificate.ts'

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
  for (const [name, text] of [
    ['server.crt', testCertificate.cert],
    ['server.key', testCertificate.key],
    ['pg_hba.conf', RULES],
  ] as const) {
    writeFileSync(join(dataFolder, name), `${text}\n`, { mode: 0o600 })
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

test('no-verify encrypts and accepts any server, and disable is refused by a server that needs TLS', async () => {
  expect(await connect({ sslmode: 'no-verify' })).toBe(true)
  await expect(connect({ sslmode: 'disable' })).rejects.toThrow('no encryption')
  await expect(connect({})).rejects.toThrow('no encryption')
})
