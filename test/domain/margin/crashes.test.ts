import { expect, test } from 'vitest'
import { MINUTE_MS } from '../../../src/core/time.ts'
import { evaluateFacility } from '../../../src/domain/margin/evaluation/evaluate.ts'
import { crashAtEachStep, shares } from '../../support/lending/crashes.ts'
import { houseForEachTest } from '../../support/lending/houses.ts'
import { pass, read, repay, settle, usd } from '../../support/lending/lending.ts'
import {
  addCritical,
  expectSound,
  marginEvents,
  ONE_BTC,
  ordersOf,
  readCalls,
  tick,
} from '../../support/lending/margin.ts'
import { LONG_SCENARIO_MS } from '../../support/process/patience.ts'

const lending = houseForEachTest({ maxConnections: 20 })

/** The crashes of a story, over several tests. */
const eachShare = <Story>(story: Story, count: number) =>
  shares(count).map((share) => ({ ...story, share }))

const evaluate = (id: string) => {
  const facility = { tenantId: lending.tenantId, facilityId: id }
  const instant = { ...lending.instant(), trigger: 'price' as const }
  return evaluateFacility(lending.db, lending.context, facility, instant)
}

// A sale of one order is a step of the calls that end, below.
test.each(shares(4))(
  'a worker that crashes between any two steps neither loses nor repeats a sale: orders partly filled, refused and pending, from step $from',
  { timeout: LONG_SCENARIO_MS },
  async (share) => {
    await crashAtEachStep(
      lending,
      async (crashing, crashAt) => {
        const { id } = await addCritical(lending)
        lending.fills = [{ units: ONE_BTC / 10n }, 'refused', 'pending', { units: ONE_BTC / 10n }]
        await crashing(async () => {
          await evaluate(id)
          await settle(lending)
        })
        await pass(lending, 5 * MINUTE_MS, 30_000)

        expect(await marginEvents(lending, id), `crash at step ${crashAt}`).toEqual([
          'warning.raised 1',
          'warning.escalated 1',
          'call.started 1',
          'call.completed 1',
        ])
        const filled = await lending.db
          .selectFrom('margin_sales')
          .select('number')
          .where('facility_id', '=', id)
          .where('status', '=', 'FILLED')
          .execute()
        expect(ordersOf(lending, id)).toHaveLength(filled.length)
        await expectSound(lending, id)
        expect((await read(lending, id)).state).toBe('APPROVED')
        await settleDebt(id)
      },
      share,
    )
  },
)

test.each([
  ...eachShare(
    {
      ending: 'charges the rest off',
      proceedsCents: 20_000_00n,
      outcome: 'deficit',
      refunds: [],
      isFromFill: false,
    },
    4,
  ),
  // Until its order is filled this is the story above.
  ...eachShare(
    {
      ending: 'pays back a surplus',
      proceedsCents: 59_000_00n,
      outcome: 'full',
      refunds: ['PAID'],
      isFromFill: true,
    },
    2,
  ),
])(
  'a worker that crashes between any two steps still ends a call: one that $ending, from step $share.from',
  { timeout: LONG_SCENARIO_MS },
  async ({ proceedsCents, outcome, refunds, share, isFromFill }) => {
    await crashAtEachStep(
      lending,
      async (crashing, crashAt) => {
        const { id } = await addCritical(lending)
        // Once more for the order that is placed again because the first never arrived.
        const fill = { units: ONE_BTC, proceedsCents, costsCents: 0n }
        lending.fills = [fill, fill]
        await crashing(
          () => tick(lending).catch(() => undefined),
          () => !isFromFill || ordersOf(lending, id).length > 0,
        )
        await pass(lending, MINUTE_MS, 30_000)

        await expectSound(lending, id)
        const calls = await readCalls(lending, id)
        expect(calls, `crash at step ${crashAt}`).toMatchObject([{ status: 'COMPLETED', outcome }])
        expect(await read(lending, id)).toMatchObject({
          state: outcome === 'deficit' ? 'CLOSED' : 'APPROVED',
          refundDueCents: 0n,
          debt: { principalCents: 0n },
        })
        expect(await refundsOf(id)).toEqual(refunds)
      },
      share,
    )
  },
)

async function refundsOf(id: string): Promise<string[]> {
  const query = lending.db.selectFrom('refunds').select('status').where('facility_id', '=', id)
  return (await query.execute()).map(({ status }) => status)
}

/** Takes a facility out of the following rounds' ticks. */
async function settleDebt(id: string): Promise<void> {
  await repay(lending, id, usd(60_000_00n))
  await tick(lending)
}
