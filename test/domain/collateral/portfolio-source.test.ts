import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inTransaction } from '../../../src/db/database.ts'
import {
  getPortfolioSource,
  lockPortfolioSource,
  setPortfolioSource,
} from '../../../src/domain/collateral/portfolio-source.ts'
import { houseForEachTest } from '../../support/lending/houses.ts'

const lending = houseForEachTest()

/** Longer than a reading waits for the source when nothing is queued before it. */
const HANDOVER_MS = 150

test('the portfolio source can be changed during readings that follow each other without a gap', async () => {
  const { db, tenantId } = lending
  const { now } = lending.instant()
  await inTransaction(db, (tx) => setPortfolioSource(tx, tenantId, 'push', now))
  let isOver = false
  const ends: Promise<void>[] = []
  // Each reading holds the source until the next one has it too, where the next one gets it at all.
  const startReading = (): Promise<void> => {
    const { promise: hasSource, resolve } = Promise.withResolvers<void>()
    const reading = inTransaction(db, async (tx) => {
      await lockPortfolioSource(tx, tenantId, now)
      resolve()
      if (!isOver) await Promise.race([startReading(), pause(HANDOVER_MS)])
    })
    ends.push(reading)
    return hasSource
  }
  await startReading()
  try {
    // Fails on a timeout if readings overtake it for good.
    await inTransaction(db, (tx) => setPortfolioSource(tx, tenantId, 'custodian', now))
  } finally {
    isOver = true
    for (const end of ends) await end
  }
  expect(await getPortfolioSource(db, tenantId)).toBe('custodian')
})
