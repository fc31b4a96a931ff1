import { once } from 'node:events'
import { copyFileSync, cpSync, readFileSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newKeyId } from '../../src/core/ids.ts'
import { startChild } from '../../src/local/child.ts'
import { findFreePorts } from '../../src/local/free-ports.ts'
import { waitFor } from '../support/process/patience.ts'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'

const DEPLOYED = join(import.meta.dirname, '..', '..', 'deploy', 'haproxy')

let owned: AsyncDisposableStack
let origin: string
let maps: string
let socket: string
let down: string | undefined
const oldKey = newKeyId(undefined)
const keyOf = { a: newKeyId('a'), b: newKeyId('b') }

beforeAll(async () => {
  owned = new AsyncDisposableStack()
  const folder = owned.use(createTemporaryFolder()).path
  maps = join(folder, 'cells')
  socket = join(folder, 'cells.sock')
  cpSync(join(DEPLOYED, 'cells'), maps, { recursive: true })
  copyFileSync(join(DEPLOYED, 'cells.cfg'), join(folder, 'cells.cfg'))
  const [listen, alive] = await findFreePorts(2)
  const env = {
    ...process.env,
    CELLS_SOCKET: socket,
    CELLS_DIR: maps,
    TLS: 'name plain',
    LISTEN: `127.0.0.1:${listen}`,
    ALIVE_LISTEN: `127.0.0.1:${alive}`,
    CELL_A: await startCell('a'),
    CELL_B: await startCell('b'),
  }
  const logFile = join(folder, 'haproxy.log')
  const haproxy = {
    command: 'haproxy',
    env,
    logFile,
    stopSignal: 'SIGTERM',
    stopSeconds: 5,
  } as const
  const file = join(folder, 'cells.cfg')
  // A warning ends it too.
  const lint = await startChild({ ...haproxy, name: 'lint', args: ['-c', '-dW', '-f', file] })
  expect(await lint.ended, readFileSync(logFile, 'utf8')).toBe('exit code 0')
  const child = await startChild({ ...haproxy, name: 'cells', args: ['-db', '-f', file] })
  owned.defer(() => child.stop())
  origin = `http://127.0.0.1:${listen}`
  await waitFor(async () => expect((await ask({})).cell).toBe('a'))
})
afterAll(() => owned.disposeAsync())

/** Answers with its name and what it was asked, and is ready unless it is `down`. */
async function startCell(name: string): Promise<string> {
  const server = createServer((request, response) => {
    response.statusCode = down === name && request.url === '/readyz' ? 503 : 200
    const { 'x-forwarded-for': from = null, host } = request.headers
    response.end(JSON.stringify({ cell: name, url: request.url, from, host }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  owned.defer(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

type Answer = { status: number; cell?: string; url?: string; from?: string; host?: string }

/** Not by `fetch`, which sets the Host itself. */
async function ask(headers: Record<string, string | string[]>, path = '/v1/x'): Promise<Answer> {
  const asked = httpRequest(`${origin}${path}`, { headers }).end()
  const [response] = await once(asked, 'response')
  const body = await text(response)
  const answered = response.statusCode === 200 ? JSON.parse(body) : {}
  return { status: response.statusCode, ...answered }
}

const ofKey = (keyId: string) => ({ 'X-SVC-Key-Id': keyId })

test('a request goes to the cell that its key names, and one of a key without a cell to the default', async () => {
  expect(await ask(ofKey(keyOf.a))).toMatchObject({ cell: 'a' })
  expect(await ask(ofKey(keyOf.b))).toMatchObject({ cell: 'b' })
  expect(await ask(ofKey(oldKey))).toMatchObject({ cell: 'a' })
})

test('the path, its query and the host reach the cell as they were sent, with the sender’s address', async () => {
  const path = '/v1/events?from=a%2Fb&limit=2'
  const host = 'api.example'
  const asked = await ask({ ...ofKey(keyOf.b), host, 'X-Forwarded-For': '203.0.113.9' }, path)
  expect(asked).toEqual({ status: 200, cell: 'b', url: path, host, from: '203.0.113.9, 127.0.0.1' })
})

test('what has no key goes by its host, in capitals and with a port too', async () => {
  expect(await ask({ host: 'b.api.example' }, '/console/')).toMatchObject({ cell: 'b' })
  expect(await ask({ host: 'B.API.example:443' }, '/console/')).toMatchObject({ cell: 'b' })
  expect(await ask({ host: 'unknown.example' }, '/console/')).toMatchObject({ cell: 'a' })
  expect(await ask({ ...ofKey(keyOf.a), host: 'b.api.example' })).toMatchObject({ cell: 'a' })
  expect(await ask({ ...ofKey(oldKey), host: 'b.api.example' })).toMatchObject({ cell: 'b' })
})

test.each(['key_cell_b_x', 'key__x', 'cell_b', 'key_nowhere_01k9x4m2q8e0tb7f2v5j6h8n3c', '_b', ''])(
  'a key that names no cell of the map goes to the default: %j',
  async (keyId) => {
    expect(await ask(ofKey(keyId))).toMatchObject({ cell: 'a' })
  },
)

test('a key that has moved goes to its new cell without a restart, and can be sent back', async () => {
  const moved = newKeyId('a')
  const map = join(maps, 'moved-keys.map')
  expect(await ask(ofKey(moved))).toMatchObject({ cell: 'a' })
  await command(`add map ${map} ${moved} cell_b`)
  await command(`add map ${map} ${oldKey} cell_b`)
  expect(await ask(ofKey(moved))).toMatchObject({ cell: 'b' })
  expect(await ask(ofKey(oldKey))).toMatchObject({ cell: 'b' })
  expect(await ask(ofKey(keyOf.a))).toMatchObject({ cell: 'a' })
  await command(`del map ${map} ${moved}`)
  await command(`del map ${map} ${oldKey}`)
  expect(await ask(ofKey(moved))).toMatchObject({ cell: 'a' })
})

test('while one cell is away its requests get 503, and the others are served', async () => {
  down = 'b'
  await waitFor(async () => expect((await ask(ofKey(keyOf.b))).status).toBe(503))
  expect(await ask(ofKey(keyOf.a))).toMatchObject({ status: 200, cell: 'a' })
  down = undefined
  await waitFor(async () => expect((await ask(ofKey(keyOf.b))).status).toBe(200))
})

/** Throws what HAProxy answers, which is nothing where it did it. */
async function command(line: string): Promise<void> {
  const connection = connect(socket)
  connection.end(`${line}\n`)
  const answer = (await text(connection)).trim()
  if (answer !== '') throw new Error(`HAProxy answered ${line}: ${answer}`)
}
