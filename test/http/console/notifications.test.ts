import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { addMs, HOUR_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { peopleOf } from '../../../src/db/people-tables.ts'
import { removePerson } from '../../../src/domain/people/people.ts'
import { MAIL_FAILURE, mailFailure } from '../../../src/domain/webhooks/failure-mails.ts'
import type { Claim } from '../../../src/domain/work/claim.ts'
import { startTestApi, type TestApi } from '../../support/api/api.ts'
import { type SignedIn, signIn } from '../../support/api/console.ts'
import { expectProblem } from '../../support/api/expect-problem.ts'
import {
  addEvents,
  addWebhook,
  answered,
  claimAt,
  recordAt,
} from '../../support/deliveries/deliveries.ts'
import { runDueWork } from '../../support/deliveries/due-work.ts'
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

/** A person of a new tenant who asked for mails, and a webhook of that tenant. */
async function openReader() {
  const tenantId = (await api.addTenant()).id
  const person = await signIn(api, { tenantId, role: 'viewer' })
  expect((await choose(person, true)).json()).toEqual({ available: true, failure_mails: true })
  const url = 'https://hooks.acme.example/lending?token=secret'
  const webhookId = await addWebhook(api.db, tenantId, { url })
  return { person, tenantId, webhookId, address: `${person.personId}@example.com` }
}

async function fail(
  { tenantId, webhookId }: { tenantId: string; webhookId: string },
  times: number,
) {
  await addEvents(api.db, tenantId, times)
  const webhook = { tenantId, webhookId }
  const now = clock()
  const claimed = await claimAt(api.db, webhook, { limit: times, deadlineMs: 15_000, now })
  expect(claimed).toHaveLength(times)
  const attempts = claimed.map((delivery) => ({
    ...{ delivery, startedAt: now, endedAt: now },
    outcome: answered(500),
  }))
  await recordAt(api.db, webhook, attempts, now)
}

function sendDue(): Promise<number> {
  const run = ({ tenantId, subjectId }: Claim) => mailFailure(api.resources, tenantId, subjectId)
  return runDueWork(api.db, new Map([[MAIL_FAILURE, run]]), clock)
}

const mailsTo = (address: string) => mailServer.mails.filter(({ to }) => to.includes(address))

test('who asks for mails is written to when a webhook fails and when it is disabled, and no one else is', async () => {
  const reader = await openReader()
  const other = await signIn(api, { tenantId: reader.tenantId })
  await fail(reader, 25)
  await sendDue()
  const [first, ...rest] = mailsTo(reader.address)
  expect(rest).toEqual([])
  expect(first?.source).toContain('From: alerts@lender.example')
  expect(first?.source).toContain('Subject: The webhook hooks.acme.example fails')
  expect(first?.source).toContain('25 attempts in a row have failed.')
  expect(first?.source).toContain(`/console/webhooks/${reader.webhookId}`)
  expect(first?.source).not.toContain('secret')

  await fail(reader, 75)
  await sendDue()
  const subjects = mailsTo(reader.address).map(
    ({ source }) => /^Subject: (.*)\r$/m.exec(source)?.[1] ?? '',
  )
  expect(subjects.filter((subject) => subject.endsWith('fails'))).toHaveLength(3)
  expect(subjects.filter((subject) => subject.endsWith('is disabled'))).toHaveLength(1)
  expect(mailsTo(`${other.personId}@example.com`)).toEqual([])
})

test('a mail that the server refuses is sent later, and one that is sent twice has one message id', async () => {
  const reader = await openReader()
  await fail(reader, 25)
  mailServer.refuse(1)
  expect(await sendDue()).toBe(1)
  expect(mailsTo(reader.address)).toEqual([])
  const [work] = await api.db
    .selectFrom('work')
    .select(['subject_id', 'attempts', 'last_error'])
    .where('tenant_id', '=', reader.tenantId)
    .where('topic', '=', MAIL_FAILURE)
    .execute()
  expect(work).toMatchObject({ attempts: 1, last_error: 'Error EMESSAGE' })
  aheadMs += HOUR_MS
  await sendDue()
  await mailFailure(api.resources, reader.tenantId, work?.subject_id ?? '')
  const ids = mailsTo(reader.address).map(({ source }) => /^Message-ID: (.*)\r$/m.exec(source)?.[1])
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
})

test('a person who ends the mails, or is removed, gets none that are not sent yet', async () => {
  const reader = await openReader()
  await fail(reader, 25)
  expect((await choose(reader.person, false)).json().failure_mails).toBe(false)
  await sendDue()
  await choose(reader.person, true)
  await fail(reader, 25)
  const actor = { ...peopleOf(reader.tenantId), now: clock() }
  await signIn(api, { tenantId: reader.tenantId })
  await inTransaction(api.db, (tx) => removePerson(tx, actor, reader.person.personId))
  await sendDue()
  expect(mailsTo(reader.address)).toEqual([])
})

test('a notice that the log no longer has is not mailed, and is not tried for ever', async () => {
  const { tenantId, person, address } = await openReader()
  const subject = `${newId('evt')}/${person.personId}`
  expect(await mailFailure(api.resources, tenantId, subject)).toEqual({ done: true })
  expect(mailsTo(address)).toEqual([])
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
