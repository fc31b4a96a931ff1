import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, inTransaction } from '../../src/db/database.ts'
import { createTestDatabase, type TestDatabase } from '../support/stores/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ isDirect: true })
})
afterAll(() => database[Symbol.asyncDispose]())

const ERROR = 'E'.charCodeAt(0)

/** Where the server's first error ends. */
function endOfError(bytes: Buffer): number | undefined {
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 1 + bytes.readInt32BE(at + 1)
    if (bytes[at] === ERROR) return end
    at = end
  }
  return undefined
}

/** Of each connection nothing passes after the first error, as where a coordinator rolls back without end. */
async function startHanging(databaseUrl: string) {
  const url = new URL(databaseUrl)
  const target = { port: Number(url.port), host: url.hostname }
  const server = createServer((client) => {
    const upstream = connect(target)
    let hangs = false
    client.on('data', (bytes) => hangs || upstream.write(bytes))
    upstream.on('data', (bytes: Buffer) => {
      if (hangs) return
      const end = endOfError(bytes)
      hangs = end !== undefined
      client.write(bytes.subarray(0, end))
    })
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy())
    client.on('close', () => upstream.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url.port = String((server.address() as AddressInfo).port)
  return { url: url.href, [Symbol.asyncDispose]: async () => void server.close() }
}

test('a connection on which the server reports an error and goes on no more is closed, and the next one serves', async () => {
  await using hanging = await startHanging(database.url)
  const db = createDatabase({ connectionString: hanging.url, maxConnections: 1 })
  const zero = 0
  const failing = [
    () => sql`SELECT 1 / 0`.execute(db),
    () => sql`SELECT 1 / ${zero}::int`.execute(db),
    () => inTransaction(db, (tx) => sql`SELECT 1 / ${zero}::int`.execute(tx)),
  ]
  for (const fail of failing) {
    await expect(fail()).rejects.toThrow()
    const { rows } = await sql<{ one: number }>`SELECT 1 AS one`.execute(db)
    expect(rows).toEqual([{ one: 1 }])
  }
  await db.destroy()
})
