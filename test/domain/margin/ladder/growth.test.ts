import { expect, test } from 'vitest'
import { addMs } from '../../../../src/core/time.ts'
import { type Debt, totalDebtCents } from '../../../../src/domain/facilities/ledger/debt.ts'
import { nextEvaluationAt } from '../../../../src/domain/margin/ladder/next-evaluation.ts'
import { tierAt } from '../../../../src/domain/margin/ladder/tiers.ts'
import { DEFAULT_MARGIN_POLICY } from '../../../../src/domain/margin/policy.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const VALUE_CENTS = 100_000_00n

/** At ten per cent a year. */
function debtOf(principalCents: bigint): Debt {
  return {
    principalCents,
    ratePpm: 100_000n,
    interestNumerator: 0n,
    accruedAt: NOW,
    interestBookedCents: 0n,
    interestPaidCents: 0n,
  }
}

test.each([
  ['the floor', 70_000_00n, undefined, 1],
  ['tier 2', 75_000_00n, 1, 2],
  ['tier 3', 80_000_00n, 2, 3],
])(
  'a debt is evaluated in the millisecond in which interest carries it above %s, not when it equals that',
  (_line, lineCents, tierOn, tierAbove) => {
    const debt = debtOf(lineCents - 1n)
    const decision = { kind: 'none' } as const
    const facts = { debt, reported: [], decision, valueCents: VALUE_CENTS, deadline: undefined }
    const tierThen = (at: Date) =>
      tierAt(totalDebtCents(debt, at), VALUE_CENTS, DEFAULT_MARGIN_POLICY)
    const due = nextEvaluationAt({ ...facts, now: addMs(NOW, 1) }, false, DEFAULT_MARGIN_POLICY)
    if (!due) throw new Error('a debt that grows is due some time')
    expect(tierThen(due)).toBe(tierAbove)
    expect(tierThen(addMs(due, -1))).toBe(tierOn)
  },
)
