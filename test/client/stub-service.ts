import { generateKeyPairSync, verify } from 'node:crypto'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { stringToSign } from '../../src/client/sign-request.ts'

export const keyId = 'key_test'
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
export const privateKeyPem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()

type ReceivedRequest = {
  method: string
  /** As it stood on the request line. */
  target: string
  headers: IncomingHttpHeaders
  body: Buffer
  signatureHolds: boolean
}

export type Answer = {
  status: number
  headers?: Record<string, string>
  body?: string
}

/** `hang up` breaks the connection without an answer. */
export type Script = (Answer | 'hang up')[]

/** A real HTTP server that verifies each request as it arrived and gives the scripted answers. */
export async function startStubService(script: Script) {
  const requests: ReceivedRequest[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request)
    const { method = '', url: target = '', headers } = request
    const signatureHolds = await isSigned({ method, target, headers, body })
    requests.push({ method, target, headers, body, signatureHolds })
    const next = script[requests.length - 1] ?? { status: 500, body: 'off the script' }
    if (next === 'hang up') {
      request.socket.destroy()
      return
    }
    response.writeHead(next.status, next.headers).end(next.body)
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function isSigned(request: Omit<ReceivedRequest, 'signatureHolds'>): Promise<boolean> {
  const message = await stringToSign({
    keyId: String(request.headers['x-svc-key-id']),
    timestamp: String(request.headers['x-svc-timestamp']),
    method: request.method,
    target: request.target,
    idempotencyKey: request.headers['idempotency-key']?.toString(),
    body: request.body,
  })
  const signature = Buffer.from(String(request.headers['x-svc-signature']), 'base64')
  return verify(null, Buffer.from(message), publicKey, signature)
}
