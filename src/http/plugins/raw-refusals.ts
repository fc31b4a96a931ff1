import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { countHeader } from '../authentication/signed-headers.ts'
import {
  PROBLEM_TYPE,
  problemHeaders,
  sendProblem,
  toProblem,
  toRefusal,
} from '../errors/problem.ts'
import { setRateHeaders } from '../limits/admit.ts'
import { countUnverified } from '../limits/failures-by-source.ts'
import type { BucketDecision, TokenBuckets } from '../limits/token-buckets.ts'

export type RawRefusalOptions = { buckets: TokenBuckets; errorsUrl: string }

/** Requests that Node's parser rejects before any route. */
export function createClientErrorHandler({ buckets, errorsUrl }: RawRefusalOptions) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    // A reset or idle connection gets no answer.
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const address = socket.remoteAddress
    countUnverified(buckets, address, toRawRefusal(error.code ?? '')).then(
      ({ refusal, decision }) => {
        if (socket.writable) socket.end(formatResponse(refusal, decision, errorsUrl))
      },
      () => socket.destroy(),
    )
  }
}

function toRawRefusal(code: string): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Refusal('headers_too_large', 'The request line and headers exceed 16 KiB.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Refusal('request_timeout', 'The request did not arrive in full in time.')
    default:
      return new Refusal('malformed_request', 'The request is not valid HTTP/1.1.')
  }
}

function formatResponse(refusal: Refusal, decision: BucketDecision, errorsUrl: string): string {
  const requestId = newId('req')
  const problem = toProblem(refusal, errorsUrl, requestId)
  const body = JSON.stringify(problem)
  const headers = {
    'content-type': PROBLEM_TYPE,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    'cache-control': 'no-store',
    'x-svc-request-id': requestId,
    'ratelimit-limit': decision.limit,
    'ratelimit-remaining': decision.remaining,
    'ratelimit-reset': decision.resetSeconds,
    ...problemHeaders(refusal),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return `HTTP/1.1 ${problem.status} ${problem.title}\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}

/** Requests that Fastify rejects before any route: bad percent-encoding, long parameters. `record`
 * is called with those that are answered. */
export function createFrameworkErrorHandler(
  { buckets, errorsUrl }: RawRefusalOptions,
  record: (request: FastifyRequest, reply: FastifyReply) => void,
) {
  const answer = async (error: Error, request: FastifyRequest, reply: FastifyReply) => {
    const counted = await countUnverified(buckets, request.ip, toRefusal(error))
    reply.headers({ 'x-svc-request-id': request.id, 'cache-control': 'no-store' })
    setRateHeaders(reply, counted.decision)
    sendProblem(request, reply, counted.refusal, errorsUrl)
    record(request, reply)
  }
  // Fastify awaits nothing here: a rejection would end the process.
  return (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    answer(error, request, reply).catch(() => request.socket.destroy())
  }
}

/** Node would answer an empty 400, or accept the request. */
export function refuseUnclearHosts(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const hosts = countHeader(raw, 'host')
    const isClear = hosts === 1 || (hosts === 0 && raw.httpVersion === '1.0')
    done(isClear ? undefined : new Refusal('malformed_request', 'Send exactly one Host header.'))
  })
}

/** Node would answer 417. */
export function refuseExpectations(app: FastifyInstance, options: RawRefusalOptions): void {
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const refusal = new Refusal(
      'malformed_request',
      'Unsupported Expect header. Only 100-continue is supported.',
    )
    countUnverified(options.buckets, request.socket.remoteAddress, refusal).then(
      (counted) => {
        response.shouldKeepAlive = false
        request.socket.end(formatResponse(counted.refusal, counted.decision, options.errorsUrl))
      },
      () => request.socket.destroy(),
    )
  })
}

/** Node would close the connection without an answer. */
export function refuseTunnels(app: FastifyInstance, options: RawRefusalOptions): void {
  app.server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    // Node's timeouts no longer cover this connection: close it after the answer.
    const close = () => socket.destroy()
    socket.on('error', close)
    // Unread bytes at the close would discard the answer.
    socket.resume()
    const refusal = new Refusal('malformed_request', 'CONNECT is not supported.')
    countUnverified(options.buckets, request.socket.remoteAddress, refusal).then(
      (counted) =>
        socket.end(formatResponse(counted.refusal, counted.decision, options.errorsUrl), close),
      close,
    )
  })
}
