import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { Redis } from 'ioredis'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../../src/telemetry/logger.ts'
import { createDatabaseCli } from '../cli/database-cli.ts'
import { createTestBorrower, type TestApi } from '../support/api/api.ts'
import { startLendingApi, untilIdle, waitUntil } from '../support/lending/lending-api.ts'
import { waitFor } from '../support/process/patience.ts'
import { dumpTables } from '../support/stores/dump-tables.ts'
import { testRedisUrl } from '../support/stores/redis.ts'
import { watchRedis } from '../support/stores/watch-redis.ts'

/** Letters that stand nowhere else. */
const SIGNER = {
  full_name: 'Xanthippe Ŵyrzykowska',
  email: 'xanthippe.wyrzyk+review@example.org',
  ip_address: '198.51.100.211',
}
const TEXTS = {
  destination: 'IBAN-quokka-4711',
  elsewhere: 'IBAN-numbat-4712',
  reference: 'letter-wombat-12',
  approval: 'passport of the axolotl seen',
  block: 'a letter of the narwhal',
  hold: 'petition of the pangolin',
  redirect: 'the account of the okapi is closed',
}

/** Each as it might stand in a table, in lower case. */
const CANARIES = [
  ...['xanthippe', 'wyrzyk', '198.51.100.211', 'quokka', 'numbat', 'wombat', 'axolotl'],
  ...['narwhal', 'pangolin', 'okapi'],
]

const found = (text: string) => CANARIES.filter((canary) => text.toLowerCase().includes(canary))

let owned: AsyncDisposableStack
let api: TestApi
let redisUrl: string
let logs = ''
let redis = ''
let borrowerId = ''
let facilityId = ''
let shownAgain = ''

const get = async (path: string) => (await api.tenant.send('GET', path)).json()

beforeAll(async () => {
  owned = new AsyncDisposableStack()
  redisUrl = await testRedisUrl()
  using _watch = await watchRedis(redisUrl, ({ words }) => {
    redis += `${words.join(' ')}\n`
  })
  const logger = createLogger({ logLevel: 'trace', stack: 'sandbox', kind: 'api' }, capture())
  api = owned.use(await startLendingApi({ logger, redisUrl }))
  await live()
  await scan()
}, 60_000)
afterAll(() => owned.disposeAsync())

function capture(): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      logs += String(chunk)
      done()
    },
  })
}

async function scan(): Promise<void> {
  const client = new Redis(redisUrl)
  for (const key of await client.keys('*')) {
    redis += `${key} ${(await client.dumpBuffer(key))?.toString('latin1')}\n`
  }
  client.disconnect()
}

/** A whole life: a review, a block, a loan, a warning, a hold, a refund that is redirected. */
async function live(): Promise<void> {
  const { tenant, db } = api
  const { client } = tenant
  const cli = createDatabaseCli(api.resources.config.databaseUrl)
  const operate = (command: string, reason: string) =>
    cli.read<{ hold: string }>([...command.split(' '), '--tenant', tenant.id, '--reason', reason])
  borrowerId = await createTestBorrower(tenant)
  await client.submitSignature(borrowerId, {
    ...SIGNER,
    signed_at: new Date().toISOString(),
    contract_type: 'master_loan_agreement',
    contract_version: '2026-01',
  })
  await waitFor(async () => {
    const review = ['borrowers', 'review', borrowerId, '--tenant', tenant.id]
    expect(await cli.run([...review, '--approve', '--note', TEXTS.approval])).toMatchObject({
      exitCode: 0,
    })
  })
  await waitUntil(tenant, `/v1/borrowers/${borrowerId}`, { eligible: true })
  const snapshot = {
    as_of: new Date().toISOString(),
    positions: [{ asset: 'BTC', quantity: '1' }],
  }
  await client.putPortfolio(borrowerId, snapshot)
  const limit = { amount: '48000.00', asset: 'USD' }
  facilityId = (await client.createFacility({ borrower_id: borrowerId, limit })).id
  const facility = `/v1/facilities/${facilityId}`
  await waitUntil(tenant, facility, { state: 'APPROVED' })
  await draw()
  await warn()

  await operate(`borrowers block ${borrowerId}`, TEXTS.block)
  const { hold } = await operate(`facilities hold ${facilityId} --kind dispute`, TEXTS.hold)
  const owed = { amount: '48500.00', asset: 'USD' }
  const { id } = await client.createRepayment(facilityId, owed)
  const reference = `transfer-${randomUUID()}`
  const report = { status: 'completed' as const, delivered: owed, reference }
  await client.reportExecution(facilityId, id, report)
  await waitUntil(tenant, `${facility}/repayments/${id}`, { status: 'APPLIED' })
  await client.setSandboxPayments('fail')
  await operate(`facilities release ${facilityId} --hold ${hold}`, TEXTS.hold)
  const refund = await waitFor(async () => {
    const { items } = await cli.read<{ items: { id: string }[] }>('refunds list')
    expect(items).toMatchObject([{ destination: TEXTS.destination }])
    return items[0]?.id
  })
  const redirect = `refunds redirect ${refund} --destination ${TEXTS.elsewhere}`
  await operate(redirect, TEXTS.redirect)
  await untilIdle(db, tenant.id)
}

async function draw(): Promise<void> {
  const { tenant } = api
  const idempotencyKey = randomUUID()
  const path = `/v1/facilities/${facilityId}/draws`
  const body = { amount: '48000.00', asset: 'USD', destination: TEXTS.destination }
  const { id, destination } = (await tenant.send('POST', path, { body, idempotencyKey })).json()
  expect(destination).toBe(TEXTS.destination)
  shownAgain = (await tenant.send('POST', path, { body, idempotencyKey })).text
  await waitUntil(tenant, `${path}/${id}`, { status: 'COMPLETED', destination: TEXTS.destination })
}

async function warn(): Promise<void> {
  const { client } = api.tenant
  await client.setSandboxPrice('BTC', '68000')
  await client.advanceSandboxClock(61)
  const { raises = [] } = await client.getMarginWarning(facilityId, 1)
  const notice = { channel: 'letter' as const, reference: TEXTS.reference }
  const raise = { event_id: raises[0]?.event_id ?? '', sent_at: raises[0]?.raised_at ?? '' }
  const reported = await client.reportNotice(facilityId, 1, { ...raise, ...notice })
  expect(reported).toMatchObject(notice)
  await client.setSandboxPrice('BTC', '100000')
}

test('no table of a whole dump has a byte of a name, address, destination, reference or reason', async () => {
  const tables = await dumpTables(api.db)
  expect(tables.get('signatures')).toContain(borrowerId)
  expect(tables.get('refund_redirects')).not.toBe('')
  expect(tables.get('margin_notices')).not.toBe('')
  const named = [...tables].map(([name, text]) => [name, found(text)] as const)
  expect(named.filter(([, canaries]) => canaries.length > 0)).toEqual([])
})

test('neither Redis, in commands, keys and values, nor a log line or metric has any of it', async () => {
  expect(redis).toContain(api.tenant.id)
  expect(logs).toContain(facilityId)
  const metrics = await api.resources.metrics.registry.metrics()
  expect({ redis: found(redis), logs: found(logs), metrics: found(metrics) }).toEqual({
    ...{ redis: [], logs: [], metrics: [] },
  })
})

test('the tenant and the operators read all of it as before', async () => {
  const { items } = await get(`/v1/borrowers/${borrowerId}/signatures`)
  expect(items).toMatchObject([SIGNER])
  expect(JSON.parse(shownAgain)).toMatchObject({ destination: TEXTS.destination })
  const warning = await get(`/v1/facilities/${facilityId}/margin-warnings/1`)
  expect(JSON.stringify(warning)).toContain(TEXTS.reference)
  const cli = createDatabaseCli(api.resources.config.databaseUrl)
  const shown = await cli.show(['borrowers', 'show', borrowerId, '--tenant', api.tenant.id])
  for (const text of [SIGNER.full_name, SIGNER.email, TEXTS.approval, TEXTS.block]) {
    expect(shown).toContain(text)
  }
})

test('without the borrower’s key everything is answered, and nothing of the person', async () => {
  await sql`UPDATE borrower_keys SET sealed_key = NULL, erased_at = now()
    WHERE borrower_id = ${borrowerId}`.execute(api.db)
  expect(await get(`/v1/borrowers/${borrowerId}`)).toMatchObject({ erased: true })
  expect((await get('/v1/borrowers')).items[0]).toMatchObject({ erased: true })
  const { items } = await get(`/v1/borrowers/${borrowerId}/signatures`)
  expect(items).toMatchObject([{ full_name: null, email: null, ip_address: null }])
  const draws = await get(`/v1/facilities/${facilityId}/draws`)
  expect(draws.items).toMatchObject([{ destination: null, status: 'COMPLETED' }])
  const warning = await get(`/v1/facilities/${facilityId}/margin-warnings/1`)
  expect(found(JSON.stringify(warning))).toEqual([])
  const cli = createDatabaseCli(api.resources.config.databaseUrl)
  const shown = await cli.show(['borrowers', 'show', borrowerId, '--tenant', api.tenant.id])
  expect(shown).toContain('erased')
  expect(found(shown)).toEqual([])
  const signature = {
    ...SIGNER,
    signed_at: new Date().toISOString(),
    contract_type: 'master_loan_agreement',
    contract_version: '2026-01',
  }
  const refused = await api.tenant.send('POST', `/v1/borrowers/${borrowerId}/signatures`, {
    body: signature,
  })
  expect(refused.json()).toMatchObject({ code: 'borrower_erased', status: 409 })
})
