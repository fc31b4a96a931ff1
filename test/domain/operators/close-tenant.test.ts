import { createHash } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../src/core/time.ts'
import { listKeys } from '../../../src/domain/auth/keys.ts'
import { listWebhooks } from '../../../src/domain/webhooks/webhooks.ts'
import { createDatabaseCli } from '../../cli/database-cli.ts'
import { addEvents, addWebhook } from '../../support/deliveries/deliveries.ts'
import { houseForEachTest } from '../../support/lending/houses.ts'
import {
  addDrawnFacility,
  addFacility,
  announce,
  pass,
  repay,
  requestClosing,
  settle,
  usd,
} from '../../support/lending/lending.ts'
import { addBorrowed, holdPrice } from '../../support/lending/margin.ts'

const house = houseForEachTest()
let cli: ReturnType<typeof createDatabaseCli>
beforeEach(async () => {
  cli = createDatabaseCli(house.databaseUrl)
  for (const name of ['ada', 'grace']) {
    await cli.read(`operators invite --email ${name}@lender.example --role admin`)
  }
})

const at = () => ({ env: { FOUR_EYES: 'on' }, now: house.now() })
const by = (name: string) => `--reason ended --actor ${name}@lender.example`
const close = () => `tenants close ${house.tenantId} ${by('ada')}`
const exported = () => cli.show(`tenants export ${house.tenantId} ${by('ada')}`, at())

async function suspend(): Promise<void> {
  await cli.read(`tenants suspend ${house.tenantId} ${by('ada')}`, at())
  house.advance(MINUTE_MS)
}

async function closeByTwo(): Promise<void> {
  const { approval_id: id } = await cli.read<{ approval_id: string }>(close(), at())
  await cli.read(`approvals confirm ${id} --actor grace@lender.example`, at())
}

type Tenants = { items: { id: string; closed_at?: string }[] }

const isClosed = async () => {
  const { items: tenants } = await cli.read<Tenants>('tenants list')
  return tenants.find(({ id }) => id === house.tenantId)?.closed_at !== undefined
}

/** Paid out, paid back and closed. */
async function lendOnce(): Promise<void> {
  const { id } = await addDrawnFacility(house, usd(20_000_00n))
  await pass(house, 10 * DAY_MS)
  await repay(house, id, usd(20_100_00n))
  await settle(house)
  await requestClosing(house, id)
  await settle(house)
}

test('a tenant that has lent is exported and closed by two operators, and all that acts for it ends', async () => {
  await lendOnce()
  const { tenantId, db } = house
  await cli.read(`keys generate --tenant ${tenantId}`, { now: house.now() })
  await cli.read(`console invite --tenant ${tenantId} --email bo@acme.example --role admin`, {
    env: { PUBLIC_URL: 'https://api.example.com' },
    now: house.now(),
  })
  await addWebhook(db, tenantId, { url: 'https://acme.example/hook' })
  await suspend()
  await exported()
  await closeByTwo()
  expect(await isClosed()).toBe(true)
  const keys = await listKeys(db, tenantId, house.now())
  expect(keys.map(({ state }) => state)).toEqual(['revoked'])
  expect(await cli.read(`console people --tenant ${tenantId}`)).toMatchObject({ items: [] })
  expect(await listWebhooks(db, tenantId)).toEqual([])
  for (const command of [
    `tenants resume ${tenantId} ${by('ada')}`,
    `keys generate --tenant ${tenantId}`,
    close(),
  ]) {
    const { message } = await cli.fail(command, at())
    expect(message).toMatch(/is closed|no open tenant/)
  }
  // Its rows stay, and can be exported again.
  expect(await exported()).toContain('"end"')
})

test('an export holds every row of the tenant and no secret, and its end has the digest of the rest', async () => {
  await lendOnce()
  const lines = (await exported()).trimEnd().split('\n')
  const { end } = JSON.parse(lines.pop() ?? '')
  const text = lines.map((line) => `${line}\n`).join('')
  expect(end).toMatchObject({
    rows: lines.length,
    sha256: createHash('sha256').update(text).digest('hex'),
  })
  const rows = lines.map((line) => JSON.parse(line))
  expect(rows.every(({ row }) => row.tenant_id === house.tenantId)).toBe(true)
  const tables = new Set(rows.map(({ table }) => table))
  for (const table of ['tenants', 'borrowers', 'signatures', 'facilities', 'journal', 'events']) {
    expect(tables).toContain(table)
  }
  expect(tables).not.toContain('signing_secrets')
})

test('a tenant is closed only once it was suspended for a minute and all of it is exported', async () => {
  expect((await cli.fail(close(), at())).message).toContain('suspended for a minute')
  await cli.read(`tenants suspend ${house.tenantId} ${by('ada')}`, at())
  house.advance(MINUTE_MS - SECOND_MS)
  await exported()
  expect((await cli.fail(close(), at())).message).toContain('suspended for a minute')
  house.advance(SECOND_MS)
  await addEvents(house.db, house.tenantId, 1)
  expect((await cli.fail(close(), at())).message).toContain('tenants export')
  await exported()
  const { approval_id: id } = await cli.read<{ approval_id: string }>(close(), at())
  await addEvents(house.db, house.tenantId, 1)
  const late = await cli.fail(`approvals confirm ${id} --actor grace@lender.example`, at())
  expect(late.message).toContain('tenants export')
  expect(await isClosed()).toBe(false)
  await exported()
  await closeByTwo()
  expect(await isClosed()).toBe(true)
})

const OWING: Record<string, () => Promise<unknown>> = {
  'facilities that are not closed': () => addFacility(house),
  'repayments under way': async () => {
    const { id } = await addDrawnFacility(house, usd(20_000_00n))
    await announce(house, id, usd(500_00n))
  },
  'receipts in suspense': async () => {
    const { id } = await addDrawnFacility(house, usd(20_000_00n))
    house.received.set('too-much', usd(700_00n))
    await repay(house, id, usd(500_00n), 'too-much')
    await settle(house)
  },
  'a balance of "Loans receivable" in USD': () => addDrawnFacility(house, usd(20_000_00n)),
  'refunds that are not paid': async () => {
    const { id } = await addDrawnFacility(house, usd(20_000_00n))
    house.payments.next = ['done', 'refused']
    await repay(house, id, usd(20_500_00n))
    await settle(house)
  },
  'facilities with debt that was charged off and is not recovered': async () => {
    await addBorrowed(house)
    await pass(house, 30 * DAY_MS)
    await holdPrice(house, '1')
  },
}

test.each(Object.keys(OWING))('a tenant is not closed while it has %s', async (what) => {
  await OWING[what]?.()
  await suspend()
  await exported()
  const { code, message } = await cli.fail(close(), at())
  expect(code).toBe('outstanding_balance')
  expect(message).toContain(what)
  expect(await isClosed()).toBe(false)
})
