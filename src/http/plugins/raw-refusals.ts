import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { countHeader } from '../authentication/count-header.ts'
import { countUnverified, setRateHeaders } from '../limits/admit.ts'
import type { BucketDecision, TokenBuckets } from '../limits/token-buckets.ts'
import { PROBLEM_TYPE, problemHeaders, sendProblem, toProblem, toRefusal } from '../problem.ts'

export type RawRefusalOptions = { buckets: TokenBuckets; errorsUrl: string }

/** Requests that Node's parser gives up on, so that no route is ever reached. */
export function createClientErrorHandler({ buckets, errorsUrl }: RawRefusalOptions) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    // A connection that was reset, or that waited idle, has nobody to answer.
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const address = socket.remoteAddress
    countUnverified(buckets, address, toRawRefusal(error.code)).then(
      ({ refusal, decision }) => {
        if (socket.writable) socket.end(formatResponse(refusal, decision, errorsUrl))
      },
      () => socket.destroy(),
    )
  }
}

function toRawRefusal(code: string | undefined): Refusal {
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

/** Requests that Fastify refuses before it has found a route: bad percent-encoding, long parameters. */
export function createFrameworkErrorHandler({ buckets, errorsUrl }: RawRefusalOptions) {
  return async (error: Error, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const counted = await countUnverified(buckets, request.ip, toRefusal(error))
    reply.headers({ 'x-svc-request-id': request.id, 'cache-control': 'no-store' })
    setRateHeaders(reply, counted.decision)
    sendProblem(request, reply, counted.refusal, errorsUrl)
  }
}

/** Refuses HTTP/1.1 requests with no `Host` or several, where Node would answer an empty 400 or none. */
export function refuseUnclearHosts(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const hosts = countHeader(raw, 'host')
    const isClear = hosts === 1 || (hosts === 0 && raw.httpVersion === '1.0')
    done(isClear ? undefined : new Refusal('malformed_request', 'Send one Host header.'))
  })
}

/** Refuses `Expect` headers other than 100-continue as a problem too, where Node would say 417. */
export function refuseExpectations(app: FastifyInstance, options: RawRefusalOptions): void {
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const refusal = new Refusal('malformed_request', 'Only Expect: 100-continue is understood.')
    countUnverified(options.buckets, request.socket.remoteAddress, refusal).then((counted) => {
      response.shouldKeepAlive = false
      request.socket.end(formatResponse(counted.refusal, counted.decision, options.errorsUrl))
    })
  })
}

/** Refuses CONNECT as a problem too, where Node would close the connection without a word. */
export function refuseTunnels(app: FastifyInstance, options: RawRefusalOptions): void {
  app.server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    // Node's deadlines watch over this connection no more: it must not outlive its answer.
    const close = () => socket.destroy()
    socket.on('error', close)
    // What was not read when the connection closes would have the answer thrown away.
    socket.resume()
    const refusal = new Refusal('malformed_request', 'This is no proxy: CONNECT opens nothing.')
    countUnverified(options.buckets, request.socket.remoteAddress, refusal).then(
      (counted) =>
        socket.end(formatResponse(counted.refusal, counted.decision, options.errorsUrl), close),
      close,
    )
  })
}
