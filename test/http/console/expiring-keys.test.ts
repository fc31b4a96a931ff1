import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { revokeKey } from '../../../src/domain/auth/keys.ts'
import { warnOfExpiringKeys } from '../../../src/domain/console/expiring-keys.ts'
import { startTestApi, type TestApi, type TestTenant } from '../../support/api/api.ts'
import { signIn } from '../../support/api/console.ts'
import { askForMails, mailsTo, sendDueMails } from '../../support/api/mails.ts'
import { type MailServer, startMailServer } from '../../support/servers/mail-server.ts'

const START = new Date()
let aheadMs = 0
const clock = () => addMs(START, aheadMs)
const owned = new AsyncDisposableStack()
let mailServer: MailServer
let api: TestApi
beforeAll(async () => {
  mailServer = owned.use(await startMailServer())
  const env = { SMTP_URL: mailServer.url, SMTP_FROM: 'alerts@lender.example' }
  api = owned.use(await startTestApi({ clock, env }))
})
afterAll(() => owned.disposeAsync())

const inDays = (days: number) => addMs(clock(), days * DAY_MS)
const warn = () => warnOfExpiringKeys({ ...api.resources, db: api.db })

/** The data of each event about the key. */
async function warnings(tenant: TestTenant, keyId: string): Promise<unknown[]> {
  const { items } = (await tenant.send('GET', '/v1/events?type=api_key.expiring')).json()
  const events = items.filter(({ resource }: Event) => resource.id === keyId)
  return events.map(({ data }: Event) => data)
}

type Event = { resource: { id: string }; data: unknown }

test('a key that expires is announced 14 and 3 days before, each once, whoever sweeps', async () => {
  const tenant = await api.addTenant()
  const expiresAt = inDays(20)
  const { keyId } = await tenant.addKey({ expiresAt })
  const data = { key_id: keyId, expires_at: expiresAt.toISOString() }
  aheadMs += 6 * DAY_MS - MINUTE_MS
  await warn()
  expect(await warnings(tenant, keyId)).toEqual([])
  aheadMs += MINUTE_MS
  await Promise.all([warn(), warn(), warn()])
  await warn()
  expect(await warnings(tenant, keyId)).toEqual([data])
  aheadMs += 11 * DAY_MS - MINUTE_MS
  await warn()
  expect(await warnings(tenant, keyId)).toEqual([data])
  aheadMs += MINUTE_MS
  await Promise.all([warn(), warn()])
  expect(await warnings(tenant, keyId)).toEqual([data, data])
  aheadMs += 4 * DAY_MS
  await warn()
  expect(await warnings(tenant, keyId)).toEqual([data, data])
})

test('a key that is made with 10 days to live is announced 3 days before alone, a revoked one never', async () => {
  const tenant = await api.addTenant()
  const short = await tenant.addKey({ expiresAt: inDays(10) })
  const revoked = await tenant.addKey({ expiresAt: inDays(10) })
  await warn()
  expect(await warnings(tenant, short.keyId)).toEqual([])
  await inTransaction(api.db, (tx) => revokeKey(tx, tenant.id, revoked.keyId, clock()))
  aheadMs += 8 * DAY_MS
  await warn()
  expect(await warnings(tenant, short.keyId)).toHaveLength(1)
  expect(await warnings(tenant, revoked.keyId)).toEqual([])
})

test('a sweep that was away for a fortnight announces a key once', async () => {
  const tenant = await api.addTenant()
  const { keyId } = await tenant.addKey({ expiresAt: inDays(15) })
  aheadMs += 13 * DAY_MS
  await warn()
  await warn()
  expect(await warnings(tenant, keyId)).toHaveLength(1)
})

test('people who can make keys are mailed, viewers are not, and no one once the key is revoked', async () => {
  const tenant = await api.addTenant()
  const developer = await signIn(api, { tenantId: tenant.id, role: 'developer' })
  const viewer = await signIn(api, { tenantId: tenant.id, role: 'viewer' })
  const addresses = []
  for (const person of [developer, viewer]) {
    addresses.push((await askForMails(api, mailServer, person)).address)
  }
  const [maker = '', reader = ''] = addresses
  const about = (address: string, keyId: string) =>
    mailsTo(mailServer, address).filter((mail) => mail.includes(keyId))

  const expiresAt = inDays(14 + 1 / 24)
  const { keyId } = await tenant.addKey({ expiresAt })
  const other = await tenant.addKey({ expiresAt })
  aheadMs += HOUR_MS
  await warn()
  await inTransaction(api.db, (tx) => revokeKey(tx, tenant.id, other.keyId, clock()))
  await sendDueMails(api)
  const [mail = '', ...more] = about(maker, keyId)
  expect(more).toEqual([])
  expect(mail).toContain(`The API key ${keyId}`)
  expect(mail).toContain('/console/keys')
  expect(about(reader, keyId)).toEqual([])
  expect(about(maker, other.keyId)).toEqual([])
})
