import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { INTEREST_PER_CENT } from '../../src/core/interest.ts'
import { divideUp, formatUsd, parseDecimal } from '../../src/core/money.ts'
import { floorCents, formatLtv } from '../../src/core/ratio.ts'
import { inTransaction } from '../../src/db/database.ts'
import { apiForFile } from '../support/api/api.ts'
import { insertFacilities } from '../support/lending/facility-rows.ts'
import { untilOneWaits } from '../support/stores/waiting-sessions.ts'

/** Every reading of the clock is a millisecond later than the one before. */
let clockMs = Date.parse('2027-01-01T00:00:00Z')
const clock = () => new Date(clockMs++)

const api = apiForFile({ clock })
let facilityId: string
beforeAll(async () => {
  const loan = { positions: { BTC: 10n ** 8n }, principalCents: 48_000_00n, accruedAt: clock() }
  const [id = ''] = await insertFacilities(api.db, api.tenant.id, [loan])
  facilityId = id
})

const cents = (text: string) => parseDecimal(text, 2) ?? -1n

async function readFigures() {
  const facility = `/v1/facilities/${facilityId}`
  const get = async (target: string) => (await api.tenant.send('GET', target)).json()
  const one = await get(facility)
  const { items } = await get('/v1/facilities')
  const collateral = await get(`${facility}/collateral`)
  return { owing: [one, items[0]], collateral }
}

type Figures = { collateral_value_usd: string; required_floor_usd: string; ltv: string }

function expectOneDebt(answer: Figures, debtUsd: string, ratioPpm: bigint): void {
  const debtCents = cents(debtUsd)
  expect(answer.required_floor_usd).toBe(formatUsd(floorCents(debtCents, ratioPpm)))
  expect(answer.ltv).toBe(formatLtv(debtCents, cents(answer.collateral_value_usd)))
}

async function owe(loan: {
  principalCents: bigint
  ratePpm: number
  numerator: bigint
  accruedAt: Date
}): Promise<void> {
  await api.db
    .updateTable('facilities')
    .set({
      principal_cents: loan.principalCents,
      rate_ppm: loan.ratePpm,
      interest_numerator: loan.numerator,
      accrued_at: loan.accruedAt,
    })
    .where('facility_id', '=', facilityId)
    .execute()
}

const loans = fc.record({
  principalCents: fc.bigInt(1n, 10n ** 12n),
  ratePpm: fc.integer({ min: 1, max: 1_000_000 }),
  numerator: fc.bigInt(0n, 3n * INTEREST_PER_CENT),
  /** Which cent is crossed, and at which reading of the clock by the request. */
  cent: fc.bigInt(0n, 1_000n),
  readings: fc.integer({ min: 0, max: 8 }),
})

test('floor, ratio and debt of one answer agree while the interest crosses a cent', async () => {
  await fc.assert(
    fc.asyncProperty(loans, async ({ cent, readings, ...loan }) => {
      const accruedAt = new Date('2027-02-01T00:00:00Z')
      await owe({ ...loan, accruedAt })
      const perMs = loan.principalCents * BigInt(loan.ratePpm)
      const whole = (divideUp(loan.numerator, INTEREST_PER_CENT) + cent) * INTEREST_PER_CENT
      // From this millisecond on one more cent is shown.
      const crossing = divideUp(whole - loan.numerator + 1n, perMs)
      fc.pre(crossing < 10n ** 12n)
      clockMs = accruedAt.getTime() + Number(crossing) - readings
      const { owing, collateral } = await readFigures()
      for (const answer of owing) {
        const { principal, interest, total } = answer.outstanding
        expect(cents(total)).toBe(cents(principal) + cents(interest))
        expectOneDebt(answer, total, 700_000n)
      }
      expectOneDebt(collateral, collateral.debt_usd, 700_000n)
    }),
    { numRuns: 60 },
  )
})

test('a warning that is cured while a facility is read is in all figures of the answer or in none', async () => {
  clockMs = Date.parse('2028-01-01T00:00:00Z')
  const now = clock()
  await owe({ principalCents: 48_000_00n, ratePpm: 0, numerator: 0n, accruedAt: now })
  await insertWarning(now)
  const reads = ['', '/collateral', '/margin-warnings/1'].map((part) => async () => {
    const target = `/v1/facilities/${facilityId}${part}`
    const { valued_at: _at, ...figures } = (await api.tenant.send('GET', target)).json()
    return figures
  })
  for (const read of reads) {
    const before = await read()
    const during = await inTransaction(api.db, async (tx) => {
      await sql`LOCK TABLE margin_warnings`.execute(tx)
      const reading = read()
      await untilOneWaits(api.db)
      await tx
        .updateTable('margin_warnings')
        .set({ status: 'CURED', cured_at: now, cured_by: 'repayment' })
        .set({ cure_amount_cents: 0n, cure_collateral_cents: 0n })
        .execute()
      await tx.updateTable('facilities').set({ principal_cents: 1_000_00n }).execute()
      return { reading }
    })
    expect(await during.reading).toEqual(before)
    expect(await read()).not.toEqual(before)
    await api.db.deleteFrom('margin_warnings').execute()
    await api.db.updateTable('facilities').set({ principal_cents: 48_000_00n }).execute()
    await insertWarning(now)
  }
})

async function insertWarning(now: Date): Promise<void> {
  await api.db
    .insertInto('margin_warnings')
    .values({
      ...{ tenant_id: api.tenant.id, facility_id: facilityId, number: 1, tier: 1 },
      ...{ status: 'OPEN', ltv_at_raise: '0.710000', raised_at: now },
      cure_deadline: new Date(now.getTime() + 10 ** 9),
    })
    .execute()
}
