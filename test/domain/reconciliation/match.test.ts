import { expect, test } from 'vitest'
import { addDays } from '../../../src/core/time.ts'
import {
  type BreakKind,
  type Line,
  type Movement,
  matchBalances,
  matchTransfers,
} from '../../../src/domain/reconciliation/match.ts'

const FIRST = '2026-11-01'
const DAYS = 30

/** The same numbers for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** A movement of each kind, with the line that a bank lists of it within its days. */
function cleanMonth(random: (below: number) => number, count: number) {
  const lines: Line[] = []
  const movements: Movement[] = []
  for (let n = 0; n < count; n += 1) {
    const kind = ['drw', 'rep', 'rfd', 'fac'][random(4)] ?? 'drw'
    const isReturn = random(5) === 0
    const key = `${isReturn ? 'return/' : ''}${kind}_${n}${kind === 'fac' ? '/sale/1/1' : ''}`
    const start = random(DAYS - 3)
    const to = addDays(FIRST, start + random(3))
    const from = addDays(FIRST, start)
    const units = BigInt(1 + random(9_000_000)) * (random(2) === 0 ? 1n : -1n)
    const amount = { asset: random(4) === 0 ? 'USDC' : 'USD', units }
    const span = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
    const day = addDays(from, random(span + 1))
    const isClipped = kind === 'rep' && !isReturn && random(4) === 0
    movements.push({ key, facilityId: 'fac_1', amount, from: isClipped ? undefined : from, to })
    lines.push({ transferId: `t${n}`, key, amount, day })
  }
  // Paid and come back before anyone here knew: nothing is booked.
  for (let n = 0; n < count / 20; n += 1) {
    const day = addDays(FIRST, random(DAYS - 8))
    const amount = { asset: 'USD', units: BigInt(-1 - random(1_000)) }
    const back = { asset: 'USD', units: -amount.units }
    lines.push({ transferId: `u${n}`, key: `drw_u${n}`, amount, day })
    lines.push({ transferId: `v${n}`, key: `return/drw_u${n}`, amount: back, day: addDays(day, 5) })
  }
  return { lines, movements }
}

function compareMonth(month: { lines: Line[]; movements: Movement[] }): string[] {
  return Array.from({ length: DAYS + 6 }, (_, n) => addDays(FIRST, n))
    .flatMap((day) => matchTransfers(day, month).findings)
    .map(({ kind, itemId }) => `${kind} ${itemId}`)
    .sort()
}

test('a month in which bank and books agree has no break', () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    expect(compareMonth(cleanMonth(randomOf(seed), 400))).toEqual([])
  }
})

test('each of 200 planted breaks is found as what it is, and nothing else', () => {
  for (let seed = 1; seed <= 5; seed += 1) {
    const random = randomOf(seed)
    const month = cleanMonth(random, 1_000)
    const planted: string[] = []
    const plant = (kind: BreakKind, itemId: string) => planted.push(`${kind} ${itemId}`)
    for (let n = 0; n < 200; n += 1) {
      const line = month.lines[n]
      const movement = month.movements[n]
      if (!line || !movement) throw new Error('too few')
      switch (n % 4) {
        case 0:
          month.movements[n] = { ...movement, key: 'gone', to: '', from: '' }
          plant('missing_here', line.transferId)
          break
        case 1:
          month.lines[n] = { ...line, transferId: 'gone', key: 'gone', day: '' }
          plant('missing_there', movement.key)
          break
        case 2: {
          const by = BigInt(1 + random(3)) * (random(2) === 0 ? 1n : -1n)
          const units = line.amount.units + by === 0n ? 1n : line.amount.units + by
          const changed = random(3) === 0 ? { asset: 'BTC', units } : { ...line.amount, units }
          month.lines[n] = { ...line, amount: changed }
          plant('other_amount', movement.key)
          break
        }
        default:
          month.lines[n] = { ...line, day: addDays(movement.to, 1 + random(3)) }
          plant('other_day', movement.key)
      }
    }
    month.lines = month.lines.filter(({ transferId }) => transferId !== 'gone')
    month.movements = month.movements.filter(({ key }) => key !== 'gone')
    expect(compareMonth(month)).toEqual(planted.sort())
  }
})

test('a payout that the bank made twice is missing here once', () => {
  const amount = { asset: 'USD', units: -5n }
  const movement = { key: 'drw_1', facilityId: 'fac_1', amount, from: FIRST, to: FIRST }
  const lines = ['a', 'b'].map((transferId) => ({ transferId, key: 'drw_1', amount, day: FIRST }))
  const { findings, unmatched } = matchTransfers(FIRST, { lines, movements: [movement] })
  expect(findings).toMatchObject([{ kind: 'missing_here', itemId: 'b' }])
  expect(unmatched).toMatchObject([{ kind: 'missing_here', itemId: 'b' }])
})

test('a balance that does not follow from the day before and the transfers is another amount', () => {
  const usd = (units: bigint) => [{ asset: 'USD', units }]
  const given = { before: usd(100n), moved: [...usd(-30n), ...usd(7n)] }
  expect(matchBalances(FIRST, { ...given, after: usd(77n) })).toEqual([])
  expect(matchBalances(FIRST, { ...given, after: usd(78n) })).toMatchObject([
    { kind: 'other_amount', itemId: 'balance/USD', ours: { units: '77' }, theirs: { units: '78' } },
  ])
  // An asset that the account did not have begins there.
  expect(matchBalances(FIRST, { before: [], moved: [], after: usd(5n) })).toEqual([])
})
