import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api/api.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import { rawRequest, sendRaw } from '../support/api/raw-http.ts'
import { waitFor } from '../support/process/patience.ts'

const MIB = 1024 * 1024
const BORROWER = { type: 'individual', kyc_attested: true, residency_country: 'DE' }

let api: TestApi
const sockets = new Set<Socket>()
beforeAll(async () => {
  api = await startTestApi({ arrival: { headersMs: 8_000, requestMs: 9_000, checkEveryMs: 200 } })
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await api?.[Symbol.asyncDispose]()
})

/** A connection that sends this at once and then one byte after the other, or nothing more. */
async function openHostile(first: string, drip: string): Promise<void> {
  const socket = connect(api.port, '127.0.0.1')
  sockets.add(socket)
  // Whatever comes back is let through: a connection ends only where it is read to its end.
  socket.resume()
  socket.on('error', () => socket.destroy())
  const dripping = drip === '' ? undefined : setInterval(() => socket.write(drip), 100)
  socket.on('close', () => {
    clearInterval(dripping)
    sockets.delete(socket)
  })
  await once(socket, 'connect')
  if (first !== '') socket.write(first)
}

async function openMany(count: number, first: () => string | Promise<string>, drip = '') {
  for (let opened = 0; opened < count; opened += 100) {
    const some = Array.from({ length: Math.min(100, count - opened) }, async () =>
      openHostile(await first(), drip),
    )
    await Promise.all(some)
  }
}

/** What a client who means no harm asks for, and gets. */
async function expectServed(): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => [
      api.tenant.send('GET', '/v1/documents'),
      api.tenant.send('POST', '/v1/borrowers', { body: BORROWER }),
    ]).flat(),
  )
  const statuses = answers.map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200, 201]))
}

/** Memory of this process, in which the service, its clients and the hostile ends all live. */
const heldBytes = () => {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('thousands of connections that send nothing, or never finish, delay no other client, and end', async () => {
  const before = heldBytes()
  const signed = await api.tenant.sign('POST', '/v1/borrowers', { body: 'x'.repeat(60_000) })
  const headers = { host: 'x', 'content-length': '60000', ...signed }
  await openMany(2_000, () => '')
  await openMany(200, () => 'GET /v1/documents HTTP/1.1\r\nhost: x\r\nx: ', 'y')
  await openMany(200, () => rawRequest('POST /v1/borrowers HTTP/1.1', headers), 'x')
  await openMany(100, () => 'POST /callbacks/kyc HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n')
  // On a slow machine the first may be over when the last begin.
  expect(sockets.size).toBeGreaterThan(1_500)
  await expectServed()
  expect(heldBytes() - before).toBeLessThan(250 * MIB)

  await waitFor(() => expect(sockets.size).toBe(0))
  await expectServed()
}, 60_000)

test('a flood of large, deep and endless bodies is refused without being kept', async () => {
  const before = heldBytes()
  const deep = '['.repeat(64 * 1024)
  const broad = `{${Array.from({ length: 5_000 }, (_, at) => `"m${at}":0`).join(',')}}`
  for (let round = 0; round < 10; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => [
        api.tenant.send('POST', '/v1/borrowers', { body: deep }),
        api.tenant.send('POST', '/v1/borrowers', { body: broad }),
        api.tenant.send('POST', '/v1/borrowers', { body: 'x'.repeat(2 * MIB) }),
      ]).flat(),
    )
    for (const { status } of answers) expect([400, 413, 422]).toContain(status)
  }
  const chunks = `10000\r\n${'x'.repeat(0x10000)}\r\n`.repeat(20)
  const unknown = {
    host: 'x',
    'transfer-encoding': 'chunked',
    ...(await api.tenant.sign('POST', '/v1/borrowers')),
    'X-SVC-Key-Id': `key_${'0'.repeat(26)}`,
  }
  const bytes = rawRequest('POST /v1/borrowers HTTP/1.1', unknown, chunks)
  const refused = await Promise.all(Array.from({ length: 50 }, () => sendRaw(api.port, bytes)))
  for (const answer of refused) expectProblem(answer, 413, 'body_too_large')
  await expectServed()
  // What was sent was above 250 MiB.
  await waitFor(() => expect(heldBytes() - before).toBeLessThan(200 * MIB))
}, 60_000)
