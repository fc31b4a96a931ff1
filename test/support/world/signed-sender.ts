import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { createSigner } from '../../../src/client/private-key.ts'
import { signRequest } from '../../../src/client/sign-request.ts'

export type Answer = { status: number; body: string; ms: number }
export type Send = (
  keyId: string,
  method: string,
  target: string,
  body?: unknown,
) => Promise<Answer>

/**
 * Signs with one private key, whose tenants' keys it is given, and sends single requests over kept-alive
 * connections, a POST under a new idempotency key. `ms` runs from the moment the request is signed.
 */
export async function createSender(
  privateKeyPem: string,
  port: number,
  cleanup: AsyncDisposableStack,
): Promise<Send> {
  const agent = new Agent({ keepAlive: true })
  cleanup.defer(() => agent.destroy())
  const signer = await createSigner(privateKeyPem)
  return async (keyId, method, target, content) => {
    const body = content === undefined ? '' : JSON.stringify(content)
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const idempotencyKey = method === 'POST' ? randomUUID() : undefined
    const parts = { keyId, timestamp, method, target, idempotencyKey, body }
    const signed = await signRequest(parts, signer)
    const headers = {
      ...signed,
      ...(body === ''
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    }
    const sentAt = performance.now()
    const exchange = async () => {
      const sending = request({ port, path: target, method, agent, headers })
      sending.end(body)
      try {
        return await once(sending, 'response')
      } catch (error) {
        // The server may close a connection just as it is taken up again; it has not read anything then.
        if (!sending.reusedSocket || method !== 'GET') throw error
        return undefined
      }
    }
    const [response] = (await exchange()) ?? (await exchange()) ?? []
    if (response === undefined) throw new Error(`${method} ${target} got no answer twice`)
    const text = (await response.toArray()).join('')
    return { status: response.statusCode, body: text, ms: performance.now() - sentAt }
  }
}
