import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Refusal } from '../../../src/core/errors.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts'
import {
  draw,
  type Lending,
  openHousesInOneDatabase,
  pushPortfolio,
  read,
  repay,
  usd,
} from '../../support/lending/lending.ts'
import {
  addBorrowed,
  btc,
  expectSound,
  marginEvents,
  ONE_BTC,
  readCalls,
  readWarnings,
  tick,
} from '../../support/lending/margin.ts'
import { LONG_SCENARIO_MS } from '../../support/process/patience.ts'

const openHouse = openHousesInOneDatabase()

/** What a borrower does. */
const deed = fc.oneof(
  fc.record({ kind: fc.constant('push' as const), units: fc.bigInt(0n, 2n * ONE_BTC) }),
  fc.record({ kind: fc.constant('repay' as const), cents: fc.bigInt(1n, 40_000_00n) }),
  fc.record({ kind: fc.constant('draw' as const), cents: fc.bigInt(1n, 30_000_00n) }),
)
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never

/** What happens to all of them at once, what our borrower does then, and what the others do. */
const chapter = fc.record({
  price: fc.option(fc.integer({ min: 30_000, max: 110_000 }).map(String)),
  ms: fc.constantFrom(1, 10_000, MINUTE_MS, HOUR_MS, 49 * HOUR_MS),
  ours: fc.option(deed),
  others: fc.array(fc.tuple(fc.nat({ max: 1 }), deed), { maxLength: 3 }),
})
type Chapter = typeof chapter extends fc.Arbitrary<infer T> ? T : never

type Party = { id: string; borrowerId: string }

async function act(lending: Lending, { id, borrowerId }: Party, what: Deed): Promise<void> {
  try {
    if (what.kind === 'push') await pushPortfolio(lending, borrowerId, btc(what.units))
    if (what.kind === 'repay') await repay(lending, id, usd(what.cents))
    if (what.kind === 'draw') await draw(lending, id, usd(what.cents))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

/** Plays the story for our borrower, beside as many others, and returns all that became of ours. */
async function play(story: readonly Chapter[], otherCount: number) {
  await using lending = await openHouse()
  const others: Party[] = []
  for (let at = 0; at < otherCount; at += 1) others.push(await addBorrowed(lending))
  const ours = await addBorrowed(lending)
  for (const { price, ms, ours: what, others: deeds } of story) {
    if (price !== null) lending.market.set('BTC', price)
    lending.advance(1)
    for (const [at, done] of deeds) {
      const other = others[at]
      if (other) await act(lending, other, done)
    }
    if (what) await act(lending, ours, what)
    await tick(lending, ms)
  }
  await expectSound(lending, ours.id)
  return await describeOf(lending, ours.id)
}

async function describeOf(lending: Lending, id: string) {
  const { state, closeReason, debt, custodianFloorCents, refundDueCents } = await read(lending, id)
  const warnings = await readWarnings(lending, id)
  const calls = await readCalls(lending, id)
  return {
    ...{ state, closeReason, debt, custodianFloorCents, refundDueCents },
    events: await marginEvents(lending, id),
    warnings: warnings.map(({ tenant_id: _tenant, facility_id: _facility, ...rest }) => ({
      ...rest,
      // Real time, kept for the audit: that of the run.
      changed_at: undefined,
    })),
    calls: calls.map(({ facilityId: _facility, ...rest }) => rest),
  }
}

test(
  'facilities never affect one another: what becomes of one is the same, whatever others do beside it',
  async () => {
    let escalated = 0
    await fc.assert(
      fc.asyncProperty(fc.array(chapter, { minLength: 4, maxLength: 10 }), async (story) => {
        const alone = await play(story, 0)
        expect(await play(story, 2)).toEqual(alone)
        escalated += alone.calls.length
      }),
      {
        numRuns: 8,
        // One in which all are sold out, so that this is always among them.
        examples: [
          [
            [
              {
                price: '50000',
                ms: MINUTE_MS,
                ours: null,
                others: [[0, { kind: 'push', units: 0n }]],
              },
              {
                price: null,
                ms: HOUR_MS,
                ours: null,
                others: [[1, { kind: 'repay', cents: 100_00n }]],
              },
            ],
          ],
        ],
      },
    )
    expect(escalated).toBeGreaterThan(0)
  },
  LONG_SCENARIO_MS,
)
