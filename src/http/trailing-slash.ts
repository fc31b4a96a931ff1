import type { FastifyRequest } from 'fastify'

/** The path without the slash at its end that none of ours has; undefined where there is none. */
export function withoutTrailingSlash({ raw }: FastifyRequest): string | undefined {
  const [path = ''] = (raw.url ?? '').split('?')
  return path.length > 1 && path.endsWith('/') ? path.replace(/\/+$/, '') : undefined
}
