import { expect, test } from 'vitest'
import { DAY_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { peopleOf } from '../../../src/db/sql/people-tables.ts'
import { invite } from '../../../src/domain/people/links/invitations.ts'
import { apiForFile } from '../../support/api/api.ts'
import { createAuthenticator } from '../../support/api/authenticator.ts'
import { type Browser, openBrowser, type SignedIn, signIn } from '../../support/api/console.ts'
import { expectProblem } from '../../support/api/expect-problem.ts'

type Authenticator = ReturnType<typeof createAuthenticator>

let ahead = 0
const api = apiForFile({ clock: () => new Date(Date.now() + ahead) })

const moveOn = (ms: number) => {
  ahead += ms
}

async function startAdmin(): Promise<SignedIn> {
  return await signIn(api, { tenantId: (await api.addTenant()).id })
}

const member = { email: 'Grace@Example.com', name: 'Grace', role: 'viewer' }

test('an admin invites a person, who opens the invitation', async () => {
  const admin = await startAdmin()
  const invited = await admin.send('POST', '/console/api/people', { body: member })
  expect(invited.status).toBe(201)
  const { person, invitation_url: url } = invited.json()
  expect(person).toMatchObject({ email: 'grace@example.com', name: 'Grace', role: 'viewer' })
  const { origin } = api.resources.config.console
  expect(url.startsWith(`${origin}/console/#token=${admin.tenantId}.`)).toBe(true)
  const browser = openBrowser(api)
  const body = { token: url.split('#token=')[1] }
  const opened = await browser.send('POST', '/console/api/session/link', { body })
  expect(opened.json()).toMatchObject({ person, signed_in_by: 'invitation' })
  const { items } = (await admin.send('GET', '/console/api/people')).json()
  expect(items.find(({ id }: { id: string }) => id === admin.personId)).toMatchObject({
    ...{ passkeys: 0, last_seen_at: expect.any(String) },
  })
  const ids: string[] = items.map(({ id }: { id: string }) => id)
  expect(ids.sort()).toEqual([String(person.id), admin.personId].sort())
})

test('an address is invited once, in any case, and again only by a new invitation', async () => {
  const admin = await startAdmin()
  const first = await admin.send('POST', '/console/api/people', { body: member })
  const body = { ...member, email: 'GRACE@example.com' }
  expectProblem(await admin.send('POST', '/console/api/people', { body }), 409, 'already_exists')
  const { id } = first.json().person
  const again = await admin.send('POST', `/console/api/people/${id}/invitation`)
  expect(again.status).toBe(201)
  const open = (url: string) =>
    openBrowser(api).send('POST', '/console/api/session/link', {
      body: { token: url.split('#token=')[1] },
    })
  expectProblem(await open(first.json().invitation_url), 401, 'link_invalid')
  expect((await open(again.json().invitation_url)).status).toBe(200)
})

async function prepare() {
  const admin = await startAdmin()
  const person = await signIn(api, { tenantId: admin.tenantId, role: 'developer' })
  const authenticator = createAuthenticator(api.resources.config.console.origin)
  expect((await addPasskey(person, authenticator)).status).toBe(201)
  const again = await admin.send('POST', `/console/api/people/${person.personId}/invitation`)
  const body = { token: again.json().invitation_url.split('#token=')[1] }
  const open = (browser: Browser) => browser.send('POST', '/console/api/session/link', { body })
  return { admin, person, authenticator, open }
}

async function addPasskey(browser: Browser, authenticator: Authenticator) {
  const options = await browser.send('POST', '/console/api/passkeys/options')
  // The session may end before.
  if (options.status !== 200) return options
  const body = { response: authenticator.create(options.json()), name: 'Laptop' }
  return await browser.send('POST', '/console/api/passkeys', { body })
}

async function signInBy(authenticator: Authenticator) {
  const browser = openBrowser(api)
  const options = (await browser.send('POST', '/console/api/session/passkey/options')).json()
  const body = { response: authenticator.get(options) }
  return await browser.send('POST', '/console/api/session/passkey', { body })
}

test('what the person had holds until it is opened, and for a day after it was made', async () => {
  const { admin, person, authenticator, open } = await prepare()
  const fresh = openBrowser(api)
  expect((await open(fresh)).json()).toMatchObject({ passkeys: 0, must_add_passkey: true })
  const added = createAuthenticator(api.resources.config.console.origin)
  expect((await addPasskey(fresh, added)).status).toBe(201)
  const session = (await person.send('GET', '/console/api/session')).json()
  expect(session.replaced_at).not.toBeNull()
  expect(session.notices).toContainEqual(
    expect.objectContaining({ action: 'endFormerAccess', by: session.person.email }),
  )
  expect((await signInBy(authenticator)).status).toBe(200)
  const { items } = (await admin.send('GET', '/console/api/actions')).json()
  expect(items).toContainEqual(
    expect.objectContaining({
      ...{ action: 'endFormerAccess', subject_id: person.personId },
      ...{ before: { passkeys: 1, sessions: 1 } },
    }),
  )
  moveOn(DAY_MS)
  expectProblem(await person.send('GET', '/console/api/session'), 401, 'session_required')
  expectProblem(await signInBy(authenticator), 403, 'passkey_invalid')
  expect((await signInBy(added)).status).toBe(200)
})

test('a thief who adds a passkey or signs in while it is opened keeps nothing', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { person, authenticator, open } = await prepare()
    const fresh = openBrowser(api)
    const thieved = createAuthenticator(api.resources.config.console.origin)
    const [stolen] = await Promise.all([
      signInBy(authenticator),
      open(fresh),
      addPasskey(person, thieved),
    ])
    moveOn(DAY_MS)
    const token = /^__Host-console=([^;]+)/.exec(stolen.headers['set-cookie']?.[0] ?? '')?.[1]
    const thief = openBrowser(api, token ?? person.cookie)
    expectProblem(await thief.send('GET', '/console/api/session'), 401, 'session_required')
    expect((await signInBy(thieved)).status).toBe(403)
  }
})

test('a change of role takes effect with the next request', async () => {
  const admin = await startAdmin()
  const viewer = await signIn(api, { role: 'viewer', tenantId: admin.tenantId })
  const read = () => viewer.send('GET', '/console/api/people')
  expectProblem(await read(), 403, 'scope_missing')
  const path = `/console/api/people/${viewer.personId}`
  const changed = await admin.send('PATCH', path, { body: { role: 'admin' } })
  expect(changed.json()).toMatchObject({ id: viewer.personId, role: 'admin' })
  expect((await read()).status).toBe(200)
})

test('a removed person has no session left, at once, and no invitation', async () => {
  const admin = await startAdmin()
  const person = await signIn(api, { role: 'developer', tenantId: admin.tenantId })
  const path = `/console/api/people/${person.personId}`
  const again = await admin.send('POST', `${path}/invitation`)
  expect((await admin.send('DELETE', path)).status).toBe(204)
  expectProblem(await person.send('GET', '/console/api/session'), 401, 'session_required')
  const body = { token: again.json().invitation_url.split('#token=')[1] }
  const opened = await openBrowser(api).send('POST', '/console/api/session/link', { body })
  expectProblem(opened, 401, 'link_invalid')
  expectProblem(await admin.send('DELETE', path), 404, 'not_found')
})

test('a person who is removed while a link of theirs opens is refused', async () => {
  const admin = await startAdmin()
  const { tenantId } = admin
  const { person } = (await admin.send('POST', '/console/api/people', { body: member })).json()
  await admin.send('DELETE', `/console/api/people/${person.id}`)
  const key = { ...peopleOf(tenantId), personId: person.id }
  const now = api.resources.clock()
  const token = await inTransaction(api.db, (tx) =>
    invite(tx, key, { kind: 'invitation', isTrusted: false, now }),
  )
  const browser = openBrowser(api)
  const opened = await browser.send('POST', '/console/api/session/link', { body: { token } })
  expectProblem(opened, 401, 'session_required')
  expect(browser.cookie).toBeUndefined()
})

test('of two admins who remove each other at once, one stays', async () => {
  const admin = await startAdmin()
  const other = await signIn(api, { tenantId: admin.tenantId })
  await Promise.all([
    admin.send('DELETE', `/console/api/people/${other.personId}`),
    other.send('DELETE', `/console/api/people/${admin.personId}`),
  ])
  const left = await api.db
    .selectFrom('console_people')
    .select('person_id')
    .where('tenant_id', '=', admin.tenantId)
    .where('removed_at', 'is', null)
    .execute()
  expect(left).toHaveLength(1)
})

test('the last admin is neither removed nor given another role', async () => {
  const admin = await startAdmin()
  const path = `/console/api/people/${admin.personId}`
  expectProblem(await admin.send('DELETE', path), 409, 'last_admin')
  const body = { role: 'viewer' }
  expectProblem(await admin.send('PATCH', path, { body }), 409, 'last_admin')
})

test.each(['viewer', 'developer'] as const)(
  'a %s neither sees nor changes people',
  async (role) => {
    const browser = await signIn(api, { role })
    const path = `/console/api/people/${browser.personId}`
    const answers = [
      await browser.send('GET', '/console/api/people'),
      await browser.send('POST', '/console/api/people', { body: member }),
      await browser.send('PATCH', path, { body: { role: 'admin' } }),
      await browser.send('POST', `${path}/invitation`),
      await browser.send('DELETE', path),
    ]
    for (const answer of answers) expectProblem(answer, 403, 'scope_missing')
  },
)

test("another tenant's person is unknown, as one that does not exist", async () => {
  const admin = await startAdmin()
  const stranger = await signIn(api)
  const body = { role: 'viewer' }
  for (const id of [stranger.personId, 'per_01k9x4m2q8e0tb7f2v5j6h8n3c', 'nonsense']) {
    const path = `/console/api/people/${id}`
    expectProblem(await admin.send('PATCH', path, { body }), 404, 'not_found')
    expectProblem(await admin.send('DELETE', path), 404, 'not_found')
    expectProblem(await admin.send('POST', `${path}/invitation`), 404, 'not_found')
  }
  expect((await stranger.send('GET', '/console/api/session')).status).toBe(200)
})

test('actions show who did what, newest first, page by page, and to their tenant alone', async () => {
  const admin = await startAdmin()
  const { person } = (await admin.send('POST', '/console/api/people', { body: member })).json()
  const path = `/console/api/people/${person.id}`
  await admin.send('PATCH', path, { body: { role: 'developer' } })
  const first = (await admin.send('GET', '/console/api/actions?limit=2')).json()
  expect(first).toMatchObject({
    has_more: true,
    items: [
      {
        ...{ action: 'changePerson', subject_id: person.id, person: { id: admin.personId } },
        ...{ before: { role: 'viewer' }, after: { role: 'developer' } },
      },
      { action: 'invitePerson', subject_id: person.id, after: { email: 'grace@example.com' } },
    ],
  })
  const rest = await admin.send('GET', `/console/api/actions?limit=2&from=${first.next_cursor}`)
  expect(rest.json()).toMatchObject({ has_more: false, items: [{ action: 'signIn' }] })
  const stranger = await startAdmin()
  const foreign = await stranger.send('GET', `/console/api/actions?from=${first.next_cursor}`)
  expectProblem(foreign, 400, 'cursor_invalid')
  expect((await stranger.send('GET', '/console/api/actions')).text).not.toContain(admin.tenantId)
})
