import type { FastifyRequest } from 'fastify'

/**
 * The path without the slash at its end that none of ours has; undefined where there is none. Not by a
 * regular expression: one that searches for slashes at the end takes quadratic time on many before it.
 */
export function withoutTrailingSlash(request: {
  raw: Pick<FastifyRequest['raw'], 'url'>
}): string | undefined {
  const [path = ''] = (request.raw.url ?? '').split('?')
  let length = path.length
  while (path[length - 1] === '/') length -= 1
  return path.length > 1 && length < path.length ? path.slice(0, length) : undefined
}
