import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { viewFacilities } from '../../../src/domain/margin/facility-view.ts'
import { openLending } from '../../support/lending.ts'
import { addBorrowed } from '../../support/margin.ts'

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
