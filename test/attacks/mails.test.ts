// What a tenant can make the lender's mail server send, and to whom.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts'
import { startTestApi, type TestApi } from '../support/api/api.ts'
import { createAuthenticator } from '../support/api/authenticator.ts'
import { openBrowser, type SignedIn, signIn } from '../support/api/console.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import { askForMails, failAttempts, mailsTo, sendDueMails } from '../support/api/mails.ts'
import { addWebhook } from '../support/deliveries/deliveries.ts'
import { type MailServer, startMailServer } from '../support/servers/mail-server.ts'

const OWN_TEXT = 'WIN a free loan at cheap-loans.example '.repeat(6).slice(0, 200)
const URL = 'https://cheap-loans.example/win'

let aheadMs = 0
const clock = () => addMs(new Date(), aheadMs)
let owned: AsyncDisposableStack
let mailServer: MailServer
let api: TestApi
beforeAll(async () => {
  owned = new AsyncDisposableStack()
  mailServer = owned.use(await startMailServer())
  const env = { SMTP_URL: mailServer.url, SMTP_FROM: 'alerts@lender.example' }
  api = owned.use(await startTestApi({ clock, env }))
})
afterAll(() => owned.disposeAsync())

const choose = (person: { send: SignedIn['send'] }) =>
  person.send('PUT', '/console/api/notifications', { body: { failure_mails: true } })

const askAgain = (person: { send: SignedIn['send'] }) =>
  person.send('POST', '/console/api/address/link')

let count = 0

/** Invited with an address of someone else, and opened by the admin who has the link. */
async function openForeignAccount(admin: SignedIn, email: string) {
  const member = { email, name: OWN_TEXT.slice(0, 100), role: 'viewer' }
  const invited = await admin.send('POST', '/console/api/people', { body: member })
  expect(invited.status).toBe(201)
  const [, token = ''] = invited.json().invitation_url.split('#token=')
  const browser = openBrowser(api)
  const opened = await browser.send('POST', '/console/api/session/link', { body: { token } })
  expect(opened.status).toBe(200)
  return browser
}

async function addPasskey(browser: { send: SignedIn['send'] }): Promise<void> {
  const authenticator = createAuthenticator(api.resources.config.console.origin)
  const options = (await browser.send('POST', '/console/api/passkeys/options')).json()
  const body = { response: authenticator.create(options), name: OWN_TEXT.slice(0, 100) }
  expect((await browser.send('POST', '/console/api/passkeys', { body })).status).toBe(201)
}

/** A tenant with a webhook that is labelled with the attacker's words. */
async function openAttacker() {
  const { id: tenantId } = await api.addTenant()
  const admin = await signIn(api, { tenantId })
  const webhookId = await addWebhook(api.db, tenantId, { url: URL, label: OWN_TEXT })
  return { tenantId, admin, webhookId }
}

function foreignAddresses(most: number): string[] {
  count += 1
  return Array.from({ length: most }, (_, n) => `victim${n}.${count}@elsewhere.example`)
}

/** Their sessions would be idle after twelve hours. */
async function passADay(browsers: readonly { send: SignedIn['send'] }[]): Promise<void> {
  for (let hours = 0; hours < 24; hours += 8) {
    aheadMs += 8 * HOUR_MS
    const reads = browsers.map(({ send }) => send('GET', '/console/api/session'))
    for (const { status } of await Promise.all(reads)) expect(status).toBe(200)
  }
}

/** Nothing that the attacker has typed: neither the words, nor the address of the webhook. */
function expectOurWords(sources: readonly string[]): void {
  for (const source of sources) {
    expect(source).not.toMatch(/WIN|free|cheap-loans/)
    expect(source).toContain('From: alerts@lender.example')
  }
}

describe('a tenant that invites foreign addresses and opens the links itself', () => {
  test('has no mail sent but one question an address, to ten addresses a day, in our words', async () => {
    const { tenantId, admin, webhookId } = await openAttacker()
    const victims = foreignAddresses(12)
    for (const email of victims) {
      // A tenant's people make ten invitations an hour.
      aheadMs += 8 * MINUTE_MS
      const browser = await openForeignAccount(admin, email)
      expectProblem(await choose(browser), 403, 'passkey_required')
      await addPasskey(browser)
      expect((await choose(browser)).status).toBe(200)
      expectProblem(await askAgain(browser), 429, 'rate_limited')
    }
    await failAttempts(api, { tenantId, webhookId }, 99)
    await sendDueMails(api)
    await failAttempts(api, { tenantId, webhookId }, 1)
    await sendDueMails(api)
    const counts = victims.map((address) => mailsTo(mailServer, address).length)
    expect(counts).toEqual([...Array(10).fill(1), 0, 0])
    const sources = victims.flatMap((address) => mailsTo(mailServer, address))
    expectOurWords(sources)
    for (const source of sources) expect(source).toContain('Subject: Confirm this address')
  })

  test('cannot have one mailbox asked by other spellings of its address', async () => {
    const { admin } = await openAttacker()
    const [address = ''] = foreignAddresses(1)
    for (const spelling of [address, address.replace('@', '+1@'), address.replace('@', '+2@')]) {
      await addPasskey(await openForeignAccount(admin, spelling))
    }
    await sendDueMails(api)
    const asked = [address, address.replace('@', '+1@'), address.replace('@', '+2@')]
    expect(asked.map((spelling) => mailsTo(mailServer, spelling).length)).toEqual([1, 0, 0])
    const [local = '', domain = ''] = address.split('@')
    for (const email of [
      `"${local}"@${domain}`,
      `${address}.`,
      `(x)${address}`,
      `${local}@[1.2.3.4]`,
    ]) {
      const member = { email, name: 'Victim', role: 'viewer' }
      const answer = await admin.send('POST', '/console/api/people', { body: member })
      expectProblem(answer, 422, 'validation_failed')
    }
  })

  test('cannot have an address asked that another tenant had asked on the same day', async () => {
    const [address = ''] = foreignAddresses(1)
    const browsers: Awaited<ReturnType<typeof openForeignAccount>>[] = []
    for (let tenants = 0; tenants < 3; tenants += 1) {
      const { admin } = await openAttacker()
      const browser = await openForeignAccount(admin, address.replace('victim', 'VICTIM'))
      await addPasskey(browser)
      browsers.push(browser)
    }
    await sendDueMails(api)
    expect(mailsTo(mailServer, address)).toHaveLength(1)
    const answers = await Promise.all(browsers.map(askAgain))
    for (const answer of answers) {
      expectProblem(answer, 429, 'rate_limited')
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(23 * 3_600)
    }
    await passADay(browsers)
    const next = await Promise.all(browsers.map(askAgain))
    expect(next.map(({ status }) => status).sort((a, b) => a - b)).toEqual([204, 429, 429])
    await sendDueMails(api)
    expect(mailsTo(mailServer, address)).toHaveLength(2)
  })
})

describe('a person who asked for mails and confirmed the address', () => {
  test('gets one mail a webhook and hour and ten a day, with what happened in between', async () => {
    const { tenantId, webhookId } = await openAttacker()
    const person = await signIn(api, { tenantId, role: 'viewer' })
    const { address } = await askForMails(api, mailServer, person)
    const before = mailsTo(mailServer, address).length
    const others = await Promise.all(
      Array.from({ length: 11 }, () => addWebhook(api.db, tenantId, { url: URL, label: OWN_TEXT })),
    )
    // Each is mailed about by itself, because the worker is quick.
    for (const id of [webhookId, webhookId, ...others]) {
      await failAttempts(api, { tenantId, webhookId: id }, 25)
      await sendDueMails(api)
    }
    const sent = mailsTo(mailServer, address).slice(before)
    expect(sent).toHaveLength(10)
    expectOurWords(sent)
    aheadMs += HOUR_MS
    await sendDueMails(api)
    expect(mailsTo(mailServer, address).slice(before)).toHaveLength(10)

    aheadMs += DAY_MS
    await sendDueMails(api)
    const [late = '', ...more] = mailsTo(mailServer, address).slice(before + 10)
    expect(more).toEqual([])
    for (const id of [webhookId, ...others.slice(-2)]) expect(late).toContain(id)
    expect(late).toContain('50 attempts in a row have failed.')
    expectOurWords([late])
  })
})

test('nothing but the one function that decides about the address calls the mail server', async () => {
  const callers: string[] = []
  for (const file of await readdir('src', { recursive: true })) {
    if (!/\.tsx?$/.test(file)) continue
    if (
      /\bsendMail\(|\bmailer\??\.send\(|nodemailer/.test(await readFile(join('src', file), 'utf8'))
    ) {
      callers.push(file)
    }
  }
  expect(callers.sort()).toEqual(['domain/mails/send-to-person.ts', 'providers/mail/mailer.ts'])
})
