import type { FastifyReply, FastifyRequest } from 'fastify'

/** The prefix makes browsers refuse it from other hosts, over plain HTTP and for a part of the site. */
const NAME = '__Host-console'
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict'

export function readSessionCookie({ headers }: FastifyRequest): string | undefined {
  return readCookie(headers.cookie, NAME)
}

export function setSessionCookie(reply: FastifyReply, token: string, maxAgeMs: number): void {
  const maxAge = Math.floor(maxAgeMs / 1_000)
  reply.header('set-cookie', `${NAME}=${token}; Max-Age=${maxAge}; ${ATTRIBUTES}`)
}

export function clearSessionCookie(reply: FastifyReply): void {
  reply.header('set-cookie', `${NAME}=; Max-Age=0; ${ATTRIBUTES}`)
}

/** Undefined where it is absent or repeated. */
function readCookie(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '').split(';').flatMap((pair) => {
    const [given = '', ...rest] = pair.split('=')
    return given.trim() === name ? [rest.join('=').trim()] : []
  })
  return values.length === 1 ? values[0] : undefined
}

const FLOW_NAME = '__Host-console-oidc'
/** Lax, because the browser comes back from the provider's site. */
const FLOW_ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax'

export function readFlowCookie({ headers }: FastifyRequest): string | undefined {
  return readCookie(headers.cookie, FLOW_NAME)
}

export function setFlowCookie(reply: FastifyReply, sealed: string, maxAgeMs: number): void {
  const maxAge = Math.floor(maxAgeMs / 1_000)
  reply.header('set-cookie', `${FLOW_NAME}=${sealed}; Max-Age=${maxAge}; ${FLOW_ATTRIBUTES}`)
}

export function clearFlowCookie(reply: FastifyReply): void {
  reply.header('set-cookie', `${FLOW_NAME}=; Max-Age=0; ${FLOW_ATTRIBUTES}`)
}
