import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { inTransaction } from '../../../src/db/database.ts'
import { startTestApi, type TestApi } from '../../support/api/api.ts'
import { type OperatorApi, openOperatorApi } from '../../support/api/operators.ts'
import { inviteOperator, removeOperator } from '../../support/people.ts'
import {
  type Account,
  CLIENT,
  passProvider,
  startOidcProvider,
} from '../../support/servers/oidc.ts'

const ORIGIN = 'https://desk.example.com'
const CALLBACK = '/session/oidc/callback'

const now = new Date()
let owned: AsyncDisposableStack
let api: TestApi
let operators: OperatorApi
let provider: Awaited<ReturnType<typeof startOidcProvider>>
const accounts = new Map<string, Account>()
beforeAll(async () => {
  owned = new AsyncDisposableStack()
  // The provider warns that it is set up for a test.
  for (const level of ['info', 'warn'] as const) {
    const silenced = vi.spyOn(console, level).mockImplementation(() => undefined)
    owned.defer(() => silenced.mockRestore())
  }
  provider = owned.use(await startOidcProvider(accounts, [`${ORIGIN}/operator/v1${CALLBACK}`]))
  api = owned.use(
    await startTestApi({
      clock: () => now,
      env: {
        DESK_URL: ORIGIN,
        DESK_OIDC_ISSUER: provider.issuer,
        DESK_OIDC_CLIENT_ID: CLIENT.client_id,
        DESK_OIDC_CLIENT_SECRET: CLIENT.client_secret,
      },
    }),
  )
  operators = owned.use(await openOperatorApi(api))
})
afterAll(() => owned.disposeAsync())

let made = 0
async function invite() {
  made += 1
  const member = { email: `person${made}@lender.example`, name: 'Ada', role: 'viewer' } as const
  const { operator } = await inTransaction(api.db, (tx) => inviteOperator(tx, member, now))
  return operator
}

function addAccount(email: string, isVerified: unknown = true): string {
  made += 1
  accounts.set(`account${made}`, { email, email_verified: isVerified })
  return `account${made}`
}

/** The provider's pages between start and callback; `cookie` is what the browser keeps. */
async function begin(login: string, former?: string) {
  const sent = former === undefined ? {} : { cookie: former }
  const started = await operators.send('/session/oidc/start', sent)
  expect(started.status).toBe(302)
  const [cookie = ''] = String(started.headers['set-cookie']).split(';')
  const back = await passProvider(String(started.headers.location), login)
  const prefix = `${ORIGIN}/operator/v1`
  expect(back.startsWith(`${prefix}${CALLBACK}?`)).toBe(true)
  return { cookie, target: back.slice(prefix.length) }
}

const comeBack = (target: string, cookie: string) =>
  operators.send(target, { headers: { cookie, 'sec-fetch-site': 'cross-site' } })

const sessionIn = (answer: Awaited<ReturnType<typeof comeBack>>) =>
  /__Host-desk=([^;,]+)/.exec(String(answer.headers['set-cookie']))?.[1]

async function signInAs(login: string) {
  const { cookie, target } = await begin(login)
  const answer = await comeBack(target, cookie)
  expect(answer.status).toBe(302)
  const session = sessionIn(answer)
  return {
    location: answer.headers.location,
    me: session && (await operators.send('/me', { cookie: session })).json(),
  }
}

const REFUSED = { location: '/desk/#error=oidc_refused', me: undefined }

test('an operator signs in by the verified address, and then whatever the address becomes', async () => {
  const operator = await invite()
  const account = addAccount(operator.email.toUpperCase())
  const first = await signInAs(account)
  expect(first).toMatchObject({
    location: '/desk/',
    me: { operator: { id: operator.id, role: 'viewer' } },
  })
  accounts.set(account, { email: 'other@lender.example', email_verified: true })
  expect(await signInAs(account)).toMatchObject({ me: { operator: { id: operator.id } } })
})

describe('no one is signed in', () => {
  test('who was not invited, or was removed', async () => {
    expect(await signInAs(addAccount('stranger@lender.example'))).toEqual(REFUSED)
    const operator = await invite()
    const account = addAccount(operator.email)
    await signInAs(account)
    await inTransaction(api.db, (tx) => removeOperator(tx, operator.email, now))
    expect(await signInAs(account)).toEqual(REFUSED)
  })
})

test('a start that another site leads to asks nothing of the provider', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
  const started = await operators.send('/session/oidc/start', { headers })
  expect(started).toMatchObject({
    status: 302,
    headers: { location: '/desk/#error=cross_origin' },
  })
  expect(started.headers['set-cookie']).toBeUndefined()
})
