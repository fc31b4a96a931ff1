import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type StaticFile, sendStaticFile } from '../static-file.ts'

/** The service's own style sheet and script; nothing inline. The form is that of the search. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

type Make = (request: FastifyRequest, reply: FastifyReply) => StaticFile | Promise<StaticFile>

/** `make` runs for each GET and HEAD. */
export function serveFresh(
  app: FastifyInstance,
  path: string,
  make: Make,
  policy = PAGE_POLICY,
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: path,
    schema: { hide: true },
    handler: async (request, reply) => {
      const file = await make(request, reply)
      reply.header('content-security-policy', policy)
      return sendStaticFile(request, reply, file)
    },
  })
}

/** `make` runs for the first reader. */
export function servePage(
  app: FastifyInstance,
  path: string,
  make: () => StaticFile | Promise<StaticFile>,
  policy = PAGE_POLICY,
): void {
  let made: StaticFile | Promise<StaticFile> | undefined
  serveFresh(
    app,
    path,
    () => {
      made ??= make()
      return made
    },
    policy,
  )
}
