import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { createDatabase } from '../../../src/db/database.ts'
import { migrateToLatest } from '../../../src/db/migrate/migrate.ts'
import { checkDatabase } from '../../../src/local/stores/external-stores.ts'
import { createTestDatabase } from '../../support/stores/database.ts'

const AT = new Date('2026-03-04T05:06:07.089Z')

test('dates are read right whatever format and time zone the database has by itself', async () => {
  await using database = await createTestDatabase()
  const name = sql.id(new URL(database.url).pathname.slice(1))
  await sql`ALTER DATABASE ${name} SET datestyle TO 'SQL, DMY'`.execute(database.db)
  await sql`ALTER DATABASE ${name} SET timezone TO 'Asia/Kolkata'`.execute(database.db)
  await using db = createDatabase({ connectionString: database.url, maxConnections: 1 })
  const { rows } = await sql<{ at: Date; shown: string }>`
    SELECT ${AT}::timestamptz AS at, ${AT}::timestamptz::text AS shown`.execute(db)
  expect(rows).toEqual([{ at: AT, shown: '2026-03-04 05:06:07.089+00' }])
})

test('PGSSLMODE of a shell does not change how the service connects', async () => {
  await using database = await createTestDatabase()
  using environment = new DisposableStack()
  environment.defer(() => vi.unstubAllEnvs())
  vi.stubEnv('PGSSLMODE', 'require')
  await using db = createDatabase({ connectionString: database.url, maxConnections: 1 })
  const { rows } = await sql<{ one: number }>`SELECT 1 AS one`.execute(db)
  expect(rows).toEqual([{ one: 1 }])
  await checkDatabase(database.url)
  const tls = new URL(database.url)
  tls.searchParams.set('sslmode', 'verify-full')
  await expect(checkDatabase(tls.href)).rejects.toThrow('SSL')
})

test('a database that cannot hold every name is refused before anything is made in it', async () => {
  await using database = await createTestDatabase({ isDirect: true })
  const url = new URL(database.url)
  url.pathname += '_latin1'
  const name = sql.id(url.pathname.slice(1))
  await sql`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`.execute(
    database.db,
  )
  try {
    await expect(migrateToLatest(url.href, { stack: 'sandbox' })).rejects.toThrow(
      "the database has the encoding LATIN1, and the service needs UTF8: make one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0",
    )
  } finally {
    await sql`DROP DATABASE ${name} WITH (FORCE)`.execute(database.db)
  }
})
