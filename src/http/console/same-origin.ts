import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/errors.ts'

/** Refuses what a page of another origin sends. A change must prove its origin; for a read it is
 * enough that the browser reports no other site. */
export function requireSameOrigin(app: FastifyInstance, publicOrigin: string): void {
  app.addHook('onRequest', (request, _reply, done) => {
    done(findFault(request, publicOrigin))
  })
}

function findFault(request: FastifyRequest, publicOrigin: string): Refusal | undefined {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    return new Refusal('cross_origin', 'A page of another site sent this request.')
  }
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (origin === undefined) {
    if (isRead) return undefined
    return new Refusal('cross_origin', 'The request has no Origin header.')
  }
  const own = `${request.protocol}://${request.host}`
  if (origin === publicOrigin || origin === own) return undefined
  return new Refusal('cross_origin', `The Origin is not that of the console, ${publicOrigin}.`)
}
