import type { FastifyInstance, FastifyRequest } from 'fastify'
import { hostsOf } from '../../config/page-address.ts'
import { Refusal } from '../../core/errors.ts'

/** The pages that a session is for. `name` begins a sentence. */
export type Site = { name: string; origin: string }

/** Under a name that an attacker's DNS has for this machine, their page would be of the same origin. */
export function requireOwnHost(app: FastifyInstance, site: Site): void {
  const findFault = createHostCheck(site)
  app.addHook('onRequest', (request, _reply, done) => done(findFault(request)))
}

/** Returns the refusal. */
export function createHostCheck(site: Site): (request: FastifyRequest) => Refusal | undefined {
  const hosts = new Set(hostsOf(site.origin))
  return ({ host }) => {
    if (hosts.has(host.toLowerCase())) return undefined
    return refused(`${site.name} is at ${site.origin}, not under this Host.`)
  }
}

/** Refuses what a page of another origin sends. A change must prove its origin; for a read it is
 * enough that the browser reports no other site. */
export function requireSameOrigin(app: FastifyInstance, site: Site): void {
  const findFault = createOriginCheck(site)
  app.addHook('onRequest', (request, _reply, done) => done(findFault(request)))
}

/** Returns the refusal. */
export function createOriginCheck(site: Site): (request: FastifyRequest) => Refusal | undefined {
  const { protocol } = new URL(site.origin)
  const origins = new Set(hostsOf(site.origin).map((host) => `${protocol}//${host}`))
  return (request) => {
    if (isOfAnotherSite(request)) return ofAnotherSite()
    const { method, headers } = request
    if (headers.origin !== undefined) {
      if (origins.has(headers.origin)) return undefined
      return refused(`The Origin is not that of ${site.name.toLowerCase()}, ${site.origin}.`)
    }
    const isRead = method === 'GET' || method === 'HEAD'
    return isRead ? undefined : refused('The request has no Origin header.')
  }
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

const ofAnotherSite = () => refused('A page of another site sent this request.')

function refused(detail: string): Refusal {
  return new Refusal('cross_origin', detail)
}

/** Sent by the pages with what they read while no person is at them. */
const UNATTENDED = 'x-svc-unattended'

/** A page that polls by itself, or a stream that reconnects, does not keep its session open. */
export function isAttended({ headers, routeOptions }: FastifyRequest): boolean {
  return headers[UNATTENDED] === undefined && routeOptions.config.streams !== true
}
