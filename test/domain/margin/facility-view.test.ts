import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { MINUTE_MS } from '../../../src/core/time.ts'
import { viewFacilities, viewFacility } from '../../../src/domain/margin/facility-view.ts'
import { type Lending, openLending, read } from '../../support/lending/lending.ts'
import { addBorrowed, holdPrice, tick } from '../../support/lending/margin.ts'

test('views of three facilities cost as many queries as one, and come in their order', async () => {
  await using lending = await openLending()
  const facilities = [
    await addBorrowed(lending),
    await addBorrowed(lending, 20_000_00n),
    await addBorrowed(lending, 1_000_00n),
  ]
  let queries = 0
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      queries += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const { context, now } = lending
  const db = lending.db.withPlugin(counting)
  const [one] = await viewFacilities(db, context, facilities.slice(0, 1), now())
  const queriesOfOne = queries
  const views = await viewFacilities(db, context, facilities, now())
  expect(queries).toBe(2 * queriesOfOne)
  expect(views[0]).toEqual(one)
  expect(views.map(({ facility }) => facility.id)).toEqual(facilities.map(({ id }) => id))
  expect(await viewFacilities(db, context, [], now())).toEqual([])
})

const viewOf = async (lending: Lending, facilityId: string) =>
  await viewFacility(lending.db, lending.context, await read(lending, facilityId), lending.now())

test('health shows the worst state that holds: DEFICIT before a warning, a margin call before all', async () => {
  await using lending = await openLending()
  const { id } = await addBorrowed(lending)
  const health = async () => (await viewOf(lending, id)).health
  expect(await health()).toBe('HEALTHY')
  // 48,000.00 owed: more than 97 hundredths of the one price, less than of the other.
  lending.market.set('BTC', '49484')
  expect(await health()).toBe('DEFICIT')
  lending.market.set('BTC', '49485')
  expect(await health()).toBe('HEALTHY')

  await holdPrice(lending, '68000')
  expect(await health()).toBe('WARNING')
  lending.market.set('BTC', '40000')
  expect(await health()).toBe('DEFICIT')
  lending.fills = ['refused']
  await tick(lending, MINUTE_MS)
  expect(await health()).toBe('MARGIN_CALL')
})

test('a value is stale where old prices are more than a hundredth of it, or one is missing', async () => {
  await using lending = await openLending()
  const { id } = await addBorrowed(lending)
  const isStale = async () => (await viewOf(lending, id)).isStale
  expect(await isStale()).toBe(false)
  lending.priceAgeMs = 300_000
  expect(await isStale()).toBe(false)
  lending.priceAgeMs = 300_001
  expect(await isStale()).toBe(true)
  lending.priceAgeMs = 0
  lending.market.delete('BTC')
  expect(await isStale()).toBe(true)
})
