import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts'
import type { Facility } from '../../../src/domain/facilities/facilities.ts'
import { totalDebtCents } from '../../../src/domain/facilities/ledger/debt.ts'
import { loadCase } from '../../../src/domain/margin/load-cases.ts'
import {
  addFacility,
  draw,
  type Lending,
  openHousesInOneDatabase,
  pushPortfolio,
  read,
  repay,
  settle,
  usd,
} from '../../support/lending/lending.ts'
import { btc, expectSound, holdPrice, readWarnings, tick } from '../../support/lending/margin.ts'

const openHouse = openHousesInOneDatabase()

/** Two loans that differ by this factor alone: one owes 9.95, the other 995.00. */
const SCALES = [1n, 100n]

/** Thousands of satoshi, at prices that keep each ratio away from the lines of the ladder. */
const share = fc.constantFrom(10n, 14n, 18n, 20n, 24n, 26n, 40n)

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('push' as const),
      pushed: share,
      /** What the custodian holds; undefined: what is pushed. */
      held: fc.option(share, { nil: undefined }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('arrival' as const),
      held: share,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('price' as const),
      price: fc.constantFrom('69500', '79000', '90000', '100000'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('tick' as const),
      ms: fc.constantFrom(MINUTE_MS, HOUR_MS),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('repay all' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

type Loan = Facility & { scale: bigint }

const unitsOf = (scale: bigint, thousands: bigint) => btc(thousands * 1_000n * scale)

function hold(lending: Lending, { borrowerId, scale }: Loan, thousands: bigint | undefined): void {
  if (thousands === undefined) lending.held.delete(borrowerId)
  else lending.held.set(borrowerId, unitsOf(scale, thousands))
}

async function push(lending: Lending, { borrowerId, scale }: Loan, thousands: bigint) {
  lending.advance(1)
  await pushPortfolio(lending, borrowerId, unitsOf(scale, thousands))
}

/** The custodian has answered about the borrower, with or without a warning, and 9.95 are owed. */
async function openLoans(lending: Lending, isWarned: boolean): Promise<Loan[]> {
  const loans: Loan[] = []
  for (const scale of SCALES) {
    const facility = await addFacility(lending, { limitCents: 1_000_00n })
    await draw(lending, facility.id, usd(10_00n * scale))
    await settle(lending)
    const loan = { ...facility, scale }
    for (const thousands of [20n, 21n]) {
      await push(lending, loan, thousands)
      await settle(lending)
    }
    loans.push(loan)
  }
  if (isWarned) await holdPrice(lending, '69500')
  for (const { id, scale } of loans) await repay(lending, id, usd(5n * scale))
  await tick(lending)
  return loans
}

async function take(lending: Lending, loans: readonly Loan[], event: Step): Promise<void> {
  if (event.kind === 'price') return await holdPrice(lending, event.price)
  if (event.kind === 'tick') return await tick(lending, event.ms)
  for (const loan of loans) {
    if (event.kind !== 'repay all') hold(lending, loan, event.held)
    if (event.kind === 'push') await push(lending, loan, event.pushed)
    if (event.kind !== 'repay all') continue
    const { principalCents } = (await read(lending, loan.id)).debt
    if (principalCents > 0n) await repay(lending, loan.id, usd(principalCents + loan.scale))
  }
  await tick(lending, MINUTE_MS)
}

/** What counts, in the smaller loan's units, and what has become of the warning. */
async function stateOf(lending: Lending, { id, scale }: Loan) {
  const { context, tenantId } = lending
  const facility = await read(lending, id)
  const reading = { ...context, tenantId, now: lending.now() }
  const { positions, curing } = await loadCase(reading, facility)
  const scaled = (ones: typeof positions | undefined) =>
    ones?.map(({ asset, units }) => [asset, units / scale])
  const warnings = await readWarnings(lending, id)
  return {
    counted: scaled(positions),
    curing: scaled(curing),
    warnings: warnings.map(({ tier, status, cured_by: by }) => ({ tier, status, by })),
  }
}

/** Whether a push is in breach at 0.70, in thousands of satoshi and dollars a bitcoin. Only about a
 * debt of 10.00 or more is a warning raised, and so only then is the custodian asked about the raise. */
function isToRaise(pushed: bigint, price: string, debtCents: bigint): boolean {
  return (debtCents * 100n) / 70n > (pushed * BigInt(price) * 97n) / 100_000n
}

test('once the custodian has answered about a borrower, what counts of a push that raises no warning, and what it cures, do not depend on the size of the debt', async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(step, { minLength: 4, maxLength: 10 }),
      async (isWarned, steps) => {
        await using lending = await openHouse()
        const loans = await openLoans(lending, isWarned)
        let price = isWarned ? '69500' : '100000'
        let isOpen = isWarned
        let raising = 0n
        for (const event of steps) {
          if (event.kind === 'price') price = event.price
          if (event.kind === 'push') {
            const debtCents = totalDebtCents(
              (await read(lending, loans[0]?.id ?? '')).debt,
              lending.now(),
            )
            if (!isOpen && isToRaise(event.pushed, price, debtCents)) raising = event.pushed
            else if (event.pushed > raising) raising = 0n
          }
          await take(lending, loans, event)
          const [small, large] = await Promise.all(loans.map((loan) => stateOf(lending, loan)))
          isOpen = small?.warnings.some(({ status }) => status === 'OPEN') ?? false
          // A small debt is never warned about, and what is warned about is asked about more often.
          if (small?.warnings.length !== large?.warnings.length) break
          // Until more is pushed, of which each is asked.
          if (raising > 0n) continue
          expect(small?.warnings).toEqual(large?.warnings)
          // What is sold is rounded up to the cent, of either.
          if (small?.warnings.some(({ status }) => status === 'ESCALATED')) break
          expect(small).toEqual(large)
          compared += 1
        }
        for (const { id } of loans) await expectSound(lending, id)
      },
    ),
    {
      numRuns: 15,
      endOnFailure: true,
      examples: [
        // A deposit that clears no floor by itself, and then the price.
        [
          true,
          [
            { kind: 'push', pushed: 24n, held: undefined },
            { kind: 'price', price: '79000' },
          ],
        ],
        // It arrives after it was pushed.
        [
          false,
          [
            { kind: 'push', pushed: 40n, held: 20n },
            { kind: 'arrival', held: 40n },
            { kind: 'tick', ms: HOUR_MS },
          ],
        ],
        [false, [{ kind: 'repay all' }, { kind: 'push', pushed: 40n, held: undefined }]],
        // A withdrawal that the custodian denies, of which it is asked where it would raise a warning.
        [
          false,
          [
            { kind: 'price', price: '90000' },
            { kind: 'tick', ms: HOUR_MS },
            { kind: 'push', pushed: 10n, held: 26n },
            { kind: 'tick', ms: MINUTE_MS },
            { kind: 'push', pushed: 14n, held: 20n },
            { kind: 'push', pushed: 14n, held: 24n },
          ],
        ],
      ],
    },
  )
  expect(compared).toBeGreaterThan(20)
}, 240_000)
