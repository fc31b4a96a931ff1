import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import type { Clock } from '../../core/time.ts'
import { vendorStringToSign, verifyVendorMessage } from '../../domain/callbacks/vendor-signature.ts'
import { readBody } from '../read-body.ts'
import { isJson } from '../read-json.ts'
import { assertRecent, countHeader, TIMESTAMP } from './signed-headers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined until the callback has verified. */
    callbackId: string | undefined
  }
}

export type CallbackOptions = {
  /** Undefined where no such provider is connected. */
  secretsOf: (request: FastifyRequest) => readonly string[] | undefined
  clock: Clock
  toleranceSeconds: number
  maxBodyBytes: number
}

const SIGNED_HEADERS = ['x-svc-timestamp', 'x-svc-signature', 'idempotency-key'] as const
const CALLBACK_ID = /^[\w.:-]{1,128}$/

/**
 * Verifies a callback before interpreting it: provider, headers and timestamp, then the bounded
 * body and its signature.
 */
export function verifyCallbacks(app: FastifyInstance, options: CallbackOptions): void {
  app.decorateRequest('callbackId', undefined)
  app.decorateRequest('rawBody', null as unknown as Buffer)

  app.addHook('preParsing', (request, reply, _payload, done) => {
    const check = async () => {
      const secrets = options.secretsOf(request)
      if (!secrets) throw new Refusal('not_found', 'No provider of this name is connected.')
      const headers = readHeaders(request)
      assertRecent(Number(headers.timestamp), options)
      const body = await readBody(request.raw, reply.raw, options.maxBodyBytes)
      const { method, url: target = '' } = request.raw
      const { signature, ...signed } = headers
      const message = { ...signed, method: method ?? '', target, body }
      if (!verifyVendorMessage(message, signature, secrets)) {
        throw new Refusal('signature_invalid', 'The signature does not verify for this provider.', {
          members: { string_to_sign: vendorStringToSign(message) },
        })
      }
      request.rawBody = body
      request.callbackId = headers.id
    }
    check().then(() => done(), done)
  })
}

function readHeaders(request: FastifyRequest) {
  const { headers } = request.raw
  if (headers['content-encoding'] !== undefined) {
    throw new Refusal(
      'malformed_request',
      'Content-Encoding is not supported. Send the body uncompressed.',
    )
  }
  const [timestamp, signature, id] = SIGNED_HEADERS.map((name) => {
    const value = headers[name]
    if (typeof value !== 'string') {
      const detail = `Missing header ${name}. See docs/provider-contract.md of the service.`
      throw new Refusal('signature_missing', detail)
    }
    if (countHeader(request.raw, name) > 1) {
      throw new Refusal('malformed_request', `The header ${name} is repeated.`)
    }
    return value
  })
  if (!TIMESTAMP.test(timestamp ?? '')) {
    throw new Refusal('signature_malformed', 'X-SVC-Timestamp must be Unix seconds with 10 digits.')
  }
  if (!CALLBACK_ID.test(id ?? '')) {
    const detail = 'Idempotency-Key must be 1 to 128 letters, digits, or any of _ . : -'
    throw new Refusal('signature_malformed', detail)
  }
  if (!isJson(headers['content-type'])) {
    throw new Refusal('unsupported_media_type', 'Send the body as application/json.')
  }
  return { timestamp: timestamp ?? '', signature: signature ?? '', id: id ?? '' }
}
