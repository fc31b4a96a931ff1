import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parseDecimal } from '../../../src/core/money.ts'
import { addMs, HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts'
import type { TestTenant } from '../../support/api/api.ts'
import { operatorApiForFile } from '../../support/api/operators.ts'
import { insertFacilities } from '../../support/lending/facility-rows.ts'

const BTC = 10n ** 8n
const UNKNOWN = 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c'

let other: TestTenant
let token: string
let now = new Date()
const borrow = (dollars: bigint, bitcoins: bigint, warnedUntil?: Date) => ({
  ...{ positions: { BTC: bitcoins * BTC }, principalCents: dollars * 100n, warnedUntil },
  accruedAt: addMs(now, -HOUR_MS),
})
const { api, operators } = operatorApiForFile({ clock: () => now })
beforeAll(async () => {
  token = (await operators.addOperator('viewer')).token
  other = await api.addTenant()
  const until = addMs(now, HOUR_MS)
  await insertFacilities(api.db, api.tenant.id, [
    ...[borrow(20_000n, 1n), borrow(75_000n, 1n, until), borrow(5_000n, 0n)],
  ])
  await insertFacilities(api.db, other.id, [borrow(30_000n, 1n), borrow(0n, 2n)])
  await sql`UPDATE facilities SET limit_cents = principal_cents + 100000`.execute(api.db)
  await sql`UPDATE borrowers SET residency_country = 'FR'
    WHERE tenant_id = ${other.id}`.execute(api.db)
})
// Each reading is its own.
beforeEach(() => {
  now = addMs(now, MINUTE_MS)
})

const cents = (text: string) => parseDecimal(text, 2) ?? -1n
const getBook = async (query = '') => (await operators.send(`/book${query}`, { token })).json()
const getList = async (query: string) =>
  (await operators.send(`/book/facilities?${query}`, { token })).json()
const shownTo = async (tenant: TestTenant) => (await tenant.client.listFacilities()).items
type Shown = { outstanding: { total: string } }
const total = (shown: readonly Shown[]) =>
  shown.reduce((sum, { outstanding }) => sum + cents(outstanding.total), 0n)

describe('the book', () => {
  test('has the sum of what each tenant reads of its facilities, and says of what instant', async () => {
    const [mine, others] = [await shownTo(api.tenant), await shownTo(other)]
    const book = await getBook()
    expect(book).toMatchObject({ read_at: now.toISOString(), tenant_id: null })
    expect(cents(book.exposure.total_usd)).toBe(total(mine) + total(others))
    expect(book.tenants).toMatchObject([
      { tenant_id: api.tenant.id, facilities: 3, open_warnings: 1 },
      { tenant_id: other.id, facilities: 1, open_warnings: 0 },
    ])
    expect(book.tenants.map((one: { exposure_usd: string }) => cents(one.exposure_usd))).toEqual([
      ...[total(mine), total(others)],
    ])
    expect(book).toMatchObject({
      commitments: { facilities: 5, undrawn_usd: '5000.00' },
      warnings: { open: 1, tiers: [{ tier: 1, open: 1 }, { open: 0 }, { open: 0 }] },
      deficits: { facilities: 1 },
      countries: [
        { country: 'DE', facilities: 3 },
        { country: 'FR', facilities: 1 },
      ],
      collateral: { value_usd: '291000.00' },
    })
    expect(book.borrowers).toHaveLength(4)
  })

  test('of one tenant has nothing of another', async () => {
    const book = await getBook(`?tenant_id=${other.id}`)
    expect(cents(book.exposure.total_usd)).toBe(total(await shownTo(other)))
    expect(book).toMatchObject({ tenant_id: other.id, countries: [{ country: 'FR' }] })
    expect(JSON.stringify(book)).not.toContain(api.tenant.id)
  })

  test('is read once a minute, and then again', async () => {
    const first = await getBook()
    now = addMs(now, MINUTE_MS - 1)
    expect(await getBook()).toEqual(first)
    now = addMs(now, 1)
    const next = await getBook()
    expect(next.read_at).toBe(now.toISOString())
    expect(cents(next.exposure.total_usd)).toBeGreaterThan(cents(first.exposure.total_usd))
  })

  test('of a tenant that is not there is refused, and so is its list', async () => {
    const query = `?tenant_id=${UNKNOWN}`
    await operators.expectRefusal(`/book${query}`, { token }, 404, 'not_found')
    await operators.expectRefusal(`/book/facilities${query}`, { token }, 404, 'not_found')
  })
})

describe('the list of a figure', () => {
  test('adds up to the figure, the largest part first', async () => {
    const book = await getBook()
    const list = await getList('figure=exposure')
    const { items, has_more: hasMore, ...sums } = list
    expect(sums).toEqual({
      ...{ read_at: book.read_at, facilities: 4, amount_usd: book.exposure.total_usd },
    })
    expect(hasMore).toBe(false)
    const amounts = items.map((item: { amount_usd: string }) => cents(item.amount_usd))
    expect(amounts).toEqual([...amounts].sort((a, b) => (a > b ? -1 : 1)))
    expect(items[0]).toMatchObject({
      ...{ tenant_id: api.tenant.id, state: 'APPROVED', country: 'DE', margin_call_number: null },
      ...{ warning: { number: 1, tier: 1, cure_deadline: expect.any(String) } },
      ...{ collateral_value_usd: '97000.00', valuation_status: 'FRESH' },
    })
  })

  test.each([
    ['figure=warnings&tier=1', 1],
    ['figure=warnings&tier=2', 0],
    ['figure=deficits', 1],
    ['figure=margin_calls', 0],
    ['figure=commitments', 5],
    ['figure=collateral&asset=ETH', 0],
    ['figure=collateral&asset=BTC', 3],
    ['country=FR', 1],
    ['above_ltv=0.7&to_ltv=0.8', 1],
    ['figure=charged_off', 0],
  ])('of %s has %i facilities', async (query, count) => {
    const { items, facilities } = await getList(query)
    expect([items.length, facilities]).toEqual([count, count])
  })

  test('of a borrower has the facility of that borrower', async () => {
    const { borrowers } = await getBook()
    const [{ borrower_id: id, exposure_usd: amount }] = borrowers
    const list = await getList(`borrower_id=${id}`)
    expect(list).toMatchObject({ facilities: 1, amount_usd: amount, items: [{ borrower_id: id }] })
  })

  test('comes in pages of the first one, with a cursor for this list alone', async () => {
    const all = await getList('figure=interest')
    const first = await getList('figure=interest&limit=2')
    expect(first).toMatchObject({ has_more: true, facilities: 4, amount_usd: all.amount_usd })
    now = addMs(now, HOUR_MS)
    const rest = await getList(`figure=interest&limit=2&from=${first.next_cursor}`)
    expect(rest).toMatchObject({ has_more: false, read_at: all.read_at })
    expect([...first.items, ...rest.items]).toEqual(all.items)
    await operators.expectRefusal(
      `/book/facilities?figure=exposure&limit=2&from=${first.next_cursor}`,
      ...([{ token }, 400, 'cursor_invalid'] as const),
    )
  })

  test.each(['figure=profit', 'tier=4', 'country=Germany', 'asset=DOGE', 'to_ltv=-1'])(
    'is refused for %s',
    async (query) => {
      const path = `/book/facilities?${query}`
      await operators.expectRefusal(path, { token }, 422, 'validation_failed')
    },
  )
})
