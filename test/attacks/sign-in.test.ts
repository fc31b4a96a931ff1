// What an OIDC provider's answer opens, at the console and at the desk.
import { constants, createPublicKey, generateKeyPairSync, sign as signBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { inTransaction, type Tx } from '../../src/db/database.ts'
import { startTestApi, type TestApi } from '../support/api/api.ts'
import { openBrowser, signIn } from '../support/api/console.ts'
import { type OperatorApi, openOperatorApi } from '../support/api/operators.ts'
import { inviteOperator, inviteToTenant } from '../support/people.ts'
import {
  type Account,
  CLIENT,
  type OidcProvider,
  passProvider,
  type Signer,
  signBy,
  signBySecret,
  startOidcProvider,
} from '../support/servers/oidc.ts'

const CONSOLE = 'https://api.example.com'
const DESK = 'https://desk.example.com'
const KELVIN = '\u212a'

let owned: AsyncDisposableStack
let api: TestApi
let operators: OperatorApi
let provider: OidcProvider
const accounts = new Map<string, Account>()
beforeAll(async () => {
  owned = new AsyncDisposableStack()
  // The provider warns that it is set up for a test.
  for (const level of ['info', 'warn'] as const) {
    const silenced = vi.spyOn(console, level).mockImplementation(() => undefined)
    owned.defer(() => silenced.mockRestore())
  }
  const callbacks = [
    `${CONSOLE}${SITES.console.base}/callback`,
    `${DESK}${SITES.desk.base}/callback`,
  ]
  // Its document lists algorithms by which no one signs in.
  provider = owned.use(await startOidcProvider(accounts, callbacks, ['none', 'HS256', 'RS256']))
  const env = Object.fromEntries(
    ['CONSOLE', 'DESK'].flatMap((site) => [
      [`${site}_OIDC_ISSUER`, provider.issuer],
      [`${site}_OIDC_CLIENT_ID`, CLIENT.client_id],
      [`${site}_OIDC_CLIENT_SECRET`, CLIENT.client_secret],
    ]),
  )
  api = owned.use(await startTestApi({ env: { PUBLIC_URL: CONSOLE, DESK_URL: DESK, ...env } }))
  operators = owned.use(await openOperatorApi(api))
  provider.reuseCodes()
})
afterAll(() => owned.disposeAsync())

type Site = {
  origin: string
  base: string
  get(path: string, headers?: Record<string, string>): Promise<{ status: number; headers: object }>
  invite(email: string): Promise<{ id: string }>
  /** Whose session the cookie opens. */
  whoIs(cookie: string): Promise<string>
}

const now = new Date()
const member = { name: 'Ada', role: 'viewer' } as const

const SITES: Record<'console' | 'desk', Site> = {
  console: {
    origin: CONSOLE,
    base: '/console/api/session/oidc',
    get: (path, headers = {}) => openBrowser(api).send('GET', path, { headers }),
    async invite(email) {
      const given = { ...member, email }
      const invite = (tx: Tx) => inviteToTenant(tx, api.tenant.id, given, now)
      return (await inTransaction(api.db, invite)).person
    },
    whoIs: async (cookie) =>
      (await openBrowser(api, cookie).send('GET', '/console/api/session')).json().person.id,
  },
  desk: {
    origin: DESK,
    base: '/operator/v1/session/oidc',
    get: (path, headers = {}) => operators.send(path.slice('/operator/v1'.length), { headers }),
    async invite(email) {
      const given = { ...member, email }
      return (await inTransaction(api.db, (tx) => inviteOperator(tx, given, now))).operator
    },
    whoIs: async (cookie) => (await operators.send('/me', { cookie })).json().operator.id,
  },
}

let made = 0
const newAddress = () => {
  made += 1
  return `kim${made}@example.com`
}

function addAccount(email: string): string {
  made += 1
  accounts.set(`account${made}`, { email, email_verified: true })
  return `account${made}`
}

const UNKNOWN = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey

const publicPem = () =>
  String(createPublicKey(provider.privateKey).export({ format: 'pem', type: 'spki' }))

/** Each names the provider's own key. */
const FORGERS: readonly [string, () => Signer][] = [
  ['no algorithm and no signature', () => ({ alg: 'none', sign: () => Buffer.alloc(0) })],
  ['a signature of zeros', () => ({ alg: 'RS256', sign: () => Buffer.alloc(256) })],
  ['no signature', () => ({ alg: 'RS256', sign: () => Buffer.alloc(0) })],
  ["another key's signature", () => signBy(UNKNOWN)],
  ['the client secret as the key', () => signBySecret(CLIENT.client_secret)],
  ['the public key as a secret', () => signBySecret(publicPem())],
  [
    'an algorithm that the document does not list',
    () => ({
      alg: 'PS256',
      sign: (input) =>
        signBytes('sha256', Buffer.from(input), {
          key: provider.privateKey,
          padding: constants.RSA_PKCS1_PSS_PADDING,
          saltLength: 32,
        }),
    }),
  ],
]

describe.each(['console', 'desk'] as const)('at the %s', (name) => {
  const site = SITES[name]
  const refused = `/${name}/#error=oidc_refused`

  async function begin(login: string) {
    const started = await site.get(`${site.base}/start`)
    const { location, 'set-cookie': set } = started.headers as Record<string, string>
    const back = await passProvider(String(location), login)
    const [cookie = ''] = String(set).split(';')
    return { target: back.slice(site.origin.length), cookie }
  }

  async function comeBack({ target, cookie }: { target: string; cookie: string }) {
    const answer = await site.get(target, { cookie, 'sec-fetch-site': 'cross-site' })
    const { location, 'set-cookie': set } = answer.headers as Record<string, string>
    const session = new RegExp(`__Host-${name}=([^;,]+)`).exec(String(set))?.[1]
    return { location, person: session && (await site.whoIs(session)) }
  }

  const signInAs = async (login: string) => comeBack(await begin(login))
  const REFUSED = { location: refused, person: undefined }

  test.each(FORGERS)('an ID token with %s signs no one in', async (_name, signer) => {
    const email = newAddress()
    const { id } = await site.invite(email)
    const account = addAccount(email)
    provider.forge((claims) => claims, signer())
    expect(await signInAs(account)).toEqual(REFUSED)
    provider.forge(undefined)
    expect(await signInAs(account)).toEqual({ location: `/${name}/`, person: id })
  })

  test.each([
    ['the Kelvin sign', (email: string) => email.replace('k', KELVIN)],
    ['a full-width letter', (email: string) => email.replace('k', '\uff4b')],
    ['a dotless i', (email: string) => email.replace('i', '\u0131')],
    ['a combining mark', (email: string) => email.replace('m', 'm\u0301')],
    ['an invisible character', (email: string) => `${email}\u200b`],
    ['NUL', (email: string) => `${email}\0`],
    ['a line break', (email: string) => `${email}\n`],
    ['a blank', (email: string) => ` ${email}`],
  ])("an address with %s signs no one in, neither its look-alike's owner", async (_name, alter) => {
    const email = newAddress()
    const { id } = await site.invite(email)
    expect(await signInAs(addAccount(alter(email)))).toEqual(REFUSED)
    expect(await signInAs(addAccount(email.toUpperCase()))).toMatchObject({ person: id })
  })

  test.each(['a\0b', 'a\u0007b', '', 'a\ud800', '\u212a', 'x'.repeat(256)])(
    'a subject such as %j is refused and binds no one',
    async (sub) => {
      const email = newAddress()
      const { id } = await site.invite(email)
      const account = addAccount(email)
      provider.forge((claims) => ({ ...claims, sub }))
      expect(await signInAs(account)).toEqual(REFUSED)
      provider.forge(undefined)
      expect(await signInAs(account)).toMatchObject({ person: id })
    },
  )

  test('an answer with control characters is refused', async () => {
    const account = addAccount(newAddress())
    for (const query of ['code=%00', 'code=x%00&state=%00', 'error=%00', 'iss=%0d%0a']) {
      const { target, cookie } = await begin(account)
      const [path] = target.split('?')
      expect(await comeBack({ target: `${path}?${query}`, cookie })).toEqual(REFUSED)
    }
  })

  test('an answer opens one session, also when its provider accepts the code again and two come together', async () => {
    const email = newAddress()
    const { id } = await site.invite(email)
    const flow = await begin(addAccount(email))
    const answers = await Promise.all([1, 2, 3].map(() => comeBack(flow)))
    const opened = answers.filter(({ location }) => location !== refused)
    expect(opened).toEqual([{ location: `/${name}/`, person: id }])
    expect(await comeBack(flow)).toEqual(REFUSED)
  })

  test.each([`${KELVIN}im@example.com`, 'kim@m\u00fcller.example', 'kim\u200b@example.com'])(
    '%j is not invited',
    async (email) => {
      await expect(site.invite(email)).rejects.toMatchObject({ code: 'validation_failed' })
    },
  )
})

test('addresses that differ by more than the case of A to Z are invited over no interface', async () => {
  const admin = await signIn(api)
  const { token } = await operators.addOperator('admin')
  const body = { email: `${KELVIN}im@example.com`, name: 'Kim', role: 'viewer' }
  const reason = 'joined'
  const given = await Promise.all([
    admin.send('POST', '/console/api/people', { body }),
    operators.send('/operators', { token, method: 'POST', body: { ...body, reason } }),
    operators.send(`/tenants/${api.tenant.id}/people`, {
      ...{ token, method: 'POST' as const, body: { ...body, reason } },
    }),
  ])
  for (const answer of given) {
    expect(answer.status).toBe(422)
    expect(answer.json()).toMatchObject({ code: 'validation_failed' })
  }
})
