import { once } from 'node:events'
import type { Server } from 'node:http'
import { Provider, type ProviderContext } from 'oidc-provider'
import { findFreePorts } from '../../../src/local/free-ports.ts'

export type Account = { email: string; email_verified: unknown }

type Claims = Record<string, unknown>

/** What it puts into ID tokens in place of the true claims. */
export type Forgery = (claims: Claims) => Claims

export const CLIENT = { client_id: 'console', client_secret: 'a-secret-of-the-console-alone' }

/** A provider on this machine that signs in whatever account it is asked for, by name. */
export async function startOidcProvider(
  accounts: ReadonlyMap<string, Account>,
  redirectUris: readonly string[],
): Promise<AsyncDisposable & { issuer: string; forge(forgery: Forgery | undefined): void }> {
  const [port = 0] = await findFreePorts(1)
  const issuer = `http://localhost:${port}`
  const provider = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: redirectUris }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: true } },
    cookies: { keys: ['test'] },
    findAccount: async (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...accounts.get(id) }),
    }),
  })
  let forgery: Forgery | undefined
  provider.use(async (context: ProviderContext, next) => {
    await next()
    if (forgery && context.path === '/token') forgeIdToken(context, forgery)
  })
  const server: Server = provider.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    issuer,
    forge(given) {
      forgery = given
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Under the old signature: over TLS it is the connection that proves the provider. */
function forgeIdToken({ body }: ProviderContext, forgery: Forgery): void {
  const answer = body as { id_token?: string }
  const [header, payload = '', signature] = (answer.id_token ?? '').split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const forged = Buffer.from(JSON.stringify(forgery(claims))).toString('base64url')
  answer.id_token = [header, forged, signature].join('.')
}

/** As a person at the provider's pages: signs in as `login`, consents, and returns where to. */
export async function passProvider(start: string, login: string): Promise<string> {
  const cookies = new Map<string, string>()
  const visit = async (url: string, form?: Record<string, string>) => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    return { response, next: new URL(response.headers.get('location') ?? '', url).href }
  }
  const { origin } = new URL(start)
  let url = start
  for (let step = 0; step < 10; step += 1) {
    const { response, next } = await visit(url)
    if (response.status === 200) {
      const isLogin = (await response.text()).includes('name="login"')
      const form: Record<string, string> = isLogin
        ? { prompt: 'login', login, password: 'x' }
        : { prompt: 'consent' }
      url = (await visit(url, form)).next
    } else {
      await response.body?.cancel()
      url = next
    }
    if (new URL(url).origin !== origin) return url
  }
  throw new Error('the provider does not end')
}
