import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { createLogFollower } from '../../../domain/events/log/log-follower.ts'
import { findOpenTokens } from '../../../domain/people/sign-in/session-lookup.ts'
import { callerOf } from '../../authentication/authenticate.ts'
import { CONSOLE_COOKIE } from '../../browser/cookies.ts'
import type { RouteContext } from '../../route-context.ts'
import { sessionOf } from '../authenticate-session.ts'
import { createEventStreams } from '../event-streams.ts'
import { consoleApp } from '../operation.ts'

const STREAM = z
  .string()
  .describe(
    'Server-sent events: `event` for each event of the log, with its number as id; `ping`; `skipped` where events were left out and lists must be read again',
  )
  .meta({ examples: ['event: ping\ndata: {}\n\n'] })

export function streamRoutes(app: FastifyInstance, { db, clock, logger }: RouteContext): void {
  const follower = createLogFollower(db, {
    onError: (error) => logger.warn({ err: error }, 'the event log could not be followed'),
  })
  const streams = createEventStreams(follower, (tokens) => findOpenTokens(db, tokens, clock()))
  app.addHook('preClose', (done) => {
    streams.close()
    follower.close().then(() => done(), done)
  })

  consoleApp(app).get('/stream', {
    id: 'streamEvents',
    summary: "Follow the tenant's event log, from Last-Event-ID on",
    tag: 'History',
    config: { limitClass: 'console', scope: 'webhook:read', streams: true },
    response: { 200: STREAM },
    async handler(request, reply) {
      const asked = {
        tenantId: callerOf(request).tenantId,
        personId: sessionOf(request).person.id,
        after: lastIdOf(request),
        token: CONSOLE_COOKIE.read(request) ?? '',
      }
      await streams.open(asked, () => begin(reply))
    },
  })
}

function lastIdOf({ headers }: FastifyRequest): bigint | undefined {
  const given = headers['last-event-id']
  return typeof given === 'string' && /^\d{1,18}$/.test(given) ? BigInt(given) : undefined
}

/** From here on the answer is the stream's. Its connection serves nothing else, so that a process
 * that ends need not wait for it. */
function begin(reply: FastifyReply) {
  reply.hijack()
  const headers = { ...reply.getHeaders(), 'content-type': 'text/event-stream; charset=utf-8' }
  // For proxies that collect answers before they pass them on.
  return reply.raw.writeHead(200, {
    ...(headers as Record<string, string>),
    'x-accel-buffering': 'no',
    connection: 'close',
  })
}
