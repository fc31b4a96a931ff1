import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

/**
 * Logs once that a peer outside TRUSTED_PROXIES sends `X-Forwarded-For`. If it is a proxy, all its
 * clients count as one source.
 */
export function warnOfUntrustedForwarder(app: FastifyInstance, logger: Pick<Logger, 'warn'>): void {
  let hasWarned = false
  app.addHook('onRequest', ({ headers, ips = [], socket }, _reply, done) => {
    // Behind a trusted peer, `ips` has the peer's address and at least one from the header.
    if (!hasWarned && headers['x-forwarded-for'] && ips.length < 2) {
      hasWarned = true
      logger.warn(
        { peer: socket.remoteAddress },
        'X-Forwarded-For from an address that is not in TRUSTED_PROXIES: if this is your proxy, add it there; until then all its clients share the limits of one source',
      )
    }
    done()
  })
}
