import { createHmac, generateKeyPairSync, type KeyObject, sign as signBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { Provider, type ProviderContext } from 'oidc-provider'
import { findFreePorts } from '../../../src/local/free-ports.ts'

export type Account = { email: string; email_verified: unknown }

type Claims = Record<string, unknown>

/** What it puts into ID tokens in place of the true claims. */
export type Forgery = (claims: Claims) => Claims

/** How a forged ID token is signed: its algorithm, and the signature of what is signed. */
export type Signer = { alg: string; sign: (input: string) => Buffer }

export const CLIENT = { client_id: 'console', client_secret: 'a-secret-of-the-console-alone' }

const KEY_ID = 'own'

export type OidcProvider = AsyncDisposable & {
  issuer: string
  privateKey: KeyObject
  /** By default under the provider's own signature. */
  forge(forgery: Forgery | undefined, signer?: Signer): void
  /** From now on each code is answered as it was the first time. */
  reuseCodes(): void
}

/** A provider on this machine that signs in whatever account it is asked for, by name. Its document
 * lists `algorithms`. */
export async function startOidcProvider(
  accounts: ReadonlyMap<string, Account>,
  redirectUris: readonly string[],
  algorithms: readonly string[] = ['RS256'],
): Promise<OidcProvider> {
  const [port = 0] = await findFreePorts(1)
  const issuer = `http://localhost:${port}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const own = { ...privateKey.export({ format: 'jwk' }), kid: KEY_ID, use: 'sig' }
  const provider = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: redirectUris }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: true } },
    cookies: { keys: ['test'] },
    jwks: { keys: [own] },
    findAccount: async (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...accounts.get(id) }),
    }),
  })
  const answers = new Map<unknown, unknown>()
  let forged: { forgery: Forgery; signer: Signer } | undefined
  let isReusing = false
  provider.use(async (context: ProviderContext, next) => {
    await next()
    if (context.path === '/.well-known/openid-configuration') {
      const document = context.body as Claims
      context.body = { ...document, id_token_signing_alg_values_supported: algorithms }
    }
    if (context.path !== '/token') return
    const code = context.oidc?.params?.code
    if (context.status === 200) answers.set(code, context.body)
    else if (isReusing && answers.has(code)) {
      context.status = 200
      context.body = answers.get(code)
    }
    if (forged) forgeIdToken(context, forged.forgery, forged.signer)
  })
  const server: Server = provider.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    issuer,
    privateKey,
    forge(forgery, signer = signBy(privateKey)) {
      forged = forgery && { forgery, signer }
    },
    reuseCodes() {
      isReusing = true
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export function signBy(key: KeyObject): Signer {
  return { alg: 'RS256', sign: (input) => signBytes('sha256', Buffer.from(input), key) }
}

/** By a secret of the caller and the provider, or by whatever a verifier may take for one. */
export function signBySecret(secret: string): Signer {
  const sign = (input: string) => createHmac('sha256', secret).update(input).digest()
  return { alg: 'HS256', sign }
}

function forgeIdToken({ body }: ProviderContext, forgery: Forgery, { alg, sign }: Signer): void {
  const answer = body as { id_token?: string }
  const [, payload = ''] = (answer.id_token ?? '').split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const input = `${encode({ alg, kid: KEY_ID })}.${encode(forgery(claims))}`
  answer.id_token = `${input}.${sign(input).toString('base64url')}`
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
