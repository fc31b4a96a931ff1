import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { LENDER, peopleOf } from '../../../src/db/sql/people-tables.ts'
import { mailAboutAccount, mailLenderPeople } from '../../../src/domain/mails/account-mails.ts'
import { startTestApi, type TestApi } from '../../support/api/api.ts'
import { createAuthenticator } from '../../support/api/authenticator.ts'
import { openBrowser, type SignedIn, signIn } from '../../support/api/console.ts'
import { expectProblem } from '../../support/api/expect-problem.ts'
import {
  askForMails,
  confirmationTokenFor,
  mailsTo,
  sendDueMails,
} from '../../support/api/mails.ts'
import { type OperatorApi, openOperatorApi } from '../../support/api/operators.ts'
import { inviteOperator, removeOperator } from '../../support/people.ts'
import { type MailServer, startMailServer } from '../../support/servers/mail-server.ts'

let aheadMs = 0
const clock = () => addMs(new Date(), aheadMs)
const owned = new AsyncDisposableStack()
let mailServer: MailServer
let api: TestApi
let operators: OperatorApi
beforeAll(async () => {
  mailServer = owned.use(await startMailServer())
  const env = { SMTP_URL: mailServer.url, SMTP_FROM: 'alerts@lender.example' }
  api = owned.use(await startTestApi({ clock, env }))
  operators = owned.use(await openOperatorApi(api))
})
afterAll(() => owned.disposeAsync())

const readAddress = async (person: SignedIn) =>
  (await person.send('GET', '/console/api/address')).json()

const confirm = (token: string) =>
  openBrowser(api).send('POST', '/console/api/address/confirmation', { body: { token } })

/** Of a new tenant, so that no limit is met by accident. */
async function openPerson() {
  const { id: tenantId } = await api.addTenant()
  const person = await signIn(api, { tenantId })
  return { person, tenantId, address: `${person.personId}@example.com` }
}

async function askFor({ person, address }: { person: SignedIn; address: string }) {
  expect((await person.send('POST', '/console/api/address/link')).status).toBe(204)
  await sendDueMails(api)
  return confirmationTokenFor(mailServer, address)
}

test('an address is confirmed by the link that was mailed to it, in any browser, and that is recorded once', async () => {
  const given = await openPerson()
  const { person, address: email } = given
  expect(await readAddress(person)).toEqual({ available: true, email, confirmed: false })
  const token = await askFor(given)
  expect((await confirm(token)).status).toBe(204)
  expect((await confirm(token)).status).toBe(204)
  expect(await readAddress(person)).toEqual({ available: true, email, confirmed: true })
  const { items } = (await person.send('GET', '/console/api/actions')).json()
  const acts = items.filter(({ action }: { action: string }) => action === 'confirmAddress')
  expect(acts).toMatchObject([{ person: { id: person.personId } }])
  // There is nothing left to ask.
  aheadMs += 2 * DAY_MS
  await sendDueMails(api)
  expect(mailsTo(mailServer, email)).toHaveLength(1)
})

test('a link that is changed, older than a day, of a person who was removed, or of another address confirms nothing', async () => {
  const given = await openPerson()
  const token = await askFor(given)
  for (const wrong of [`${token.slice(0, -3)}AAA`, 'x', `unknown.${token.split('.')[1]}`]) {
    expectProblem(await confirm(wrong), 401, 'link_invalid')
  }
  aheadMs += DAY_MS - MINUTE_MS
  const people = api.db.updateTable('console_people')
  const own = (columns: { email?: string; removed_at?: Date | null }) =>
    people.set(columns).where('person_id', '=', given.person.personId).execute()
  await own({ email: 'other@example.com' })
  expectProblem(await confirm(token), 401, 'link_invalid')
  await own({ email: given.address, removed_at: clock() })
  expectProblem(await confirm(token), 401, 'link_invalid')
  await own({ removed_at: null })
  aheadMs += MINUTE_MS
  expectProblem(await confirm(token), 401, 'link_invalid')
  aheadMs -= HOUR_MS
  expect((await confirm(token)).status).toBe(204)
})

test('a link of the console confirms nothing at the desk', async () => {
  const token = await askFor(await openPerson())
  const { origin } = api.resources.config.desk
  const sent = { method: 'POST', body: { token }, headers: { origin } } as const
  await operators.expectRefusal('/address/confirmation', sent, 401, 'link_invalid')
})

test('the first passkey asks by itself, and again only when the person does a day later', async () => {
  const given = await openPerson()
  const authenticator = createAuthenticator(api.resources.config.console.origin)
  const options = await given.person.send('POST', '/console/api/passkeys/options')
  const body = { response: authenticator.create(options.json()), name: 'Laptop' }
  expect((await given.person.send('POST', '/console/api/passkeys', { body })).status).toBe(201)
  await sendDueMails(api)
  expect(mailsTo(mailServer, given.address)).toHaveLength(1)
  const refused = await given.person.send('POST', '/console/api/address/link')
  expectProblem(refused, 429, 'rate_limited')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000)
})

test('questions that are asked at the same time are one mail', async () => {
  const { person, address } = await openPerson()
  const asked = Array.from({ length: 6 }, () => person.send('POST', '/console/api/address/link'))
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  expect(statuses.sort((a, b) => a - b)).toEqual([204, ...Array(5).fill(429)])
  await sendDueMails(api)
  expect(mailsTo(mailServer, address)).toHaveLength(1)
})

test('without a mail server nothing is asked', async () => {
  await using silent = await startTestApi()
  const person = await signIn(silent)
  expect(await readAddress(person)).toMatchObject({ available: false, confirmed: false })
  const refused = await person.send('POST', '/console/api/address/link')
  expect(expectProblem(refused, 422, 'validation_failed').detail).toContain('SMTP_URL')
})

describe('what people learn about their own account', () => {
  test('goes to a confirmed address at once, beside the limits, with ids and our own link', async () => {
    const { person, tenantId, address } = await openPerson()
    const key = { ...peopleOf(tenantId), personId: person.personId }
    const tell = () =>
      inTransaction(api.db, (tx) =>
        mailAboutAccount(tx, key, { event: 'passkey_added', subjectId: 'psk_1' }, clock()),
      )
    await tell()
    await sendDueMails(api)
    expect(mailsTo(mailServer, address)).toEqual([])
    await askForMails(api, mailServer, person)
    for (let times = 0; times < 12; times += 1) await tell()
    await sendDueMails(api)
    const [, ...mails] = mailsTo(mailServer, address)
    expect(mails).toHaveLength(12)
    for (const mail of mails) {
      expect(mail).toContain('Subject: A passkey was added to your account')
      expect(mail).toContain(`Account: ${person.personId}`)
      expect(mail).toContain('About: psk_1')
      expect(mail).toContain(`${api.resources.config.console.origin}/console/actions`)
    }
  })

  test('is not sent when it is a day old', async () => {
    const { person, tenantId, address } = await openPerson()
    await askForMails(api, mailServer, person)
    const key = { ...peopleOf(tenantId), personId: person.personId }
    await inTransaction(api.db, (tx) =>
      mailAboutAccount(tx, key, { event: 'role_changed' }, addMs(clock(), -DAY_MS)),
    )
    await sendDueMails(api)
    expect(mailsTo(mailServer, address)).toHaveLength(1)
  })
})

describe("the lender's people", () => {
  let count = 0
  async function openOperator() {
    count += 1
    const email = `person${count}@desk.example`
    const { operator, token } = await inTransaction(api.db, (tx) =>
      inviteOperator(tx, { email, name: 'Ada', role: 'admin' }, clock()),
    )
    const { origin } = api.resources.config.desk
    const open = { method: 'POST', body: { token }, headers: { origin } } as const
    const opened = await operators.send('/session/link', open)
    const cookie = /__Host-desk=([^;]+)/.exec(String(opened.headers['set-cookie']))?.[1] ?? ''
    const authenticator = createAuthenticator(origin)
    const options = await operators.send('/passkeys/options', { method: 'POST', cookie })
    const body = { response: authenticator.create(options.json()), name: 'Laptop' }
    expect((await operators.send('/passkeys', { method: 'POST', cookie, body })).status).toBe(201)
    return { operator, email, cookie }
  }

  const mail = () => mailLenderPeople(api.resources)
  const learn = (id: string) =>
    inTransaction(api.db, (tx) =>
      mailAboutAccount(tx, { ...LENDER, personId: id }, { event: 'link_made' }, clock()),
    )

  test('confirm their address at the desk, and are mailed about their account then', async () => {
    const { operator, email, cookie } = await openOperator()
    await learn(operator.id)
    await mail()
    const [question = '', ...more] = mailsTo(mailServer, email)
    expect(more).toEqual([])
    expect(question).toContain(`${api.resources.config.desk.origin}/desk/#confirm=`)
    const { origin } = api.resources.config.desk
    const body = { token: confirmationTokenFor(mailServer, email) }
    const sent = { method: 'POST', body, headers: { origin } } as const
    expect((await operators.send('/address/confirmation', sent)).status).toBe(204)
    const read = await operators.send('/address', { cookie })
    expect(read.json()).toEqual({ available: true, email, confirmed: true })
    const { items } = (await operators.send('/actions?limit=1', { cookie })).json()
    expect(items).toMatchObject([
      { action: 'operators.confirm_address', subject: { id: operator.id } },
    ])

    mailServer.refuse(1)
    await learn(operator.id)
    await expect(mail()).rejects.toThrow()
    await mail()
    expect(mailsTo(mailServer, email)).toHaveLength(1)
    aheadMs += 2 * MINUTE_MS
    await Promise.all([mail(), mail()])
    const [, learned = ''] = mailsTo(mailServer, email)
    expect(learned).toContain('Subject: A link that signs in to your account was made')
    aheadMs += 2 * MINUTE_MS
    await mail()
    expect(mailsTo(mailServer, email)).toHaveLength(2)
  })

  test('who were removed are mailed nothing', async () => {
    const { operator, email } = await openOperator()
    await inTransaction(api.db, (tx) => removeOperator(tx, operator.email, clock()))
    await learn(operator.id)
    await mail()
    expect(mailsTo(mailServer, email)).toEqual([])
  })
})
