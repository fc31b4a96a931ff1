import { hash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import type { Clock } from '../../core/time.ts'
import type { FindKey, VerifyingKey } from '../../domain/auth/key-cache.ts'
import {
  EMPTY_BODY_HASH,
  parseSignature,
  stringToSign,
  verifySignature,
} from '../../domain/auth/verify-signature.ts'
import { readBody } from '../read-body.ts'
import { assertRecent, countHeader, TIMESTAMP } from './signed-headers.ts'

/** By a key, or in the console by a session. */
export type Caller = {
  tenantId: string
  keyId?: string
  scopes: ReadonlySet<string>
  isSuspended: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined until the signature has verified. */
    caller: Caller | undefined
    /** As received; empty without a body. */
    rawBody: Buffer
    /** Lower-case hex SHA-256 of `rawBody`. */
    bodyHash: string
    /** The signature headers, read in onRequest and verified in preParsing. */
    claim: SignedClaim | undefined
  }
}

type SignedClaim = {
  keyId: string
  timestamp: string
  idempotencyKey: string
  signature: Buffer
  key: VerifyingKey | undefined
}

export type AuthenticateOptions = {
  findKey: FindKey
  clock: Clock
  toleranceSeconds: number
  noteUse: (tenantId: string, keyId: string) => void
  maxBodyBytes: number
  /**
   * Refusal for a source over its failure limit; asked before an unknown key is looked up and
   * before its body is read.
   */
  refuseExhausted: (source: string) => Promise<Refusal | undefined>
}

const MAX_TARGET_LENGTH = 8_192
const SIGNED_HEADERS = ['x-svc-key-id', 'x-svc-timestamp', 'x-svc-signature', 'idempotency-key']
export const NO_BODY = Buffer.alloc(0)

/**
 * Verifies a request before interpreting it: framing, headers, timestamp and key first, then the
 * body, whose hash the signature covers.
 */
export function authenticate(app: FastifyInstance, options: AuthenticateOptions): void {
  app.decorateRequest('caller', undefined)
  app.decorateRequest('claim', undefined)
  app.decorateRequest('bodyHash', EMPTY_BODY_HASH)
  app.decorateRequest('rawBody', null as unknown as Buffer)

  app.addHook('onRequest', (request, _reply, done) => {
    try {
      request.rawBody = NO_BODY
      assertFraming(request)
      const claim = readClaim(request, options)
      request.claim = claim
      const isExhausted = async () => (await options.refuseExhausted(request.ip)) !== undefined
      const found = options.findKey(claim.keyId, isExhausted)
      if (found instanceof Promise) {
        found.then((key) => {
          claim.key = key
          done()
        }, done)
      } else {
        claim.key = found
        done()
      }
    } catch (error) {
      done(error as Error)
    }
  })

  app.addHook('preParsing', (request, reply, _payload, done) => {
    const finish = () => {
      try {
        const caller = verify(request)
        request.caller = caller
        options.noteUse(caller.tenantId, caller.keyId)
        done()
      } catch (error) {
        done(error as Error)
      }
    }
    if (!hasBody(request)) {
      finish()
      return
    }
    assertWorthReading(request, reply.raw, options)
      .then(() => readBytes(request, reply, options.maxBodyBytes))
      .then((body) => {
        request.rawBody = body
        request.bodyHash = hash('sha256', body, 'hex')
        finish()
      }, done)
  })
}

/**
 * No body can verify under an unknown key: a source over its limit is refused before it is read.
 */
async function assertWorthReading(
  request: FastifyRequest,
  response: ServerResponse,
  { refuseExhausted }: AuthenticateOptions,
): Promise<void> {
  if (request.claim?.key) return
  const refusal = await refuseExhausted(request.ip)
  if (!refusal) return
  response.setHeader('connection', 'close')
  throw refusal
}

export function assertFraming(request: FastifyRequest): void {
  const { method, headers } = request.raw
  const target = request.raw.url ?? ''
  if (!target.startsWith('/')) {
    throw malformed('The request target must be a path, not an absolute address.')
  }
  if (target.length > MAX_TARGET_LENGTH) {
    throw new Refusal('uri_too_long', `The target is longer than ${MAX_TARGET_LENGTH} characters.`)
  }
  if (headers['content-encoding'] !== undefined) {
    throw malformed('Content-Encoding is not supported. Send the body uncompressed.')
  }
  if (BODYLESS.has(method) && headers['transfer-encoding'] === undefined && hasBody(request)) {
    throw bodyOn(method)
  }
  for (const name of SIGNED_HEADERS) {
    const value = headers[name]
    // Node joins repeated headers by a comma, which none of these may contain.
    if (typeof value === 'string' && value.includes(',') && countHeader(request.raw, name) > 1) {
      throw malformed(`The header ${name} is repeated.`)
    }
  }
}

const BODYLESS: ReadonlySet<unknown> = new Set(['GET', 'DELETE', 'HEAD'])

const bodyOn = (method = '') => malformed(`A ${method} request must not have a body.`)

/** A GET, DELETE or HEAD may have a body of unknown length that is empty: a proxy makes one of a
 * request in HTTP/2 whose end comes by itself. */
export function readBytes(
  { method, raw, routeOptions }: FastifyRequest,
  reply: FastifyReply,
  maxBodyBytes: number,
): Promise<Buffer> {
  if (BODYLESS.has(method)) return readBody(raw, reply.raw, 0, bodyOn(method))
  return readBody(raw, reply.raw, routeOptions.config.maxBodyBytes ?? maxBodyBytes)
}

export function hasBody({ raw: { headers } }: FastifyRequest): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

function readClaim(request: FastifyRequest, options: AuthenticateOptions): SignedClaim {
  const { headers } = request.raw
  const keyId = headers['x-svc-key-id']
  const timestamp = headers['x-svc-timestamp']
  const signatureText = headers['x-svc-signature']
  if (
    typeof keyId !== 'string' ||
    typeof timestamp !== 'string' ||
    typeof signatureText !== 'string'
  ) {
    const detail = 'Missing signature. Send X-SVC-Key-Id, X-SVC-Timestamp and X-SVC-Signature.'
    throw new Refusal('signature_missing', detail)
  }
  if (!isId('key', keyId)) throw malformedSignature('X-SVC-Key-Id must be a key id (key_…).')
  if (!TIMESTAMP.test(timestamp)) {
    throw malformedSignature('X-SVC-Timestamp must be Unix seconds with 10 digits.')
  }
  const signature = parseSignature(signatureText)
  if (!signature) {
    throw malformedSignature('X-SVC-Signature must be 64 bytes in standard base64 with padding.')
  }
  assertRecent(Number(timestamp), options)
  const idempotencyKey = headers['idempotency-key']
  return {
    keyId,
    timestamp,
    signature,
    idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : '',
    key: undefined,
  }
}

function verify(request: FastifyRequest): Caller & { keyId: string } {
  const { claim } = request
  if (!claim) throw new Error('a request reached verification without its claim')
  const text = stringToSign({
    keyId: claim.keyId,
    timestamp: claim.timestamp,
    method: request.method,
    target: request.raw.url ?? '',
    idempotencyKey: claim.idempotencyKey,
    bodyHash: request.bodyHash,
  })
  if (!claim.key || !verifySignature(text, claim.signature, claim.key.publicKey)) {
    // One answer for unknown, revoked and expired keys and wrong signatures: keys cannot be probed.
    throw new Refusal('signature_invalid', 'The signature does not verify for this key.', {
      members: { string_to_sign: text },
    })
  }
  const { tenantId, keyId, scopes, isSuspended } = claim.key
  return { tenantId, keyId, scopes, isSuspended }
}

function malformed(detail: string): Refusal {
  return new Refusal('malformed_request', detail)
}

function malformedSignature(detail: string): Refusal {
  return new Refusal('signature_malformed', detail)
}

export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('a route was reached without authentication')
  return request.caller
}
