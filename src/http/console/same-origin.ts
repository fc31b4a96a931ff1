import type { FastifyInstance, FastifyRequest } from 'fastify'
import { consoleHosts } from '../../config/console-address.ts'
import { Refusal } from '../../core/errors.ts'

/** Under a name that an attacker's DNS has for this machine, their page would be of the same origin. */
export function requireOwnHost(app: FastifyInstance, publicOrigin: string): void {
  const hosts = new Set(consoleHosts(publicOrigin))
  app.addHook('onRequest', (request, _reply, done) => {
    const isOwn = hosts.has(request.host.toLowerCase())
    done(isOwn ? undefined : refused(`The console is at ${publicOrigin}, not under this Host.`))
  })
}

/** Refuses what a page of another origin sends. A change must prove its origin; for a read it is
 * enough that the browser reports no other site. */
export function requireSameOrigin(app: FastifyInstance, publicOrigin: string): void {
  const { protocol } = new URL(publicOrigin)
  const origins = new Set(consoleHosts(publicOrigin).map((host) => `${protocol}//${host}`))
  app.addHook('onRequest', (request, _reply, done) => {
    done(isOfAnotherSite(request) ? ofAnotherSite() : findFault(request, origins, publicOrigin))
  })
}

/** Another site may lead a person to the console, and load no part of it. */
export function refuseForeignParts(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = request.headers
    const isPage = mode === 'navigate' && destination === 'document'
    done(isOfAnotherSite(request) && !isPage ? ofAnotherSite() : undefined)
  })
}

/** By what the browser reports, which no page can change. */
export function isOfAnotherSite({ headers }: FastifyRequest): boolean {
  const { 'sec-fetch-site': site } = headers
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

function findFault(
  { method, headers: { origin } }: FastifyRequest,
  origins: ReadonlySet<string>,
  publicOrigin: string,
): Refusal | undefined {
  if (origin !== undefined) {
    if (origins.has(origin)) return undefined
    return refused(`The Origin is not that of the console, ${publicOrigin}.`)
  }
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead ? undefined : refused('The request has no Origin header.')
}

const ofAnotherSite = () => refused('A page of another site sent this request.')

function refused(detail: string): Refusal {
  return new Refusal('cross_origin', detail)
}
