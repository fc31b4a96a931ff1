import { expect, test } from 'vitest'
import { changeOf, listChanges } from '../../src/desk/data/difference.ts'
import { showTerms } from '../../src/domain/margin/margin-terms.ts'
import { DEFAULT_MARGIN_POLICY } from '../../src/domain/margin/policy.ts'

const changed = (...given: Parameters<typeof listChanges>) =>
  listChanges(...given)
    .filter(({ isSame }) => !isSame)
    .map(({ term, from, to }) => `${term}: ${from?.text ?? null} → ${to?.text ?? null}`)

test('terms of a policy differ in the words and units of its page', () => {
  const before = { version: 0, ...showTerms(DEFAULT_MARGIN_POLICY) }
  const { tiers, haircuts } = before
  const after = {
    ...{ ...before, version: '3', effective_from: '2026-12-01T00:00:00.000Z' },
    ...{ critical_ltv: '0.82', dust_usd: '1500.00', preview: { sold: 3 } },
    tiers: (tiers ?? []).map((tier, at) => (at === 1 ? { ...tier, cure_hours: 13 } : tier)),
    haircuts: { ...haircuts, ETH: '0.125' },
  }
  expect(changed(before, after).toSorted()).toEqual([
    'Critical above: 83 % → 82 %',
    'Haircut ETH: 5 % → 12.5 %',
    'In force from: null → 2026-12-01T00:00:00.000Z',
    'Or if less would be left: 1000.00 → 1500.00',
    expect.stringMatching(/^Tier 2 hours to cure: \d+ → 13$/),
    'Version: 0 → 3',
  ])
})

test('a rule, a list and a state that was not there are told apart', () => {
  const rule = { allowed: true, rate: '0.095', max_limit_usd: null }
  expect(changed(null, rule)).toEqual(['May borrow: null → yes', 'Annual rate: null → 9.5 %'])
  expect(changed(rule, { ...rule, rate: null })).toEqual(['Annual rate: 9.5 % → null'])
  const names = [...'abcdefg'].map((name) => `fac_${name}`)
  expect(changed(null, { with_notice: names, without_notice: [] })).toEqual([
    'Stricter, with notice: null → fac_a, fac_b, fac_c, fac_d, fac_e and 2 more',
    'Nowhere stricter, immediately: null → none',
  ])
})

const changesOf = (record: Parameters<typeof changeOf>[0]) => {
  const { before, after } = changeOf(record)
  return changed(before, after)
}

test('what an amendment does not name stays as it was', () => {
  const before = { version: 2, rate: '0.095' }
  const after = { version: null, rate: '0.12', from: null, with_notice: ['fac_a'] }
  expect(changesOf({ action: 'facilities.amend', before, after })).toEqual([
    'Annual rate: 9.5 % → 12 %',
    'Stricter, with notice: null → fac_a',
  ])
  expect(changeOf({ action: 'residency.set', before, after })).toEqual({ before, after })
})

test('a correction changes what it names, and nothing of what was true before it', () => {
  const before = { state: 'APPROVED', principal_usd: '38000.00', rate: '0.1', entries: 1 }
  const after = { correction: 'credit', amount: { amount: '50.00', asset: 'USD' } }
  expect(changesOf({ action: 'facilities.correct', before, after })).toEqual([
    'Correction: null → credit',
    'Amount: null → 50.00',
  ])
})

test('a facility was on hold before its hold is lifted', () => {
  const before = { hold: 'pau_a', kind: 'dispute', since: null }
  expect(changesOf({ action: 'facilities.release', before, after: { on_hold: false } })).toEqual([
    'On hold: yes → no',
    'Hold: pau_a → null',
    'Kind: dispute → null',
  ])
})
