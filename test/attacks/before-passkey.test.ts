// What a session reaches that began with an invitation, until its person has added a passkey.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeService } from '../../scripts/openapi/describe-service.ts'
import { newId } from '../../src/core/ids.ts'
import { startTestApi, type TestApi } from '../support/api/api.ts'
import { openBrowser, signIn } from '../support/api/console.ts'
import { type OperatorApi, openOperatorApi, type Sent } from '../support/api/operators.ts'
import { type Operation, operationsOf } from './fuzz/document.ts'

/** They add the passkey, read the session or sign out. */
const BEFORE_PASSKEY = [
  'addPasskey',
  'getSession',
  'listPasskeys',
  'signOut',
  'signOutEverywhere',
  'startPasskey',
]

/** They ask for no session. */
const OPEN = [
  'confirmAddress',
  'getSignInWays',
  'signInByLink',
  'signInByPasskey',
  'startPasskeySignIn',
]

/** The console does not serve it: a person has no key. */
const OF_KEYS = ['whoami']

const documents = await describeService()
const operations = {
  console: operationsOf(documents.console),
  'the API in the console': operationsOf(documents.tenants),
  desk: operationsOf(documents.operators),
}
const named = new Set([...BEFORE_PASSKEY, ...OPEN])
const left = new Set([...named, ...OF_KEYS])

const owned = new AsyncDisposableStack()
let api: TestApi
let operators: OperatorApi
let invited: { cookie: string | undefined }
let deskCookie: string
beforeAll(async () => {
  api = owned.use(await startTestApi())
  operators = owned.use(await openOperatorApi(api))
  invited = await signIn(api, { signedInBy: 'invitation' })
  deskCookie = await openDeskInvitation()
})
afterAll(() => owned.disposeAsync())

async function openDeskInvitation(): Promise<string> {
  const { cookie } = await operators.addOperator('admin')
  const member = { email: 'new@lender.example', name: 'Ada', role: 'admin', reason: 'new here' }
  const made = await operators.send('/operators', { method: 'POST', cookie, body: member })
  expect(made.status).toBe(201)
  const [, link = ''] = made.json().invitation_url.split('#token=')
  const { origin } = api.resources.config.desk
  const sent = { method: 'POST', body: { token: link }, headers: { origin } } as const
  const opened = await operators.send('/session/link', sent)
  return /__Host-desk=([^;]+)/.exec(String(opened.headers['set-cookie']))?.[1] ?? ''
}

const IDS = { tenant_id: 'ten', borrower_id: 'bor', facility_id: 'fac', event_id: 'evt' } as const

const pathOf = ({ path }: Operation) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name in IDS ? newId(IDS[name as keyof typeof IDS]) : name === 'number' ? '1' : newId('key'),
  )

const bodyOf = ({ body, example }: Operation) => (body ? { body: example ?? {} } : {})

async function sendToConsole(operation: Operation, prefix: string) {
  const browser = openBrowser(api, invited.cookie)
  const { method } = operation
  return await browser.send(method, `${prefix}${pathOf(operation)}`, bodyOf(operation))
}

async function sendToDesk(operation: Operation) {
  const path = pathOf(operation).replace('/operator/v1', '')
  const method = operation.method as NonNullable<Sent['method']>
  return await operators.send(path, { method, cookie: deskCookie, ...bodyOf(operation) })
}

const send: Record<keyof typeof operations, (one: Operation) => ReturnType<typeof sendToDesk>> = {
  console: (one) => sendToConsole(one, ''),
  'the API in the console': (one) => sendToConsole(one, '/console'),
  desk: sendToDesk,
}

describe.each(Object.keys(operations) as (keyof typeof operations)[])('%s', (site) => {
  const refused = operations[site].filter(({ id }) => !left.has(id))

  test('has operations that are not named here', () => {
    expect(refused.length).toBeGreaterThan(10)
  })

  test.each(refused.map((one) => [one.id, one] as const))(
    '%s is refused before the first passkey',
    async (_id, one) => {
      const answer = await send[site](one)
      expect([answer.status, answer.json().code]).toEqual([403, 'passkey_required'])
    },
  )
})

test('each operation that is named is there, in the console and in the desk', () => {
  for (const site of ['console', 'desk'] as const) {
    const ids = operations[site].map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([...named]))
  }
})

test('before the first passkey the session is read', async () => {
  const answer = await openBrowser(api, invited.cookie).send('GET', '/console/api/session')
  expect(answer.json()).toMatchObject({ must_add_passkey: true })
  const desk = await operators.send('/session', { cookie: deskCookie })
  expect(desk.json()).toMatchObject({ must_add_passkey: true })
})
