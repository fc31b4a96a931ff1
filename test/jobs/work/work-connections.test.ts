import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createDatabase, inTransaction } from '../../../src/db/database.ts'
import { laneOf, type WorkLane } from '../../../src/domain/work/lanes.ts'
import type { WorkTopic } from '../../../src/domain/work/topics.ts'
import { requestWorks, type WorkResult } from '../../../src/domain/work/work.ts'
import { createWorkerConnections, DELIVERIES } from '../../../src/jobs/work/work-connections.ts'
import { createWorkLanes, type WorkHandler } from '../../../src/jobs/work/work-lanes.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { databaseForFile } from '../../support/stores/database.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const DONE: WorkResult = { done: true }
/** How many connections each run takes, one after the other. */
const STATEMENTS = 20
/** One of each part of a tenant's floors, so that all run at the same time. */
const FLOORS = 8

const database = databaseForFile({ maxConnections: 4 })

test('a sale ends before floors that requested connections earlier, and every floor ends', async () => {
  await using stack = new AsyncDisposableStack()
  const slots = createWorkerConnections(2)
  const db = createDatabase({
    connectionString: database.appUrl,
    maxConnections: 2,
    slots,
  })
  stack.defer(() => db.destroy())
  const ended: string[] = []
  const floorsBegan = Promise.withResolvers<void>()
  let begun = 0
  const run = (name: WorkTopic): WorkHandler => ({
    async run() {
      if (name === 'push-floor' && ++begun === FLOORS) floorsBegan.resolve()
      await floorsBegan.promise
      for (let count = 0; count < STATEMENTS; count += 1) await sql`SELECT 1`.execute(db)
      ended.push(name)
      return DONE
    },
  })
  const running = new Set<Promise<void>>()
  const runLane = (lane: WorkLane): void => {
    const run = lanes.run(lane).then((outcome) => {
      if (outcome === 'more' && ended.length <= FLOORS) runLane(lane)
    })
    running.add(run)
  }
  const lanes = createWorkLanes(
    {
      db: database.db,
      clock: () => NOW,
      logger: pino({ level: 'silent' }),
      metrics: createMetrics(),
      slots,
    },
    new Map([
      ['push-floor', run('push-floor')],
      ['sell-collateral', run('sell-collateral')],
    ]),
    runLane,
  )
  const tenantId = await openTenant(database.db, NOW)
  const subjects = Array.from({ length: FLOORS }, (_, at) => `fac_${at}`)
  const works = [
    ...subjects.map((subjectId) => ({ topic: 'push-floor' as const, subjectId })),
    { topic: 'sell-collateral' as const, subjectId: 'fac_sold' },
  ]
  await inTransaction(database.db, (tx) => requestWorks(tx, tenantId, works, NOW))
  for (const work of works) runLane(laneOf({ tenantId, ...work }))
  await expect.poll(() => ended.length, { timeout: 10_000 }).toBe(FLOORS + 1)
  expect(ended[0]).toBe('sell-collateral')
  await lanes.drain()
  await Promise.all(running)
})

test('no class is left out however many sales wait, and deliveries have a share', async () => {
  const slots = createWorkerConnections(1)
  const order = await serve(slots, ['sales', 'floors', DELIVERIES], 100)
  const first = order.slice(0, 63)
  const countOf = (name: string) => first.filter((one) => one === name).length
  expect(countOf('floors')).toBeGreaterThanOrEqual(6)
  expect(countOf(DELIVERIES)).toBeGreaterThanOrEqual(25)
  expect(countOf('sales')).toBeGreaterThanOrEqual(25)
})

test('what runs under no class does not wait behind classes that do', async () => {
  await using stack = new AsyncDisposableStack()
  const slots = createWorkerConnections(2)
  const db = createDatabase({ connectionString: database.appUrl, maxConnections: 2, slots })
  stack.defer(() => db.destroy())
  const ended: string[] = []
  const ask = (name: string) => sql`SELECT pg_sleep(0.01)`.execute(db).then(() => ended.push(name))
  const sales = Array.from({ length: 100 }, () => slots.run('sales', () => ask('sale')))
  await ask('claim')
  expect(ended.length).toBeLessThan(10)
  await Promise.all(sales)
})

/** The order in which a database of one connection serves `each` operations of every class. */
async function serve(
  slots: ReturnType<typeof createWorkerConnections>,
  names: readonly string[],
  each: number,
): Promise<string[]> {
  await using stack = new AsyncDisposableStack()
  const db = createDatabase({ connectionString: database.appUrl, maxConnections: 1, slots })
  stack.defer(() => db.destroy())
  const order: string[] = []
  await Promise.all(
    names.flatMap((name) =>
      Array.from({ length: each }, () =>
        slots.run(name, async () => {
          await sql`SELECT 1`.execute(db)
          order.push(name)
        }),
      ),
    ),
  )
  return order
}
