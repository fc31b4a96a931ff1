import { afterEach, beforeEach, expect, test } from 'vitest'
import { addMs, HOUR_MS, SECOND_MS } from '../../../src/core/time.ts'
import type { Payments } from '../../../src/domain/facilities/ports.ts'
import { planRetry } from '../../../src/domain/work/failure.ts'
import type { Topic } from '../../../src/domain/work/topics.ts'
import { connectTestVendors, type TestVendors } from '../../support/servers/vendor-clients.ts'
import { startVendors, type VendorServer } from '../../support/servers/vendor-server.ts'

const START = new Date('2026-11-20T12:00:00Z')
const REPORTS = 120
const MINUTES = 3
/** As many as a worker runs of one tenant. */
const AT_ONCE = 16

let open: AsyncDisposableStack
let server: VendorServer
let now: Date
let vendors: TestVendors
let payments: Payments
beforeEach(async () => {
  now = START
  open = new AsyncDisposableStack()
  server = open.use(await startVendors(() => now))
  vendors = open.use(connectTestVendors(server, { clock: () => now }))
  if (!vendors.payments) throw new Error('no payments provider is configured')
  payments = vendors.payments
})
afterEach(() => open.disposeAsync())

type Item = { topic: Topic; run: () => Promise<unknown>; dueAt: Date; attempts: number }

const report = (number: number, tenantId = 'ten_a'): Item => ({
  topic: 'confirm-repayment',
  run: () =>
    payments.confirmReceipt({
      ...{ tenantId, callId: `rep_${number}/0`, realNow: now },
      reference: `bad-${number}`,
      claimed: { asset: 'USD', units: 5_000_00n },
    }),
  ...{ dueAt: START, attempts: 0 },
})

const payout = (number: number, dueAt: Date): Item => ({
  topic: 'release-draw',
  run: () =>
    payments.payOut({
      ...{ tenantId: 'ten_b', callId: `drw_${number}`, realNow: now },
      ...{ amount: { asset: 'USD', units: 20_000_00n }, destination: 'account-4711' },
    }),
  ...{ dueAt, attempts: 0 },
})

/** False once it has failed; it is then due later, as a worker has it. */
async function attempt(item: Item): Promise<boolean> {
  try {
    await item.run()
    return true
  } catch (error) {
    item.dueAt = planRetry(item, error, { now, random: Math.random }).at
    item.attempts += 1
    return false
  }
}

test("120 reports that the treasury answers with 500 do not hold another tenant's payouts", async () => {
  const reports = Array.from({ length: REPORTS }, (_, number) => report(number))
  for (const number of reports.keys()) server.badReferences.add(`bad-${number}`)
  const waits: number[] = []
  let payouts: { item: Item; since: Date }[] = []
  for (let second = 0; second < MINUTES * 60; second += 1) {
    now = addMs(START, second * SECOND_MS)
    const due = reports.filter(({ dueAt }) => dueAt <= now).slice(0, AT_ONCE)
    const failing = Promise.all(due.map(attempt))
    if (second % 5 === 0) payouts.push({ item: payout(second, now), since: now })
    await Promise.all(
      payouts
        .filter(({ item }) => item.dueAt <= now)
        .map(async (one) => {
          if (!(await attempt(one.item))) return
          payouts = payouts.filter((other) => other !== one)
          waits.push((now.getTime() - one.since.getTime()) / SECOND_MS)
        }),
    )
    expect(await failing).not.toContain(true)
  }
  expect(waits).toHaveLength((MINUTES * 60) / 5)
  expect(Math.max(...waits)).toBeLessThanOrEqual(3)
})

test("a tenant's own payouts wait a minute at most, however many new reports of it fail", async () => {
  let number = 0
  const own = { ...payout(1, addMs(START, 10 * SECOND_MS)), run: () => payOwn() }
  const payOwn = () =>
    payments.payOut({
      ...{ tenantId: 'ten_a', callId: 'drw_own', realNow: now },
      ...{ amount: { asset: 'USD', units: 20_000_00n }, destination: 'account-4711' },
    })
  let paidAfter: number | undefined
  for (let second = 0; second < MINUTES * 60 && paidAfter === undefined; second += 1) {
    now = addMs(START, second * SECOND_MS)
    for (let one = 0; one < AT_ONCE; one += 1) {
      number += 1
      server.badReferences.add(`bad-${number}`)
      await attempt(report(number))
    }
    if (own.dueAt > now) continue
    if (await attempt(own)) paidAfter = second - 10
  }
  expect(paidAfter).toBeLessThanOrEqual(60)
})

test('failures that are hours apart do not hold the payouts of another tenant', async () => {
  for (let number = 0; number < 6; number += 1) {
    now = addMs(START, number * HOUR_MS)
    server.badReferences.add(`bad-${number}`)
    await attempt(report(number, number % 2 === 0 ? 'ten_a' : 'ten_c'))
  }
  expect(await vendors.breaker('payments')).toBe(0)
  expect(await attempt(payout(1, now))).toBe(true)
})

test('a tenant whose reports are always refused does not close what the failures of others opened', async () => {
  for (let number = 0; number < 5; number += 1) {
    server.badReferences.add(`bad-${number}`)
    await attempt(report(number, number % 2 === 0 ? 'ten_b' : 'ten_c'))
  }
  expect(await vendors.breaker('payments')).toBe(2)
  for (let pause = 1; pause <= 3; pause += 1) {
    now = addMs(START, pause * 10 * SECOND_MS)
    server.next.set('payments/receipts', ['denied'])
    expect(await attempt(report(10 + pause))).toBe(false)
    expect(server.next.get('payments/receipts')).toEqual([])
    expect(await vendors.breaker('payments')).toBe(2)
  }
  now = addMs(START, 40 * SECOND_MS)
  expect(await attempt(payout(1, now))).toBe(true)
  expect(await vendors.breaker('payments')).toBe(0)
})

test('an item that is refused does not keep another of its tenant from trying', async () => {
  for (let number = 0; number < 5; number += 1) {
    server.badReferences.add(`bad-${number}`)
    await attempt(report(number, number % 2 === 0 ? 'ten_b' : 'ten_c'))
  }
  const refused = report(10)
  for (let pause = 1; pause <= 2; pause += 1) {
    now = addMs(START, pause * 10 * SECOND_MS)
    server.next.set('payments/receipts', ['denied'])
    await attempt(refused)
  }
  server.next.clear()
  expect(await attempt(report(11))).toBe(true)
})
