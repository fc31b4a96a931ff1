import { beforeEach, expect, test } from 'vitest'
import { addMs } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import type { Custodian } from '../../src/domain/facilities/ports.ts'
import { createSandboxCustodian } from '../../src/providers/sandbox/custodian-sandbox.ts'
import { createSandboxPrices, setSandboxPrice } from '../../src/providers/sandbox/prices-sandbox.ts'
import { setSandboxAnswer } from '../../src/providers/sandbox/sandbox-answers.ts'
import { openTenant } from '../support/lending/onboarding.ts'
import { databaseForFile } from '../support/stores/database.ts'

const database = databaseForFile()
let custodian: Custodian
let tenantId: string
let now: Date
beforeEach(async () => {
  now = new Date('2026-11-20T12:00:00Z')
  tenantId = await openTenant(database.db)
  custodian = createSandboxCustodian(database.db, prices, async () => now)
})

const DOLLAR = 100_000_000n
const prices = createSandboxPrices(new Map([['BTC', 100_000n * DOLLAR]]))

const placeBy = new Date('2026-11-20T12:01:00Z')
const order = { asset: 'BTC', units: 50_000_000n, inKind: false }

const callOf = (callId: string) => ({
  ...{ tenantId, callId, realNow: now },
  ...{ account: undefined, facilityId: 'fac_test', borrowerId: 'bor_test' },
})
const sell = (callId: string, by = placeBy) =>
  custodian.sell({ ...callOf(callId), order, placeBy: by })
const cancel = (callId: string) => custodian.cancelSale({ ...callOf(callId), order })

async function setPrice(dollars: bigint): Promise<void> {
  await inTransaction(database.db, (tx) =>
    setSandboxPrice(tx, tenantId, { asset: 'BTC', price: dollars * DOLLAR }, now),
  )
}

async function choose(next: 'fail' | 'delay'): Promise<void> {
  await inTransaction(database.db, (tx) => setSandboxAnswer(tx, tenantId, 'custodian', next))
}

const REFUSED = { status: 'refused', code: 'sandbox_refused', retryable: true }

test('a sale that is polled is answered as it was executed, whatever the price and the time by then', async () => {
  const sold = await sell('a')
  expect(sold).toEqual({
    status: 'done',
    ...{ units: order.units, proceedsCents: 50_000_00n, costsCents: 500_00n, executedAt: now },
  })
  now = addMs(now, 3_600_000)
  await setPrice(10_000n)
  expect(await sell('a')).toEqual(sold)
})

test('a sale that is answered late was executed when it was ordered, at the price of then', async () => {
  await choose('delay')
  const executedAt = now
  expect(await sell('a')).toMatchObject({ status: 'pending' })
  now = addMs(now, 10_000)
  await setPrice(10_000n)
  expect(await sell('a')).toMatchObject({ status: 'done', proceedsCents: 50_000_00n, executedAt })
})

test('a sale that comes too late is refused forever', async () => {
  now = addMs(placeBy, 1)
  expect(await sell('a')).toEqual(REFUSED)
  expect(await sell('a', addMs(now, 60_000))).toEqual(REFUSED)
})

test('cancelling an unknown sale refuses it forever: a late order under its id does nothing', async () => {
  expect(await cancel('a')).toEqual(REFUSED)
  expect(await sell('a')).toEqual(REFUSED)
  expect(await cancel('a')).toEqual(REFUSED)
  expect(await sell('b')).toMatchObject({ status: 'done' })
})

test('cancelling a sale that was executed answers with its execution', async () => {
  const sold = await sell('a')
  await setPrice(10_000n)
  expect(await cancel('a')).toEqual(sold)
  expect(await sell('a')).toEqual(sold)
})

test('cancelling a sale that was refused answers with the refusal', async () => {
  await choose('fail')
  expect(await sell('a')).toEqual(REFUSED)
  expect(await cancel('a')).toEqual(REFUSED)
})

test('cancelling a sale with a delayed answer waits for that answer', async () => {
  await choose('delay')
  await sell('a')
  expect(await cancel('a')).toMatchObject({ status: 'pending' })
  now = addMs(now, 10_000)
  expect(await cancel('a')).toMatchObject({ status: 'done', units: order.units })
})

test('cancelling a sale beside its order: both get the same answer, executed or not', async () => {
  for (let round = 0; round < 20; round += 1) {
    const calls = [sell, cancel, cancel, sell].map((call) => call(`race-${round}`))
    const [first, ...others] = await Promise.all(calls)
    for (const other of others) expect(other).toEqual(first)
  }
})

test('cancelling a sale of another tenant with the same id touches nothing', async () => {
  await cancel('a')
  tenantId = await openTenant(database.db)
  expect(await sell('a')).toMatchObject({ status: 'done' })
})

const ask = (about: string) => custodian.positions(callOf(`fac_test/${about}`))
const NOTHING_HELD = { status: 'done', positions: [] }

test.each(['escalation', 'application'])(
  'the chosen refusal applies once to what is asked before an %s',
  async (why) => {
    await choose('fail')
    expect(await ask(`${why}/1`)).toEqual(REFUSED)
    expect(await ask(`${why}/1`)).toEqual(REFUSED)
    expect(await ask(`${why}/2`)).toEqual(NOTHING_HELD)
  },
)

test('the chosen delay applies to what is asked before an escalation, and the answer is as of then', async () => {
  await choose('delay')
  const askAgainAt = addMs(now, 3_000)
  expect(await ask('escalation/1')).toEqual({ status: 'pending', askAgainAt })
  now = askAgainAt
  expect(await ask('escalation/1')).toEqual(NOTHING_HELD)
})

test('the chosen refusal applies once to the control of an account', async () => {
  await choose('fail')
  expect(await custodian.confirmControl(callOf('a/control'))).toEqual(REFUSED)
  expect(await custodian.confirmControl(callOf('b/control'))).toEqual({ status: 'done' })
})

test('a chosen answer is not used up by regular readings or by those before an order', async () => {
  await choose('fail')
  expect(await ask('reading/1')).toEqual(NOTHING_HELD)
  expect(await ask('sale/1')).toEqual(NOTHING_HELD)
  expect(await sell('fac_test/call/1/1')).toEqual(REFUSED)
})
