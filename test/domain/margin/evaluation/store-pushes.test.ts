import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { addMs, HOUR_MS, MINUTE_MS } from '../../../../src/core/time.ts'
import { inTransaction, type Tx } from '../../../../src/db/database.ts'
import { isConnectionLost } from '../../../../src/db/errors.ts'
import { digestOf, type Snapshot } from '../../../../src/domain/collateral/portfolios.ts'
import { pushPortfolio } from '../../../../src/domain/margin/evaluation/push-portfolio.ts'
import { type Push, storePushes } from '../../../../src/domain/margin/evaluation/store-pushes.ts'
import { houseForFile } from '../../../support/lending/houses.ts'
import { addFacility } from '../../../support/lending/lending.ts'
import { addBorrowed, holdPrice } from '../../../support/lending/margin.ts'
import { addBorrower } from '../../../support/lending/onboarding.ts'
import { readPortfolio } from '../../../support/lending/read-portfolio.ts'
import { waitFor } from '../../../support/process/patience.ts'
import { countWaiting } from '../../../support/stores/waiting-sessions.ts'

const lending = houseForFile({ maxConnections: 20 })

const storeAlone = (push: Push) =>
  inTransaction(lending.db, (tx) => storePushes(tx, [push], 'wait for locked'))

const micros = (at: Date) => BigInt(at.getTime()) * 1_000n

/** As old as asked, with content of its own. */
function aged(ageMs: number): Snapshot {
  return {
    asOfMicros: micros(lending.now()) - BigInt(ageMs) * 1_000n,
    positions: [{ asset: 'BTC', units: BigInt(10_000_000 + ageMs) }],
  }
}

async function push(borrowerId: string, snapshot: Snapshot) {
  const context = { ...lending.context, futureToleranceMs: MINUTE_MS }
  return await pushPortfolio(lending.db, context, { ...lending, borrowerId }, snapshot)
}

const read = (borrowerId: string) => readPortfolio(lending.db, lending.tenantId, borrowerId)

const addBorrowers = (count: number) =>
  Promise.all(Array.from({ length: count }, () => addBorrower(lending.db, lending.tenantId)))

const rowsOf = async (borrowerId: string) => {
  const { db, tenantId } = lending
  const portfolio = await db
    .selectFrom('portfolios')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('borrower_id', '=', borrowerId)
    .executeTakeFirst()
  const work = await db
    .selectFrom('work')
    .innerJoin('borrowers', (join) =>
      join
        .onRef('borrowers.latest_facility_id', '=', 'work.subject_id')
        .onRef('borrowers.tenant_id', '=', 'work.tenant_id'),
    )
    .select(['topic', 'priority', 'clock', 'due_at', 'ready', 'generation', 'traceparent'])
    .where('work.tenant_id', '=', tenantId)
    .where('borrower_id', '=', borrowerId)
    .orderBy('topic')
    .execute()
  return { portfolio: { ...portfolio, borrower_id: undefined }, work }
}

describe('pushes that are stored together', () => {
  test('leave the rows and give the answers of pushes that are stored one by one', async () => {
    const pairs = [
      await addBorrowers(2),
      [(await addFacility(lending)).borrowerId, (await addFacility(lending)).borrowerId],
      [(await addFacility(lending)).borrowerId, (await addFacility(lending)).borrowerId],
    ]
    const { db, tenantId } = lending
    await db.deleteFrom('work').where('tenant_id', '=', tenantId).execute()
    const start = micros(lending.now())
    await db
      .updateTable('portfolios')
      .set({ as_of: start })
      .where('tenant_id', '=', tenantId)
      .execute()
    const facilityOf = async (borrowerId: string | undefined) =>
      (
        await db
          .selectFrom('borrowers')
          .select('latest_facility_id as id')
          .where('tenant_id', '=', tenantId)
          .where('borrower_id', '=', borrowerId ?? '')
          .executeTakeFirstOrThrow()
      ).id
    for (const borrowerId of pairs[2] ?? []) {
      const id = (await facilityOf(borrowerId)) ?? ''
      await db
        .updateTable('facilities')
        .set({ state: 'PENDING' })
        .where('tenant_id', '=', tenantId)
        .where('facility_id', '=', id)
        .execute()
    }
    const units = fc.bigInt(0n, 3n).map((n) => n * 10n ** 20n)
    const positions = fc.dictionary(fc.constantFrom('USD', 'BTC', 'ETH', 'XYZ'), units.map(String))
    const step = fc.record({
      pushes: fc.array(fc.record({ positions, later: fc.integer({ min: -1, max: 2 }) }), {
        minLength: pairs.length,
        maxLength: pairs.length,
      }),
      isAnswered: fc.boolean(),
      isTooFar: fc.boolean(),
    })
    let now = lending.now()
    let asOf = start
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const { pushes, isAnswered, isTooFar } of steps) {
          now = addMs(now, 1)
          asOf += 1n
          const rows = pushes.map(({ positions, later }, at) => ({
            tenantId,
            at,
            asOfMicros: isTooFar ? micros(now) + 60_000_001n : asOf + BigInt(later),
            positions,
            digest: digestOf(
              Object.entries(positions).map(([asset, text]) => ({ asset, units: BigInt(text) })),
            ),
            ...{ realNow: now, futureToleranceMs: MINUTE_MS, isEvaluated: false },
          }))
          const alone: unknown[] = []
          for (const row of rows) {
            const borrowerId = pairs[row.at]?.[0] ?? ''
            alone.push((await storeAlone({ ...row, borrowerId })).get(borrowerId))
          }
          const named = rows.map((row) => ({ ...row, borrowerId: pairs[row.at]?.[1] ?? '' }))
          const stored = await inTransaction(db, (tx) => storePushes(tx, named, 'pass over locked'))
          expect(named.map(({ borrowerId }) => stored.get(borrowerId))).toEqual(alone)
          for (const [one, other] of pairs) {
            expect(await rowsOf(other ?? '')).toEqual(await rowsOf(one ?? ''))
          }
          if (isAnswered) {
            const answer = {
              confirmed: { BTC: '1' },
              confirmed_at: now,
              is_new: false,
              least: null,
            }
            await db
              .updateTable('portfolios')
              .set(answer)
              .where('tenant_id', '=', tenantId)
              .execute()
          }
        }
      }),
      { numRuns: 15 },
    )
  })

  test('of 60 at once of 20 borrowers the newest of each is stored, and each has its own answer', async () => {
    const borrowerIds = await addBorrowers(20)
    const pushes = borrowerIds.flatMap((id) =>
      [2, 0, 1].map((age) => ({ id, snapshot: aged(age) })),
    )
    const outcomes = await Promise.all(pushes.map(({ id, snapshot }) => push(id, snapshot)))
    for (const [at, { snapshot }] of pushes.entries()) {
      const { applied, asOfMicros } = outcomes[at] ?? {}
      expect(
        applied ? asOfMicros === snapshot.asOfMicros : (asOfMicros ?? 0n) > snapshot.asOfMicros,
      ).toBe(true)
    }
    for (const id of borrowerIds) expect(await read(id)).toMatchObject(aged(0))
  })

  test('one that is refused leaves the others stored', async () => {
    const borrowerIds = await addBorrowers(12)
    const [refused = '', ...others] = borrowerIds
    const pushes = [
      ...others.map((id) => push(id, aged(0))),
      push(refused, aged(-2 * MINUTE_MS)),
      push(refused.replace(/.{4}$/, '0000'), aged(0)),
    ]
    const outcomes = await Promise.allSettled(pushes)
    const codes = outcomes.map((one) => (one.status === 'rejected' ? one.reason.code : 'stored'))
    expect(codes).toEqual([...others.map(() => 'stored'), 'as_of_in_future', 'not_found'])
    for (const id of others) expect(await read(id)).toMatchObject(aged(0))
    expect(await read(refused)).toBeUndefined()
  })

  test('one of a borrower whose warning is past its deadline is stored after that is settled', async () => {
    const { borrowerId, id } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    lending.advance(48 * HOUR_MS + 1)
    const borrowerIds = await addBorrowers(12)
    const pushed = [...borrowerIds, borrowerId].map((one) => push(one, aged(0)))
    expect(await Promise.all(pushed)).toEqual(
      pushed.map(() => ({ applied: true, asOfMicros: aged(0).asOfMicros })),
    )
    const works = await lending.db
      .selectFrom('work')
      .select('topic')
      .where('tenant_id', '=', lending.tenantId)
      .where('subject_id', '=', id)
      .execute()
    expect(works.map(({ topic }) => topic)).toContain('escalate-warning')
  })
})

test('pushes whose connection ends are not tried again one by one: each fails for that', async () => {
  const borrowerIds = await addBorrowers(12)
  const locked = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const locking = inTransaction(lending.db, async (tx) => {
    await sql`LOCK TABLE portfolios IN EXCLUSIVE MODE`.execute(tx)
    locked.resolve()
    await ended.promise
  })
  await locked.promise
  const pushing = Promise.allSettled(borrowerIds.map((id) => push(id, aged(0))))
  // Eight in one transaction, and the four others.
  await waitFor(async () => expect(await countWaiting(lending.db)).toBe(2), { interval: 20 })
  await sql`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(lending.db)
  const outcomes = await pushing
  ended.resolve()
  await locking
  expect(outcomes.map((one) => one.status === 'rejected' && isConnectionLost(one.reason))).toEqual(
    borrowerIds.map(() => true),
  )
  for (const id of borrowerIds) expect(await read(id)).toBeUndefined()
})

/** Runs while another transaction holds the rows. */
async function whileHeld(
  table: 'borrowers' | 'portfolios',
  ids: readonly string[],
  run: () => Promise<void>,
) {
  const held = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  const lock = (tx: Tx) =>
    tx
      .selectFrom(table)
      .select('borrower_id')
      .where('tenant_id', '=', lending.tenantId)
      .where('borrower_id', 'in', ids)
      .forNoKeyUpdate()
      .execute()
  const holding = inTransaction(lending.db, async (tx) => {
    await lock(tx)
    held.resolve()
    await done.promise
  })
  await held.promise
  await run().finally(done.resolve)
  await holding
}

describe.each(['borrowers', 'portfolios'] as const)('while another holds rows of %s', (table) => {
  test('the pushes that need them wait, however many, and those of others are stored', async () => {
    const borrowerIds = await addBorrowers(24)
    for (const id of borrowerIds) await push(id, aged(1))
    const [held, free] = [borrowerIds.slice(0, 8), borrowerIds.slice(8)]
    const waiting: Promise<unknown>[] = []
    await whileHeld(table, held, async () => {
      waiting.push(...held.map((id) => push(id, aged(0))))
      await Promise.all(free.map((id) => push(id, aged(0))))
      for (const id of held) expect(await read(id)).toMatchObject(aged(1))
    })
    await Promise.all(waiting)
    for (const id of held) expect(await read(id)).toMatchObject(aged(0))
  })
})
