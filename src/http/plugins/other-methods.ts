import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { Refusal } from '../../core/errors.ts'

export const SERVED_METHODS: ReadonlySet<string> = new Set([
  'DELETE',
  'GET',
  'HEAD',
  'PATCH',
  'POST',
  'PUT',
])

/** The router keeps every path once for each method, so all others are routed as this one. */
const STAND_IN = 'TRACE'

const replaced = new WeakMap<IncomingMessage, string>()

/** For Fastify's `rewriteUrl`, which runs before routing; the address stays as it is. */
export function routeOtherMethods(request: IncomingMessage): string {
  const { method = '', url = '' } = request
  if (!SERVED_METHODS.has(method)) {
    replaced.set(request, method)
    request.method = STAND_IN
  }
  return url
}

/** Call before any other hook is added: they see the method that was sent. */
export function restoreMethods(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    restoreMethod(raw)
    done()
  })
}

/** For what is answered before a hook runs. */
export function restoreMethod(request: IncomingMessage): void {
  const method = replaced.get(request)
  if (method !== undefined) request.method = method
}

/**
 * 405 with `Allow` for every other method of a path; on the live stack 404 where the path is
 * sandbox-only. Call before adding the routes; `addRefusals` after.
 */
export function refuseOtherMethods(app: FastifyInstance): { addRefusals: () => void } {
  const methodsOf = new Map<string, Set<string>>()
  const onBothStacks = new Set<string>()
  let collecting = true
  app.addHook('onRoute', (route: RouteOptions) => {
    if (!collecting) return
    const url = route.url.slice(app.prefix.length)
    const methods = methodsOf.get(url) ?? new Set()
    for (const method of [route.method].flat()) {
      if (!SERVED_METHODS.has(method)) throw new Error(`${method} is routed as ${STAND_IN}`)
      methods.add(method)
    }
    methodsOf.set(url, methods)
    if (!route.config?.sandboxOnly) onBothStacks.add(url)
  })
  return {
    addRefusals() {
      collecting = false
      for (const [url, methods] of methodsOf) {
        const allow = [...methods].sort().join(', ')
        app.route({
          method: [...SERVED_METHODS, STAND_IN].filter((method) => !methods.has(method)),
          url,
          schema: { hide: true },
          config: {
            methodRefusal: { allow },
            ...(!onBothStacks.has(url) && { sandboxOnly: true }),
          },
          handler: (_request, reply) => {
            reply.header('allow', allow)
            throw new Refusal('method_not_allowed', `Method not allowed. Allowed: ${allow}.`)
          },
        })
      }
    },
  }
}
