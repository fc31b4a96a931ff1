import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { readBody } from '../../src/http/read-body.ts'
import { rawRequest } from '../support/api/raw-http.ts'
import { listen } from '../support/servers/misbehaving-server.ts'

type Exchange = { request: IncomingMessage; response: ServerResponse }

/** The first request of a connection over which `bytes` were sent, and the connection. */
async function receive(bytes: string) {
  const { promise: received, resolve } = Promise.withResolvers<Exchange>()
  const server = createServer((request, response) => resolve({ request, response }))
  const listening = await listen(server)
  const socket = connect(listening.port, '127.0.0.1', () => socket.write(bytes))
  socket.on('error', () => undefined)
  return { ...(await received), socket, [Symbol.asyncDispose]: listening[Symbol.asyncDispose] }
}

const post = (headers: string[], body: string) =>
  rawRequest('POST / HTTP/1.1', ['host: x', ...headers], body)

test('a body is read whole, however it is cut', async () => {
  await using exchange = await receive(post(['content-length: 9'], 'abc'))
  const read = readBody(exchange.request, exchange.response, 9)
  exchange.socket.write('def')
  exchange.socket.write('ghi')
  expect((await read).toString()).toBe('abcdefghi')
})

test('a body that was all there before anyone read it is read', async () => {
  await using exchange = await receive(post(['content-length: 3'], 'abc'))
  await expect.poll(() => exchange.request.complete).toBe(true)
  expect((await readBody(exchange.request, exchange.response, 3)).toString()).toBe('abc')
})

test('a client that goes away while its body is read is distinguished from the end of the body', async () => {
  await using exchange = await receive(post(['content-length: 9'], 'abc'))
  const read = readBody(exchange.request, exchange.response, 9)
  exchange.socket.destroy()
  await expect(read).rejects.toMatchObject({ code: 'malformed_request' })
})

test('a client that went away before its body was read is not waited for', async () => {
  await using exchange = await receive(post(['content-length: 9'], 'abc'))
  exchange.socket.destroy()
  await expect.poll(() => exchange.request.destroyed).toBe(true)
  const read = readBody(exchange.request, exchange.response, 9)
  await expect(read).rejects.toMatchObject({ code: 'malformed_request' })
})
