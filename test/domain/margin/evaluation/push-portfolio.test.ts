import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../../../src/core/time.ts'
import type { Snapshot } from '../../../../src/domain/collateral/portfolios.ts'
import { pushPortfolio } from '../../../../src/domain/margin/evaluation/push-portfolio.ts'
import { houseForFile } from '../../../support/lending/houses.ts'
import { addFacility } from '../../../support/lending/lending.ts'
import { addBorrower, openTenant } from '../../../support/lending/onboarding.ts'
import { readPortfolio } from '../../../support/lending/read-portfolio.ts'

const lending = houseForFile()
let tenantId: string
beforeAll(async () => {
  tenantId = lending.tenantId
})

const NOW = new Date('2026-11-20T12:00:00Z')
const NOW_MICROS = BigInt(NOW.getTime()) * 1_000n

async function push(
  borrowerId: string,
  snapshot: Snapshot,
  { now = NOW, tenant = tenantId }: { now?: Date; tenant?: string } = {},
) {
  const clocks = { clock: () => now, clockFor: async () => now }
  const context = { ...lending.context, ...clocks, futureToleranceMs: MINUTE_MS }
  return await pushPortfolio(lending.db, context, { tenantId: tenant, borrowerId }, snapshot)
}

const read = (borrowerId: string) => readPortfolio(lending.db, tenantId, borrowerId)

/** A snapshot taken `age` microseconds before `NOW`, with content of its own. */
function aged(age: number): Snapshot {
  return {
    asOfMicros: NOW_MICROS - BigInt(age),
    positions: [{ asset: 'BTC', units: BigInt(1_000 + age) }],
  }
}

describe('the order of snapshots', () => {
  test('a newer snapshot replaces all of the older one', async () => {
    const borrowerId = await addBorrower(lending.db, tenantId)
    expect(await read(borrowerId)).toBeUndefined()
    await push(borrowerId, aged(1))
    const positions = [{ asset: 'ETH', units: 10n ** 35n }]
    const asOfMicros = NOW_MICROS
    expect(await push(borrowerId, { asOfMicros, positions })).toEqual({ applied: true, asOfMicros })
    expect(await read(borrowerId)).toEqual({ asOfMicros, receivedAt: NOW, positions })
  })

  test('an older snapshot, by a microsecond, changes nothing and is answered with the newest', async () => {
    const borrowerId = await addBorrower(lending.db, tenantId)
    await push(borrowerId, aged(0))
    const stored = await read(borrowerId)
    const outcome = await push(borrowerId, aged(1), { now: new Date('2026-11-20T13:00:00Z') })
    expect(outcome).toEqual({ applied: false, asOfMicros: NOW_MICROS })
    expect(await read(borrowerId)).toEqual(stored)
  })

  test('the same snapshot again is applied, and keeps the time at which it came', async () => {
    const borrowerId = await addBorrower(lending.db, tenantId)
    const positions = [
      { asset: 'USDC', units: 1n },
      { asset: 'BTC', units: 2n },
    ]
    await push(borrowerId, { asOfMicros: NOW_MICROS, positions })
    const again = { asOfMicros: NOW_MICROS, positions: positions.toReversed() }
    const later = new Date('2026-11-20T13:00:00Z')
    expect(await push(borrowerId, again, { now: later })).toMatchObject({ applied: true })
    expect(await read(borrowerId)).toMatchObject({ receivedAt: NOW })
  })

  test('other content under the stored as_of is a conflict and changes nothing', async () => {
    const borrowerId = await addBorrower(lending.db, tenantId)
    await push(borrowerId, aged(0))
    const stored = await read(borrowerId)
    const other = { asOfMicros: NOW_MICROS, positions: [{ asset: 'BTC', units: 1n }] }
    await expect(push(borrowerId, other)).rejects.toMatchObject({ code: 'as_of_conflict' })
    expect(await read(borrowerId)).toEqual(stored)
  })

  test('the tolerance for an as_of in the future is inclusive, to the microsecond', async () => {
    const borrowerId = await addBorrower(lending.db, tenantId)
    const latest = NOW_MICROS + 60_000_000n
    const beyond = { asOfMicros: latest + 1n, positions: [] }
    await expect(push(borrowerId, beyond)).rejects.toMatchObject({ code: 'as_of_in_future' })
    expect(await read(borrowerId)).toBeUndefined()
    expect(await push(borrowerId, { asOfMicros: latest, positions: [] })).toMatchObject({
      applied: true,
    })
  })
})

test('snapshots in any order of arrival, repetitions included, end with the newest', async () => {
  const ages = fc.array(fc.nat({ max: 8 }), { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(ages, async (arrivals) => {
      const borrowerId = await addBorrower(lending.db, tenantId)
      let newest: number | undefined
      for (const age of arrivals) {
        const { applied } = await push(borrowerId, aged(age))
        expect(applied).toBe(newest === undefined || age <= newest)
        newest = Math.min(newest ?? age, age)
      }
      expect(await read(borrowerId)).toMatchObject(aged(newest ?? 0))
    }),
    { numRuns: 25 },
  )
})

test('20 racing pushes end with the newest, and each applied one was the newest when it committed', async () => {
  const borrowerId = await addBorrower(lending.db, tenantId)
  const ages = Array.from({ length: 20 }, (_, index) => (index * 7) % 20)
  const outcomes = await Promise.all(ages.map((age) => push(borrowerId, aged(age))))
  expect(await read(borrowerId)).toMatchObject(aged(0))
  for (const [index, { applied, asOfMicros }] of outcomes.entries()) {
    const own = aged(ages[index] ?? 0).asOfMicros
    expect(applied ? asOfMicros === own : asOfMicros > own).toBe(true)
  }
})

test("another tenant's borrower is unknown, like one that never was", async () => {
  const borrowerId = await addBorrower(lending.db, tenantId)
  const stranger = await openTenant(lending.db)
  for (const unknown of [borrowerId, 'bor_', 'nonsense']) {
    const pushed = push(unknown, aged(0), { tenant: stranger })
    await expect(pushed).rejects.toMatchObject({ code: 'not_found' })
  }
  expect(await read(borrowerId)).toBeUndefined()
})

test('of an approved facility the least of each asset since the last answer is kept, of others what was pushed last', async () => {
  const units = fc.bigInt(0n, 3n).map((n) => n * 10n ** 20n)
  const asset = fc.constantFrom('USD', 'BTC', 'ETH', 'USDC', 'XYZ')
  const positions = fc.uniqueArray(fc.record({ asset, units }), {
    maxLength: 5,
    selector: (position) => position.asset,
  })
  await fc.assert(
    fc.asyncProperty(fc.array(positions, { minLength: 2, maxLength: 6 }), async (pushes) => {
      const { borrowerId } = await addFacility(lending)
      let asOfMicros = (await read(borrowerId))?.asOfMicros ?? 0n
      let before = await toUnits(borrowerId)
      let least = before
      for (const pushed of pushes) {
        asOfMicros += 1n
        await push(borrowerId, { asOfMicros, positions: pushed }, { now: lending.now() })
        const after = Object.fromEntries(pushed.map((each) => [each.asset, each.units]))
        if (!isDeepStrictEqual(after, before)) {
          least = Object.fromEntries(
            pushed.map((each) => [
              each.asset,
              each.asset === 'XYZ' ? each.units : smaller(each.units, least[each.asset] ?? 0n),
            ]),
          )
        }
        before = after
        expect(await toUnits(borrowerId)).toEqual(least)
      }
    }),
    { numRuns: 15 },
  )
})

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)

/** The least of each asset that is kept; the push itself where that is the same. */
async function toUnits(borrowerId: string): Promise<Record<string, bigint>> {
  const { least, positions } = await lending.db
    .selectFrom('portfolios')
    .select(['least', 'positions'])
    .where('tenant_id', '=', tenantId)
    .where('borrower_id', '=', borrowerId)
    .executeTakeFirstOrThrow()
  const kept = Object.entries(least ?? positions)
  return Object.fromEntries(kept.map(([asset, amount]) => [asset, BigInt(amount)]))
}
