import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMs, HOUR_MS } from '../../../src/core/time.ts'
import { startTestApi, type TestApi } from '../../support/api/api.ts'
import { type SignedIn, signIn } from '../../support/api/console.ts'
import { expectProblem } from '../../support/api/expect-problem.ts'
import { askForMails, failAttempts, mailsTo, sendDueMails } from '../../support/api/mails.ts'
import { addWebhook } from '../../support/deliveries/deliveries.ts'
import { type MailServer, startMailServer } from '../../support/servers/mail-server.ts'

let aheadMs = 0
const clock = () => addMs(new Date(), aheadMs)
const owned = new AsyncDisposableStack()
let mailServer: MailServer
let api: TestApi
beforeAll(async () => {
  mailServer = owned.use(await startMailServer())
  const env = { SMTP_URL: mailServer.url, SMTP_FROM: 'alerts@lender.example' }
  api = owned.use(await startTestApi({ clock, env }))
})
afterAll(() => owned.disposeAsync())

const choose = (person: SignedIn, isOn: boolean) =>
  person.send('PUT', '/console/api/notifications', { body: { failure_mails: isOn } })

/** A person of a new tenant who asked for mails and confirmed the address, and a webhook. */
async function openReader() {
  const tenantId = (await api.addTenant()).id
  const person = await signIn(api, { tenantId, role: 'viewer' })
  const { address } = await askForMails(api, mailServer, person)
  const url = 'https://hooks.acme.example/lending?token=secret'
  const webhookId = await addWebhook(api.db, tenantId, { url, label: 'Ledger' })
  const about = () => mailsTo(mailServer, address).filter((mail) => mail.includes('whk_'))
  return { person, tenantId, webhookId, address, about }
}

const send = () => sendDueMails(api)

test('a person who asks for mails gets one when a webhook fails, and one with the rest an hour later', async () => {
  const reader = await openReader()
  const other = await signIn(api, { tenantId: reader.tenantId })
  await failAttempts(api, reader, 25)
  await send()
  const [first = '', ...rest] = reader.about()
  expect(rest).toEqual([])
  expect(first).toContain('From: alerts@lender.example')
  expect(first).toContain(`To: ${reader.address}`)
  expect(first).toContain(`Subject: The webhook ${reader.webhookId} is failing`)
  expect(first).toContain('25 attempts in a row have failed.')
  expect(first).toContain(`/console/webhooks/${reader.webhookId}`)
  expect(first).not.toMatch(/secret|acme|Ledger/)

  await failAttempts(api, reader, 50)
  await send()
  await failAttempts(api, reader, 25)
  await send()
  expect(reader.about()).toHaveLength(1)
  aheadMs += HOUR_MS
  await send()
  const [, second = '', ...more] = reader.about()
  expect(more).toEqual([])
  expect(second).toContain(`Subject: The webhook ${reader.webhookId} is disabled`)
  expect(second).toContain('100 attempts in a row have failed.')
  expect(mailsTo(mailServer, `${other.personId}@example.com`)).toEqual([])
})

test('a mail that the server refuses is sent later as it was, whatever happened meanwhile', async () => {
  const reader = await openReader()
  await failAttempts(api, reader, 25)
  mailServer.refuse(1)
  expect(await send()).toBe(1)
  expect(reader.about()).toEqual([])
  const [work] = await api.db
    .selectFrom('work')
    .select(['subject_id', 'attempts', 'last_error'])
    .where('tenant_id', '=', reader.tenantId)
    .where('topic', '=', 'mail-failure')
    .execute()
  expect(work).toMatchObject({ attempts: 1, last_error: 'Error EMESSAGE' })
  await failAttempts(api, reader, 25)
  aheadMs += HOUR_MS / 2
  await send()
  const [first = '', ...more] = reader.about()
  expect(more).toEqual([])
  expect(first).toContain('25 attempts in a row have failed.')

  // As if the process had ended before it was noted that the mail was sent.
  await api.db
    .updateTable('failure_notices')
    .set({ sent_at: null })
    .where('tenant_id', '=', reader.tenantId)
    .execute()
  aheadMs += HOUR_MS
  await send()
  const [, again = '', next = ''] = reader.about()
  const idOf = (mail: string) => /^Message-ID: (.*)\r$/m.exec(mail)?.[1]
  expect(idOf(again)).toBe(idOf(first))
  expect(idOf(next)).not.toBe(idOf(first))
  expect(next).toContain('50 attempts in a row have failed.')
})

test('a person who ends the mails, or is removed, gets none that are not sent yet', async () => {
  const reader = await openReader()
  await failAttempts(api, reader, 25)
  expect((await choose(reader.person, false)).json().failure_mails).toBe(false)
  await send()
  await choose(reader.person, true)
  await failAttempts(api, reader, 25)
  const admin = await signIn(api, { tenantId: reader.tenantId })
  const removed = await admin.send('DELETE', `/console/api/people/${reader.person.personId}`)
  expect(removed.status).toBe(204)
  await send()
  expect(reader.about()).toEqual([])
})

test('a person who has not confirmed the address is not written to about failures, then or later', async () => {
  const { id: tenantId } = await api.addTenant()
  const person = await signIn(api, { tenantId })
  await choose(person, true)
  const webhook = { tenantId, webhookId: await addWebhook(api.db, tenantId) }
  await failAttempts(api, webhook, 50)
  await send()
  const { address } = await askForMails(api, mailServer, person)
  await send()
  const [question = '', ...more] = mailsTo(mailServer, address)
  expect(more).toEqual([])
  expect(question).toContain('Subject: Confirm this address')
})

test('another address than the one that was confirmed gets no mails', async () => {
  const reader = await openReader()
  await failAttempts(api, reader, 25)
  await api.db
    .updateTable('console_people')
    .set({ email: `other.${reader.address}` })
    .where('person_id', '=', reader.person.personId)
    .execute()
  await send()
  expect(reader.about()).toEqual([])
  expect(mailsTo(mailServer, `other.${reader.address}`)).toEqual([])
})

test('the choice is on record, once for each change', async () => {
  const { person } = await openReader()
  await choose(person, true)
  await choose(person, false)
  const admin = await signIn(api, { tenantId: person.tenantId })
  const { items } = (await admin.send('GET', '/console/api/actions')).json()
  const changes = items.filter(({ action }: { action: string }) => action === 'setNotifications')
  expect(changes.map(({ after }: { after: unknown }) => after)).toEqual([
    { failure_mails: false },
    { failure_mails: true },
  ])
})

test('without a mail server mails are not offered, and asking for them is refused', async () => {
  await using silent = await startTestApi()
  const person = await signIn(silent)
  const read = await person.send('GET', '/console/api/notifications')
  expect(read.json()).toEqual({ available: false, failure_mails: false })
  const refused = await choose(person, true)
  expect(expectProblem(refused, 422, 'validation_failed').detail).toContain('SMTP_URL')
  expect((await choose(person, false)).status).toBe(200)
})
