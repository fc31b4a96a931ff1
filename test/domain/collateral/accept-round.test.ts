import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addMs } from '../../../src/core/time.ts'
import {
  acceptRound,
  type PendingPrice,
  type Quote,
  ROUND_POLICY,
  type RoundOutcome,
} from '../../../src/domain/collateral/accept-round.ts'
import { ONE_USD, type Prices } from '../../../src/domain/collateral/prices.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const DOLLAR = 100_000_000n

type Given = { last?: bigint; pending?: PendingPrice; now?: Date }

function evaluate(
  quotes: readonly Quote[],
  { last, pending, now = NOW }: Given = {},
): RoundOutcome {
  const lastPrices: Prices = new Map(last === undefined ? [] : [['BTC', { price: last, at: NOW }]])
  const facts = {
    quotes: new Map([['BTC', quotes]]),
    last: lastPrices,
    pending: new Map(pending ? [['BTC', pending]] : []),
    now,
  }
  return acceptRound(facts, ROUND_POLICY)
}

/** The sources a, b, c… quoting these dollars at `at`. */
function quotesOf(dollars: readonly number[], at = NOW): Quote[] {
  return dollars.map((amount, index) => ({
    source: String.fromCharCode(97 + index),
    price: BigInt(amount) * DOLLAR,
    at,
  }))
}

/** The accepted price in 10^-8 USD, or why there is none. */
function result(outcome: RoundOutcome) {
  return outcome.accepted.get('BTC')?.price ?? outcome.refused.get('BTC')
}

describe('sources that agree', () => {
  test.each([
    ['three that agree: the middle one', [100, 101, 99], 100],
    ['two that agree: halfway', [100, 102], 101],
    ['one far off of three does not count', [100, 102, 150], 101],
    ['far below neither', [50, 100, 102], 101],
  ])('of the sources of a round, %s', (_name, dollars, expected) => {
    expect(result(evaluate(quotesOf(dollars)))).toBe(BigInt(expected) * DOLLAR)
  })

  test('a source exactly 2 % off the median counts, a hundred-millionth more does not', () => {
    const [low, middle] = quotesOf([100, 100])
    const high = (price: bigint): Quote => ({ source: 'c', price, at: NOW })
    const counted = (price: bigint) =>
      evaluate([low, middle, high(price)] as Quote[])
        .accepted.get('BTC')
        ?.quotes.map(({ source }) => source)
    expect(counted(102n * DOLLAR)).toEqual(['a', 'b', 'c'])
    expect(counted(102n * DOLLAR + 1n)).toEqual(['a', 'b'])
  })

  test('half a hundred-millionth of a price is rounded down', () => {
    const quotes = [3n, 4n].map((price, index) => ({
      source: String(index),
      price: price + 100n * DOLLAR,
      at: NOW,
    }))
    expect(result(evaluate(quotes))).toBe(100n * DOLLAR + 3n)
  })

  test.each([
    ['no source', [], 'too_few_sources'],
    ['one source', [100], 'too_few_sources'],
    ['two that differ too much', [100, 105], 'no_agreement'],
    ['three that differ too much', [100, 110, 120], 'no_agreement'],
  ])('a round with %s makes no price', (_name, dollars, reason) => {
    expect(result(evaluate(quotesOf(dollars)))).toBe(reason)
  })

  test.each([
    ['60 s old counts', -60_000, 101],
    ['a millisecond older does not', -60_001, 100],
    ['60 s ahead counts', 60_000, 101],
    ['a millisecond further ahead does not', 60_001, 100],
  ])('a source with a quote %s', (_name, ageMs, expected) => {
    const [stale] = quotesOf([102], addMs(NOW, ageMs))
    const fresh = quotesOf([0, 99, 101]).slice(1)
    expect(result(evaluate([stale as Quote, ...fresh]))).toBe(BigInt(expected) * DOLLAR)
  })

  test('a dollar is a dollar, whatever the sources quote for it', () => {
    const facts = { last: new Map(), pending: new Map(), now: NOW }
    const quotes = new Map([['USD', quotesOf([2, 2, 2])]])
    expect(acceptRound({ ...facts, quotes }, ROUND_POLICY).accepted.get('USD')?.price).toBe(ONE_USD)
  })
})

describe('a move of over 10 % from the last accepted price', () => {
  const last = 100n * DOLLAR

  test('a move of exactly 10 % from the last accepted price is accepted at once', () => {
    expect(result(evaluate(quotesOf([110, 110]), { last }))).toBe(110n * DOLLAR)
    expect(result(evaluate(quotesOf([90, 90]), { last }))).toBe(90n * DOLLAR)
  })

  test('a move of over 10 % is accepted at once when all three sources show it', () => {
    expect(result(evaluate(quotesOf([50, 50, 51]), { last }))).toBe(50n * DOLLAR)
  })

  test('a move of over 10 % waits when two sources show it, and is accepted when two still do 60 s later', () => {
    const first = evaluate(quotesOf([80, 80, 100]), { last })
    expect(result(first)).toBe('unconfirmed_move')
    const pending = first.pending.get('BTC')
    expect(pending).toEqual({ price: 80n * DOLLAR, since: NOW })

    const at = (ms: number, dollars: number[]) => {
      const now = addMs(NOW, ms)
      return evaluate(quotesOf(dollars, now), { last, now, ...(pending && { pending }) })
    }
    expect(result(at(59_999, [80, 80]))).toBe('unconfirmed_move')
    expect(at(59_999, [80, 80]).pending.get('BTC')).toEqual(pending)
    const confirmed = at(60_000, [78, 78])
    expect(result(confirmed)).toBe(78n * DOLLAR)
    expect(confirmed.pending.size).toBe(0)
  })

  test('a waiting move starts to wait again when the price jumps on from where it was', () => {
    const pending = { price: 80n * DOLLAR, since: addMs(NOW, -60_000) }
    const outcome = evaluate(quotesOf([20, 20]), { last, pending })
    expect(result(outcome)).toBe('unconfirmed_move')
    expect(outcome.pending.get('BTC')).toEqual({ price: 20n * DOLLAR, since: NOW })
  })

  test('a waiting move is dropped once two sources agree on a price near the last one', () => {
    const pending = { price: 80n * DOLLAR, since: addMs(NOW, -60_000) }
    const outcome = evaluate(quotesOf([99, 99, 80]), { last, pending })
    expect(result(outcome)).toBe(99n * DOLLAR)
    expect(outcome.pending.size).toBe(0)
  })

  test('a waiting move is neither confirmed nor dropped by a round without agreement', () => {
    const pending = { price: 80n * DOLLAR, since: addMs(NOW, -90_000) }
    for (const dollars of [[80], [80, 100], []]) {
      const outcome = evaluate(quotesOf(dollars), { last, pending })
      expect(outcome.accepted.has('BTC')).toBe(false)
      expect(outcome.pending.get('BTC')).toBe(pending)
    }
  })
})

describe('for any quotes', () => {
  const price = fc.oneof(
    fc.bigInt(1n, 10n ** 16n),
    // Often near each other, so that agreement is common.
    fc.bigInt(95n * DOLLAR, 105n * DOLLAR),
  )
  const ageMs = fc.oneof(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 0, max: 200_000 }))
  const quote = fc
    .record({ price, ageMs })
    .map((row) => ({ price: row.price, at: addMs(NOW, -row.ageMs) }))
  const quotes = fc
    .array(quote, { maxLength: 5 })
    .map((rows) => rows.map((row, index): Quote => ({ source: `s${index}`, ...row })))
  const given = fc.record(
    {
      last: price,
      pending: fc.record({ price, since: ageMs.map((age) => addMs(NOW, -age)) }),
    },
    { requiredKeys: [] },
  )

  test('for any quotes, an accepted price lies between those it was made from, at least two and all fresh', () => {
    fc.assert(
      fc.property(quotes, given, (rows, state) => {
        const accepted = evaluate(rows, state).accepted.get('BTC')
        if (!accepted) return
        const prices = accepted.quotes.map((row) => row.price)
        expect(accepted.quotes.length).toBeGreaterThanOrEqual(2)
        expect(rows).toEqual(expect.arrayContaining([...accepted.quotes]))
        expect(accepted.quotes.every(({ at }) => at >= addMs(NOW, -60_000))).toBe(true)
        expect(prices.some((one) => one <= accepted.price)).toBe(true)
        expect(prices.some((one) => one >= accepted.price)).toBe(true)
      }),
    )
  })

  test('for any quotes, the order of the sources is irrelevant', () => {
    const shuffled = quotes.chain((rows) =>
      fc.tuple(
        fc.constant(rows),
        fc.shuffledSubarray(rows, { minLength: rows.length, maxLength: rows.length }),
      ),
    )
    fc.assert(
      fc.property(shuffled, given, ([rows, others], state) => {
        const [one, other] = [evaluate(rows, state), evaluate(others, state)]
        expect(result(other)).toBe(result(one))
        expect(other.pending).toEqual(one.pending)
      }),
    )
  })

  test('for any quotes, a stale source changes nothing', () => {
    const stale = fc.record({ price, ageMs: fc.integer({ min: 60_001, max: 10 ** 9 }) })
    fc.assert(
      fc.property(quotes, stale, given, (rows, late, state) => {
        const added = { source: 'late', price: late.price, at: addMs(NOW, -late.ageMs) }
        expect(evaluate([...rows, added], state)).toEqual(evaluate(rows, state))
      }),
    )
  })

  test('one wrong source of three never moves the price beyond the two that agree', () => {
    const honest = fc
      .tuple(fc.bigInt(1_000n, 10n ** 16n), fc.bigInt(0n, 20_000n))
      .map(([low, ppm]) => [low, low + (low * ppm) / 1_000_000n] as const)
    fc.assert(
      fc.property(honest, price, fc.nat(2), given, ([low, high], wrong, place, state) => {
        const rows = [low, high].map((one, index) => ({ source: `s${index}`, price: one, at: NOW }))
        rows.splice(place, 0, { source: 'wrong', price: wrong, at: NOW })
        const outcome = result(evaluate(rows, state))
        // Only the wait for a jump to be confirmed may stand in its way.
        if (typeof outcome !== 'bigint') {
          expect(outcome).toBe('unconfirmed_move')
          return
        }
        expect(outcome >= low && outcome <= high).toBe(true)
      }),
    )
  })

  test('for any quotes there is either a price or a reason, and only a price that waits is kept', () => {
    fc.assert(
      fc.property(quotes, given, (rows, state) => {
        const { accepted, refused, pending } = evaluate(rows, state)
        expect(accepted.has('BTC')).toBe(!refused.has('BTC'))
        if (accepted.has('BTC')) expect(pending.has('BTC')).toBe(false)
        if (refused.get('BTC') === 'unconfirmed_move') expect(pending.has('BTC')).toBe(true)
      }),
    )
  })

  test('for any quotes, a price within 10 % of the last one never waits', () => {
    fc.assert(
      fc.property(quotes, price, (rows, last) => {
        const accepted = evaluate(rows).accepted.get('BTC')
        if (!accepted) return
        const move = accepted.price > last ? accepted.price - last : last - accepted.price
        const outcome = evaluate(rows, { last })
        if (move * 10n <= last) expect(result(outcome)).toBe(accepted.price)
        else if (accepted.quotes.length < 3) expect(result(outcome)).toBe('unconfirmed_move')
      }),
    )
  })
})
