import type { FastifyReply, FastifyRequest } from 'fastify'

export type Cookie = {
  read(request: FastifyRequest): string | undefined
  set(reply: FastifyReply, value: string, maxAgeMs: number): void
  clear(reply: FastifyReply): void
}

/** The prefix makes browsers refuse it from other hosts, over plain HTTP and for a part of the
 * site. `Lax` is sent with a navigation that another site begins. */
function createCookie(name: `__Host-${string}`, sameSite: 'Strict' | 'Lax'): Cookie {
  const attributes = `Path=/; Secure; HttpOnly; SameSite=${sameSite}`
  const write = (reply: FastifyReply, value: string, seconds: number) => {
    reply.header('set-cookie', `${name}=${value}; Max-Age=${seconds}; ${attributes}`)
  }
  return {
    read: ({ headers }) => readCookie(headers.cookie, name),
    set: (reply, value, maxAgeMs) => write(reply, value, Math.floor(maxAgeMs / 1_000)),
    clear: (reply) => write(reply, '', 0),
  }
}

/** Undefined where it is absent or repeated. */
function readCookie(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '').split(';').flatMap((pair) => {
    const [given = '', ...rest] = pair.split('=')
    return given.trim() === name ? [rest.join('=').trim()] : []
  })
  return values.length === 1 ? values[0] : undefined
}

export const CONSOLE_COOKIE = createCookie('__Host-console', 'Strict')
export const DESK_COOKIE = createCookie('__Host-desk', 'Strict')

/** Lax, because the browser comes back from the provider's site. */
export const CONSOLE_FLOW_COOKIE = createCookie('__Host-console-oidc', 'Lax')
export const DESK_FLOW_COOKIE = createCookie('__Host-desk-oidc', 'Lax')
