import type { Configuration, CustomFetch } from 'openid-client'
import { SECOND_MS } from '../../core/time.ts'
import { readAddress } from '../../domain/people/address.ts'
import type { IdentityProvider } from '../../domain/people/sign-in/identity-provider.ts'
import { createHttpPool, readBounded } from '../http-pool.ts'
import { type OutboundProxy, proxyFor } from '../outbound/outbound-proxy.ts'

export type OidcSettings = {
  issuer: string
  clientId: string
  clientSecret: string
  name: string
  redirectUri: string
}

const TIMEOUT_SECONDS = 10
const MAX_ANSWER_BYTES = 256 * 1024

/** The rule of OpenID Connect Core 1.0, section 2, without control characters. */
const SUBJECT = /^[ -~]{1,255}$/

type Discovered = { oidc: typeof import('openid-client'); config: Configuration }

/** The authorization code flow with PKCE, state and nonce. Discovers the provider at the first use,
 * so that a process starts without it. */
export function createOidcProvider(
  settings: OidcSettings,
  proxy?: OutboundProxy | undefined,
): IdentityProvider {
  const { issuer, clientId, clientSecret, name, redirectUri } = settings
  const fetch = createFetch(proxy)
  let discovered: Promise<Discovered> | undefined

  async function askIssuer(): Promise<Discovered> {
    const oidc = await import('openid-client')
    // A live stack refuses such an issuer at its start.
    const isPlain = issuer.startsWith('http:')
    const config = await oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      timeout: TIMEOUT_SECONDS,
      [oidc.customFetch]: fetch,
      // ID tokens are verified by the provider's published keys, and by algorithms that its document
      // lists. Those without a key pair (none, HS256) are refused whatever it lists.
      execute: [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])],
    })
    return { oidc, config }
  }

  function discover(): Promise<Discovered> {
    if (discovered) return discovered
    const asked = askIssuer()
    // A failure is not kept.
    asked.catch(() => {
      discovered = undefined
    })
    discovered = asked
    return asked
  }

  return {
    name,
    async begin({ isFresh }) {
      const { oidc, config } = await discover()
      const flow = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      }
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: 'S256',
        // `max_age` makes the provider say when it asked.
        ...(isFresh && { prompt: 'login', max_age: '0' }),
      })
      return { url: url.href, flow }
    },
    async finish(query, { state, nonce, verifier }) {
      const { oidc, config } = await discover()
      const tokens = await oidc.authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (!claims) throw new Error('the provider sent no ID token')
      if (!SUBJECT.test(claims.sub)) throw new Error('the subject is not 1 to 255 ASCII characters')
      const { email: inToken } = claims
      const person =
        inToken === undefined
          ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)
          : claims
      const { email, email_verified: verified } = person
      const { auth_time: askedAt } = claims
      return {
        subject: `${claims.iss}|${claims.sub}`,
        email: typeof email === 'string' ? readAddress(email) : undefined,
        isEmailVerified: verified === true,
        authenticatedAt: typeof askedAt === 'number' ? new Date(askedAt * 1_000) : undefined,
      }
    },
  }
}

/** The connections of other calls: Node's `fetch` takes no 100 Continue before an answer. */
function createFetch(proxy: OutboundProxy | undefined): CustomFetch {
  const http = createHttpPool({ proxyOf: { https: (target) => proxyFor(target, proxy) } })
  return async (
    url,
    { method, headers, body, signal = AbortSignal.timeout(TIMEOUT_SECONDS * SECOND_MS) },
  ) => {
    // Only forms are sent.
    const form = body === null || body === undefined ? undefined : String(body)
    const answer = await http.send({ url: new URL(url), method, headers, body: form, signal })
    const bytes = await readBounded(answer, MAX_ANSWER_BYTES)
    if (!bytes) throw new Error('the answer of the provider is too long')
    return new Response(bytes.length > 0 ? new Uint8Array(bytes) : null, {
      status: answer.statusCode ?? 0,
      headers: Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      ),
    })
  }
}
