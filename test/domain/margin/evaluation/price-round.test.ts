import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { addMs, DAY_MS, HOUR_MS } from '../../../../src/core/time.ts'
import { type Db, inTransaction } from '../../../../src/db/database.ts'
import type { PriceFeed } from '../../../../src/domain/collateral/prices.ts'
import { lockApproved } from '../../../../src/domain/facilities/locked-facility.ts'
import { DEFAULT_POLICY } from '../../../../src/domain/facilities/policy.ts'
import { type Case, toLadderFacts } from '../../../../src/domain/margin/case.ts'
import {
  evaluateAll,
  findCandidates,
} from '../../../../src/domain/margin/evaluation/evaluate-all.ts'
import { evaluateCase } from '../../../../src/domain/margin/evaluation/evaluate-case.ts'
import { evaluateFacilities } from '../../../../src/domain/margin/evaluation/evaluate-facilities.ts'
import { decideLadder } from '../../../../src/domain/margin/ladder/ladder.ts'
import { loadCases, loadPrices } from '../../../../src/domain/margin/load-cases.ts'
import { alwaysBy, DEFAULT_MARGIN_POLICY as POLICY } from '../../../../src/domain/margin/policy.ts'
import { createTermsAt } from '../../../../src/domain/margin/versions/terms-at.ts'
import { createExchangePrices } from '../../../../src/providers/prices-exchanges.ts'
import {
  type FacilityRows,
  insertFacilities,
  setPositions,
  setRounds,
} from '../../../support/lending/facility-rows.ts'
import { openTenant, readEvents } from '../../../support/lending/onboarding.ts'
import { waitFor } from '../../../support/process/patience.ts'
import { databaseForFile } from '../../../support/stores/database.ts'
import { removeTenants } from '../../../support/stores/remove-tenants.ts'
import { untilOneWaits } from '../../../support/stores/waiting-sessions.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const BTC = 10n ** 8n
const DOLLAR = 10n ** 8n

const database = databaseForFile()
let db: Db
let tenantId: string
beforeAll(async () => {
  db = database.db
})
beforeEach(async () => {
  await removeTenants(db)
  tenantId = await openTenant(db, NOW)
})

const running = new AbortController().signal
const tick = (stop = running) => evaluateAll({ ...context(), db, clock: () => NOW }, stop)
const context = () => ({
  prices: createExchangePrices(),
  termsAt: createTermsAt({ policy: DEFAULT_POLICY, marginPolicy: POLICY }, () => NOW),
  hasRounds: true,
})

/** One bitcoin that has cost so many dollars for a minute and more. */
const holdPrice = (dollars: bigint) =>
  setRounds(
    db,
    NOW,
    [70_000, 60_000, 0].map((agoMs) => ({ agoMs, prices: { BTC: dollars * DOLLAR } })),
  )

/** 48,000 owed over one bitcoin: in breach below 70,692 dollars, clear of a warning from 82,475. */
const borrowed: FacilityRows = {
  positions: { BTC },
  principalCents: 48_000_00n,
  accruedAt: NOW,
}

const readWarnings = () =>
  db
    .selectFrom('margin_warnings')
    .selectAll()
    .orderBy('tenant_id')
    .orderBy('facility_id')
    .orderBy('number')
    .execute()

const TERMS = alwaysBy({ policy: DEFAULT_POLICY, marginPolicy: POLICY })

const LINES = POLICY.noticeLtvPpm

describe('the candidates of a tick', () => {
  const prices = fc.record({
    BTC: fc.bigInt(60_000n, 80_000n).map((dollars) => dollars * DOLLAR + 1n),
    ETH: fc.bigInt(3_000n, 4_000n).map((dollars) => dollars * DOLLAR + 7n),
    USDC: fc.bigInt(DOLLAR - 5_000_000n, DOLLAR + 5_000_000n),
  })
  const units = fc.record(
    {
      BTC: fc.bigInt(0n, 2n * BTC),
      ETH: fc.bigInt(0n, 10n * 10n ** 18n),
      USDC: fc.bigInt(0n, 30_000n * 10n ** 6n),
      USD: fc.bigInt(0n, 10_000_00n),
      DOGE: fc.bigInt(0n, 10n ** 24n),
    },
    { requiredKeys: [] },
  )
  const facility = fc.record({
    positions: units,
    custodian: fc.option(units, { nil: undefined, freq: 3 }),
    // Of the value at the latest prices, in ppm, so that lines are met within a cent.
    ltvPpm: fc.oneof(fc.constantFrom(...LINES, 700_000n), fc.bigInt(300_000n, 900_000n)),
    noticedLtvPpm: fc.constantFrom(0n, ...LINES),
    centsBeside: fc.bigInt(-2n, 2n),
    interestNumerator: fc.bigInt(0n, 10n ** 21n),
    sinceMs: fc.integer({ min: -1_000, max: 40 * DAY_MS }),
    warnedForMs: fc.option(fc.integer({ min: -HOUR_MS, max: HOUR_MS }), {
      nil: undefined,
      freq: 4,
    }),
  })

  test('the candidates of a tick are all of which an evaluation decides or notices anything', async () => {
    const rounds = fc.array(prices, { minLength: 1, maxLength: 4 })
    const facilities = fc.array(facility, { minLength: 8, maxLength: 8 })
    let decided = 0
    let noticed = 0
    let passedOver = 0
    await fc.assert(
      fc.asyncProperty(rounds, facilities, async (window, drawn) => {
        await removeTenants(db)
        tenantId = await openTenant(db, NOW)
        const newestFirst = window.map((each, index) => ({ agoMs: index * 25_000, prices: each }))
        await setRounds(db, NOW, [
          ...newestFirst,
          { agoMs: 100_000, prices: window.at(-1) ?? { BTC: 1n } },
        ])
        const ids = await insertFacilities(
          db,
          tenantId,
          drawn.map((each) => ({
            ...each,
            principalCents: 0n,
            interestPaidCents: 3n,
            accruedAt: addMs(NOW, -each.sinceMs),
            warnedUntil: each.warnedForMs === undefined ? undefined : addMs(NOW, each.warnedForMs),
          })),
        )
        for (const [index, value] of (await loadValues(ids)).entries()) {
          const { ltvPpm = 0n, centsBeside = 0n } = drawn[index] ?? {}
          const principal = (value * ltvPpm) / 1_000_000n + centsBeside
          await db
            .updateTable('facilities')
            .set({ principal_cents: principal > 0n ? principal : 0n })
            .where('facility_id', '=', ids[index] ?? '')
            .execute()
        }
        const found = await findCandidates(db, TERMS, NOW)
        const candidates = new Set(found.map(({ facilityId }) => facilityId))
        for (const { loaded, decision } of await decideAll(ids)) {
          const { id } = loaded.facility
          if (isNoticed(loaded)) {
            noticed += 1
            expect(candidates, `notice of ${id}`).toContain(id)
          }
          if (decision.kind !== 'none') {
            decided += 1
            expect(candidates, `${decision.kind} of ${id}`).toContain(id)
          }
          if (!candidates.has(id)) passedOver += 1
        }
      }),
      // One seed: enough of each must be among what is drawn.
      { numRuns: 40, seed: 7 },
    )
    expect(Math.min(decided, noticed)).toBeGreaterThan(20)
    expect(passedOver).toBeGreaterThan(20)
  }, 60_000)

  test('the candidates of a tick do not include what clears the floor by a cent, nor what is in a live call', async () => {
    await holdPrice(70_000n)
    const noticed = { noticedLtvPpm: 650_000n }
    // 67,900.00 of value clears the floor of 47,530.00 just so.
    const [clear = '', below = '', called = ''] = await insertFacilities(db, tenantId, [
      { ...borrowed, principalCents: 47_529_99n, interestNumerator: 1n, ...noticed },
      { ...borrowed, principalCents: 47_530_00n, interestNumerator: 1n, ...noticed },
      { ...borrowed, warnedUntil: NOW },
    ])
    await insertCall(called, 'PENDING')
    const found = (await findCandidates(db, TERMS, NOW)).map(({ facilityId }) => facilityId)
    expect(found).not.toContain(clear)
    expect(found).toEqual([below])
  })

  test('the candidates of a tick include facilities with collateral sold since the snapshot that still names it', async () => {
    await holdPrice(100_000n)
    const [id = ''] = await insertFacilities(db, tenantId, [{ ...borrowed, warnedUntil: NOW }])
    await insertCall(id, 'COMPLETED')
    expect(await findCandidates(db, TERMS, NOW)).toEqual([])
    await db
      .insertInto('margin_sales')
      .values({
        tenant_id: tenantId,
        facility_id: id,
        call_number: 1,
        number: 1,
        asset: 'BTC',
        ordered_units: BTC / 2n,
        in_kind: false,
        status: 'FILLED',
        filled_units: BTC / 2n,
        proceeds_cents: 0n,
        costs_cents: 0n,
        ordered_at: NOW,
        executed_at: NOW,
      })
      .execute()
    expect(await findCandidates(db, TERMS, NOW)).toEqual([{ tenantId, facilityId: id }])
    expect(await decideAll([id])).toMatchObject([{ decision: { kind: 'raise' } }])
  })

  test('there are no candidates of a tick while no round is old enough', async () => {
    await setRounds(db, NOW, [{ agoMs: 59_999, prices: { BTC: DOLLAR } }])
    await insertFacilities(db, tenantId, [borrowed])
    expect(await findCandidates(db, TERMS, NOW)).toEqual([])
    expect(await tick()).toBe(true)
    expect(await readWarnings()).toEqual([])
  })

  /** The facility's open warning has escalated. */
  const insertCall = async (facilityId: string, status: 'PENDING' | 'COMPLETED') => {
    const asked = { cure_amount_cents: 0n, cure_collateral_cents: 0n }
    await db
      .updateTable('margin_warnings')
      .set({ status: 'ESCALATED', escalated_at: NOW, ...asked })
      .where('facility_id', '=', facilityId)
      .execute()
    await db
      .insertInto('margin_calls')
      .values({
        tenant_id: tenantId,
        facility_id: facilityId,
        number: 1,
        margin_warning_number: 1,
        status,
        created_at: NOW,
        ...(status === 'COMPLETED' && { completed_at: NOW, outcome: 'partial' }),
      })
      .execute()
  }

  const loadEvaluated = async (ids: readonly string[]) =>
    await inTransaction(db, async (tx) => {
      const groups = await lockApproved({ tx, tenantId, now: NOW }, ids)
      const facilities = groups.flatMap((group) => group.facilities)
      const { termsOf } = TERMS
      const view = { prices: createExchangePrices(), termsOf }
      const reading = { ...view, db: tx, tenantId, now: NOW }
      return await loadCases(reading, facilities, loadPrices(reading))
    })

  const loadValues = async (ids: readonly string[]) => {
    const byId = new Map((await loadEvaluated(ids)).map((loaded) => [loaded.facility.id, loaded]))
    return ids.map((id) => byId.get(id)?.collateral.latest.valueCents ?? 0n)
  }

  const isNoticed = (byStored: Case) => {
    const moment = { now: NOW, realNow: NOW, trigger: 'price' as const, lastBeatAt: undefined }
    return evaluateCase({ byStored }, true, moment).noticed !== undefined
  }

  const decideAll = async (ids: readonly string[]) =>
    (await loadEvaluated(ids)).map((loaded) => ({
      loaded,
      decision: decideLadder(toLadderFacts(loaded, 'price', NOW), POLICY),
    }))
})

describe('a tick', () => {
  test('a tick writes to each facility that crosses an early line once, and to no other', async () => {
    const early = (count: number, principalCents: bigint) =>
      insertFacilities(
        db,
        tenantId,
        Array.from({ length: count }, () => ({ ...borrowed, principalCents })),
      )
    await holdPrice(100_000n)
    await early(3, 57_000_00n)
    const crossing = await early(600, 60_000_00n)
    const versionsOf = async () => {
      const { rows } = await sql<{ facility_id: string; version: string }>`
        SELECT facility_id, xmin::text AS version FROM facilities ORDER BY facility_id`.execute(db)
      return new Map(rows.map(({ facility_id: id, version }) => [id, version]))
    }
    const before = await versionsOf()
    await tick()
    const after = await versionsOf()
    const written = [...after].filter(([id, version]) => before.get(id) !== version)
    expect(written.map(([id]) => id).sort()).toEqual(crossing.toSorted())
    const events = await readEvents(db, tenantId)
    expect(events.map(({ type, data }) => `${type} ${data.line}`)).toEqual(
      crossing.map(() => 'margin_notice.approaching 0.6'),
    )
    expect(await findCandidates(db, TERMS, NOW)).toEqual([])
    await tick()
    expect(await versionsOf()).toEqual(after)
  })

  test('a tick warns every facility of every tenant once, and numbers each tenant’s events without a gap', async () => {
    await holdPrice(68_000n)
    const other = await openTenant(db, NOW)
    const healthy = { ...borrowed, principalCents: 30_000_00n }
    await insertFacilities(
      db,
      tenantId,
      Array.from({ length: 1_100 }, () => borrowed),
    )
    await insertFacilities(db, other, [borrowed, healthy])
    expect(await tick()).toBe(true)
    const warnings = await readWarnings()
    expect(warnings).toHaveLength(1_101)
    expect(new Set(warnings.map(({ facility_id }) => facility_id)).size).toBe(1_101)
    expect(warnings.filter(({ tenant_id }) => tenant_id === other)).toHaveLength(1)
    for (const [tenant, count] of [
      [tenantId, 1_100],
      [other, 1],
    ] as const) {
      const sequences = (await readEvents(db, tenant)).map(({ sequence }) => sequence)
      expect(sequences).toEqual(Array.from({ length: count }, (_, index) => index + 1))
    }
    const { rows } = await sql<{ works: bigint; deadlines: bigint; decisions: bigint }>`
      SELECT (SELECT count(*) FROM work WHERE topic = 'push-floor') AS works,
             (SELECT count(*) FROM work WHERE topic = 'evaluate-facility') AS deadlines,
             (SELECT count(*) FROM margin_decisions) AS decisions`.execute(db)
    expect(rows).toEqual([{ works: 1_101n, deadlines: 1_101n, decisions: 1_101n }])
    await tick()
    expect(await readWarnings()).toHaveLength(1_101)
    expect(await readEvents(db, tenantId)).toHaveLength(1_100)
  })

  test('a tick is one worker’s: another that comes meanwhile leaves it', async () => {
    await holdPrice(68_000n)
    await insertFacilities(db, tenantId, [borrowed, borrowed])
    const locked = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const holding = inTransaction(db, async (tx) => {
      await sql`SELECT FROM facilities WHERE tenant_id = ${tenantId} FOR UPDATE`.execute(tx)
      locked.resolve()
      await held.promise
    })
    await locked.promise
    const first = tick()
    await waitFor(async () => {
      const feed = db.selectFrom('price_feed').select('evaluating_until')
      expect((await feed.executeTakeFirstOrThrow()).evaluating_until).not.toBeNull()
    })
    expect(await tick()).toBe(false)
    held.resolve()
    await holding
    expect(await first).toBe(true)
    expect(await tick()).toBe(true)
    expect(await readWarnings()).toHaveLength(2)
  })

  test('a tick and another at once on the same facilities raise each warning once', async () => {
    await holdPrice(68_000n)
    const ids = await insertFacilities(
      db,
      tenantId,
      Array.from({ length: 50 }, () => borrowed),
    )
    const margin = { ...context(), ...TERMS, tenantId, now: NOW, realNow: NOW }
    await Promise.all(
      [ids, ids.toReversed()].map((each) =>
        inTransaction(db, (tx) =>
          evaluateFacilities({ ...margin, tx }, each, { trigger: 'price' }),
        ),
      ),
    )
    expect((await readWarnings()).map(({ number }) => number)).toEqual(ids.map(() => 1))
    expect(await readEvents(db, tenantId)).toHaveLength(50)
  })

  test('a tick evaluates by the repayment that held the facility’s lock before it', async () => {
    await holdPrice(68_000n)
    const [id = ''] = await insertFacilities(db, tenantId, [borrowed])
    await tickBehind(id, (tx) =>
      tx.updateTable('facilities').set({ principal_cents: 40_000_00n }).execute(),
    )
    expect(await readWarnings()).toEqual([])
  })

  test('a tick evaluates by the push that came while it waited', async () => {
    await holdPrice(68_000n)
    const [id = ''] = await insertFacilities(db, tenantId, [borrowed])
    await tickBehind(id, async () => {
      const { borrower_id: borrowerId } = await db
        .selectFrom('facilities')
        .select('borrower_id')
        .executeTakeFirstOrThrow()
      await setPositions(db, { tenantId, borrowerId }, { BTC: 2n * BTC })
    })
    expect(await readWarnings()).toEqual([])
  })

  test('a tick evaluates by the draw that held the lock before it: the debt as it then is', async () => {
    await holdPrice(68_000n)
    const [id = ''] = await insertFacilities(db, tenantId, [borrowed])
    // 52,000 over 65,960 is 0.7884: tier 2, and not tier 1 as before.
    await tickBehind(id, (tx) =>
      tx.updateTable('facilities').set({ principal_cents: 52_000_00n }).execute(),
    )
    expect(await readWarnings()).toMatchObject([{ tier: 2, ltv_at_raise: '0.788357' }])
  })

  test('a tick that is stopped begins nothing more, and the next one does it', async () => {
    await holdPrice(68_000n)
    await insertFacilities(db, tenantId, [borrowed])
    await tick(AbortSignal.abort())
    expect(await readWarnings()).toEqual([])
    await tick()
    expect(await readWarnings()).toHaveLength(1)
  })

  test('a tick evaluates all but a facility with unreadable facts, names that one, and evaluates it once it can', async () => {
    await holdPrice(68_000n)
    const ids = await insertFacilities(
      db,
      tenantId,
      Array.from({ length: 20 }, () => borrowed),
    )
    const broken = ids[6] ?? ''
    const portfolio = sql`
      FROM facilities f WHERE f.tenant_id = p.tenant_id AND f.borrower_id = p.borrower_id
        AND f.facility_id = ${broken}`
    await sql`UPDATE portfolios p SET positions = p.positions || '{"DOGE": "many"}' ${portfolio}`.execute(
      db,
    )
    await expect(tick()).rejects.toThrow(`1 not evaluated: ${broken}`)
    const warned = async () => (await readWarnings()).map(({ facility_id }) => facility_id)
    expect(await warned()).toEqual(ids.filter((id) => id !== broken))
    await sql`UPDATE portfolios p SET positions = p.positions - 'DOGE' ${portfolio}`.execute(db)
    expect(await tick()).toBe(true)
    expect(await warned()).toEqual(ids)
  })

  test('a tick gives up on what all facilities have in common after a number of tries', async () => {
    await holdPrice(68_000n)
    await insertFacilities(
      db,
      tenantId,
      Array.from({ length: 64 }, () => borrowed),
    )
    const window = vi.fn<PriceFeed['window']>().mockRejectedValue(new Error('no window'))
    const prices = { ...createExchangePrices(), window }
    const ticked = evaluateAll({ ...context(), prices, db, clock: () => NOW }, running)
    await expect(ticked).rejects.toThrow('64 not evaluated')
    expect(window.mock.calls.length).toBeLessThan(64)
    expect(await tick()).toBe(true)
    expect(await readWarnings()).toHaveLength(64)
  })

  test('a tick goes on to the single facility while locks are in the way, however many', async () => {
    await holdPrice(68_000n)
    await insertFacilities(
      db,
      tenantId,
      Array.from({ length: 64 }, () => borrowed),
    )
    const exchange = createExchangePrices()
    let waits = 40
    const window: PriceFeed['window'] = async (...args) => {
      if (waits === 0) return await exchange.window(...args)
      waits -= 1
      throw Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
    }
    await evaluateAll(
      { ...context(), prices: { ...exchange, window }, db, clock: () => NOW },
      running,
    )
    expect(await readWarnings()).toHaveLength(64)
  })

  /** Changes something under the facility's lock while a tick that has found it waits for that. */
  async function tickBehind(
    facilityId: string,
    change: (tx: Parameters<Parameters<typeof inTransaction>[1]>[0]) => Promise<unknown>,
  ): Promise<void> {
    let ticked: Promise<boolean> | undefined
    await inTransaction(db, async (tx) => {
      await lockApproved({ tx, tenantId, now: NOW }, [facilityId])
      ticked = tick()
      await untilOneWaits(db)
      await change(tx)
    })
    expect(await ticked).toBe(true)
  }
})
