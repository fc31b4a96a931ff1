import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'
import { run } from './database-cli.ts'

const folder = createTemporaryFolder()
afterAll(() => folder[Symbol.dispose]())

let files = 0
function write(text: string, extension = 'csv'): string {
  files += 1
  const file = join(folder.path, `${files}.${extension}`)
  writeFileSync(file, text)
  return file
}

/** Hourly prices for so many days; a day's price holds all day. */
function hourly(...daily: number[]): string {
  const start = Date.parse('2026-01-01T00:00:00Z')
  const lines = daily.flatMap((usd, day) =>
    Array.from({ length: 24 }, (_, hour) => {
      const at = new Date(start + (day * 24 + hour) * 3_600_000)
      return `${at.toISOString()},${usd.toFixed(2)}`
    }),
  )
  return ['time,price', ...lines, ''].join('\n')
}

type Answer = {
  loans: number
  warned_loans_by_tier: Record<string, number>
  warnings: Record<string, number>
  margin_calls: Record<string, number>
  ends: Record<string, number>
  deficit_usd: string
  items: { opened_at: string; end: string; events: { at: string; kind: string }[] }[]
}

const start = (csv: string, ...rest: string[]) =>
  run(['margin', 'backtest', '--prices', write(csv), ...rest])

async function backtest(csv: string, ...rest: string[]): Promise<Answer> {
  const { exitCode, out, error } = await start(csv, ...rest, '--json')
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' })
  return JSON.parse(out)
}

async function refuse(csv: string, ...rest: string[]): Promise<string> {
  const { exitCode, out, error } = await start(csv, ...rest)
  expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
  return error
}

test('a backtest opens a loan a day and counts warnings, cures, sales, deficits and ends', async () => {
  const steady = await backtest(hourly(60_000, 60_000, 60_000, 60_000), '--days', '2')
  expect(steady).toMatchObject({
    loans: 4,
    warnings: { raised: 0 },
    ends: { repaid: 2, running: 2 },
  })
  expect(steady.items.map((loan) => loan.opened_at.slice(0, 10))).toEqual([
    ...['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04'],
  ])
  const recovered = await backtest(hourly(60_000, 42_000, 60_000, 60_000, 60_000))
  expect(recovered).toMatchObject({
    warned_loans_by_tier: { 1: 1, 2: 0, 3: 0 },
    warnings: { raised: 1, cured_by_price: 1, escalated_by_deadline: 0 },
    margin_calls: { partial: 0, full: 0, deficit: 0 },
  })
  const fallen = await backtest(hourly(60_000, 42_000, 42_000, 42_000, 42_000))
  expect(fallen).toMatchObject({
    warnings: { raised: 1, cured_by_price: 0, escalated_by_deadline: 1 },
    margin_calls: { partial: 1 },
  })
  expect(fallen.items[0]?.events.map(({ kind }) => kind)).toEqual(['raised', 'escalated', 'sold'])
  const crash = hourly(60_000, 60_000, 15_000, 15_000)
  expect(await backtest(crash, '--rate', '0')).toMatchObject({
    loans: 4,
    warned_loans_by_tier: { 1: 0, 2: 0, 3: 2 },
    warnings: { raised: 2, escalated_as_critical: 2 },
    margin_calls: { partial: 0, full: 0, deficit: 2 },
    // Twice 10,000.00 less 5,154.63, plus the fee on it.
    deficit_usd: '9896.94',
    ends: { repaid: 0, sold_off: 0, deficit: 2, running: 2 },
  })
  const { exitCode, out } = await start(crash, '--rate', '0')
  expect(exitCode).toBe(0)
  expect(out).toMatch(/^warned loans by tier 3 +2$/m)
  expect(out).toMatch(/^deficit usd +9896\.94\nlargest deficit usd +4948\.47$/m)
})

test('a backtest prints what a loan-year costs, the loss given default, the worst cohort and what the prices can prove', async () => {
  // Ten calm days, a crash, ten calm days at the low: four windows of five days and a part.
  const days = [...Array(10).fill(60_000), ...Array(12).fill(15_000)]
  const answer = await backtest(hourly(...days), '--rate', '0', '--days', '5')
  const risk = answer as unknown as Record<string, Record<string, unknown>>
  // Four loans were open when the fall had held for a minute, each sold for 5,154.63 less 103.10.
  expect(answer).toMatchObject({ margin_calls: { deficit: 4 }, deficit_usd: '19793.88' })
  expect(risk).toMatchObject({
    loss_given_default: '0.494847',
    defaults: { loans: 4, debt_usd: '40000.00' },
    cohorts: [{ month: '2026-01', loans: 22, warned: 4, sold: 4, deficits: 4 }],
    worst_cohort: { month: '2026-01', deficit_usd: '19793.88', loss: '0.089973' },
    confidence: {
      independent_windows: 4,
      with_sale: { windows: 1, share_from: 0.0063, share_to: 0.8059 },
      with_deficit: { windows: 1 },
    },
  })
  const { loan_years: years, a_loan_year: each } = risk as unknown as {
    loan_years: number
    a_loan_year: { warnings: number; sale_costs_usd: number }
  }
  expect(each.warnings).toBeCloseTo(4 / years, 1)
  expect(each.sale_costs_usd).toBeCloseTo((4 * 103.1) / years, -1)
})

test('a backtest reports how sales fill', async () => {
  const crash = hourly(60_000, 15_000, 10_000)
  const fills = '--fill next-hour-low --slippage 0.01 --delay 1440 --fee 0.03'.split(' ')
  const answer = await backtest(crash, '--rate', '0', ...fills)
  expect(answer).toMatchObject({
    fills: { price: 'next-hour-low', slippage: '0.01', delay_minutes: 1_440, fee: '0.03' },
    margin_calls: { deficit: 1 },
  })
  // 0.34364262 BTC at 9,900 less 3 %.
  expect(answer.items[0]?.events.at(-1)).toMatchObject({
    kind: 'sold',
    at: '2026-01-03T00:01:00.000Z',
    price_usd: '9900',
    gross_usd: '3402.06',
    costs_usd: '102.07',
  })
  const { out } = await start(crash, ...fills)
  expect(out).toMatch(/^fills price +next-hour-low\n.* 0\.01\n.* 1440\nfills fee +0\.03$/m)
})

test('a backtest draws its progress on the standard error and erases it at the end', async () => {
  const prices = write(hourly(60_000, 60_000))
  const watched = await run(['margin', 'backtest', '--prices', prices], { showsProgress: true })
  expect(watched.error).toMatch(/^\rPlaying prices: 2 %.*\rPlaying prices: 50 %/s)
  expect(watched.error.endsWith('\r\u001B[K')).toBe(true)
  const unwatched = await run(['margin', 'backtest', '--prices', prices])
  expect(unwatched).toEqual({ ...watched, error: '' })
})

describe('a price history', () => {
  test.each([
    ['unix seconds', '1767225600,60000\n1767312000,60000\n'],
    ['unix milliseconds', '1767225600000,60000\n1767312000000,60000\n'],
    ['dates', 'date,close\n2026-01-01,60000\n2026-01-02,60000\n'],
    ['times with a space', '2026-01-01 00:00:00 UTC,60000\r\n2026-01-02 00:00,60000.123456789\r\n'],
    ['newest first', '"2026-01-02","60000"\n"2026-01-01","60000"\n'],
  ])('a price history may have %s', async (_name, csv) => {
    const { loans, items } = await backtest(csv)
    expect(loans).toBe(2)
    expect(items[0]?.opened_at).toBe('2026-01-01T00:00:00.000Z')
  })

  test.each([
    ['', 'there are fewer than two prices.'],
    ['time,price\n2026-01-01,1\n', 'there are fewer than two prices.'],
    ['2026-01-01,1\nnonsense\n', 'line 2: not a time, a comma and a price.'],
    ['2026-01-01,1\n2026-01-02,1,2\n', 'line 2: not a time, a comma and a price.'],
    ['2026-01-01,1\nyesterday,1\n', 'line 2: not a valid time; write it as 2026-01-31T12:00:00Z'],
    ['2026-01-01,1\n2026-13-01,1\n', 'line 2: not a valid time'],
    ['2026-01-01,1\n2026-13-01T00:00:00Z,1\n', 'line 2: not a valid time'],
    ['2026-01-01,1\n2026-02-30T00:00:00Z,1\n', 'line 2: not a valid time'],
    ['2026-01-01,1\n2026-01-02,0\n', 'line 2: the price is not a plain decimal above 0.'],
    ['2025-01-01,1\n2025-01-01T00:00:00Z,abc\n', 'line 2: the price is not a plain decimal'],
    ['2026-01-01,1\n2026-01-02,-5\n', 'line 2: the price is not a plain decimal above 0.'],
    ['2026-01-01,1\n2026-01-02,1e5\n', 'line 2: the price is not a plain decimal above 0.'],
    ['2026-01-01,1\n2026-01-02,\n', 'line 2: the price is not a plain decimal above 0.'],
    [
      `2026-01-01,1\n2026-01-02,${'9'.repeat(19)}\n`,
      'line 2: the price is too large: at most 18 digits before the point.',
    ],
    ['2026-01-01,1\n2026-01-01,2\n', '2026-01-01T00:00:00.000Z has two prices.'],
  ])('a price history %j is refused: %s', async (csv, reason) => {
    expect(await refuse(csv)).toContain(`The price history cannot be used: ${reason}`)
  })
})

describe('a policy', () => {
  const fall = hourly(60_000, 42_000, 42_000, 42_000)
  const policy = (terms: object) => ['--policy', write(JSON.stringify(terms), 'json')]

  test('a policy file changes what it names and nothing else', async () => {
    const lenient = await backtest(
      fall,
      ...policy({
        floor_ltv: '0.72',
        tiers: [
          { above_ltv: '0.72', cure_hours: 48 },
          { above_ltv: '0.75', cure_hours: 12 },
          { above_ltv: '0.80', cure_hours: 2 },
        ],
      }),
    )
    expect(lenient.warnings).toMatchObject({ raised: 0 })
    expect((await backtest(fall, ...policy({}))).warnings).toMatchObject({ raised: 1 })
  })

  test.each([
    [{ floor_ltv: 0.7 }, 'floor_ltv: expected a decimal string. Example: "0.68".'],
    [
      { floor_ltv: '70 %' },
      'floor_ltv: invalid format. Expected a decimal string without sign, exponent or leading zeros. Example: "0.68"',
    ],
    [
      { floor_ltv: '0.7000001' },
      'floor_ltv: too precise. Expected at most 6 digits after the point.',
    ],
    [{ flor_ltv: '0.7' }, 'flor_ltv: unknown member. Allowed: `floor_ltv`, `cure_ltv`, `tiers`'],
    [{ foo: 1 }, 'The policy cannot be used: foo: unknown member. Allowed: `floor_ltv`'],
    [[], 'The policy cannot be used: expected an object.'],
    [{ confirm_seconds: 0.5 }, 'confirm_seconds: expected a whole number from 0 to 3600.'],
    [{ tiers: [] }, 'tiers: expected at least 3 items.'],
    [{ tiers: 3 }, 'tiers: expected a list.'],
    [
      { tiers: [0, 1, 2].map(() => ({ above_ltv: '0.7', cure_hours: 0 })) },
      'tiers.0.cure_hours: expected a number from 0.01 to 8760.',
    ],
    [{ cure_ltv: '0.75' }, 'floor_ltv (0.7) must be above cure_ltv (0.75).'],
    [{ target_ltv: '0.60' }, 'cure_ltv (0.6) must be above target_ltv (0.6).'],
    [{ critical_ltv: '0.80' }, 'critical_ltv (0.8) must be above the third tier (0.8).'],
    [{ target_ltv: '0' }, 'target_ltv must be above 0.'],
    [{ sale_fee: '1' }, 'sale_fee must be below 0.5.'],
  ])('a policy file %j is refused', async (terms, reason) => {
    expect(await refuse(fall, ...policy(terms))).toContain(reason)
  })

  test('a policy file as documented is accepted', async () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/backtest.md'), 'utf8')
    const example = /```json\n(.+?)```/s.exec(page)?.[1] ?? ''
    const answer = await backtest(fall, '--policy', write(example, 'json'))
    const deadline = answer.items[0]?.events[1]
    expect(deadline).toMatchObject({ kind: 'escalated', at: '2026-01-03T00:01:00.001Z' })
  })
})

test.each([
  [['--ltv', '0'], 'Expected a ratio above 0'],
  [['--ltv', '1'], 'Expected a ratio from 0 to below 1'],
  [['--limit', '0'], 'Expected an amount above 0'],
  [['--days', '0'], 'Expected a whole number of days from 1 to 3650'],
  [['--delay', '10081'], 'Expected a whole number of minutes from 0 to 10080'],
  [['--slippage', '1'], 'Expected a ratio from 0 to below 1'],
  [['--fill', 'open'], 'Allowed choices are close, next-hour-low'],
  [['--asset', 'DOGE'], 'Allowed choices are BTC, ETH'],
])('margin backtest with %j is a usage error, reported in one sentence', async (rest, reason) => {
  const { exitCode, out, error } = await start(hourly(60_000), ...rest)
  expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
  expect(error).toContain(reason)
})

test.each([
  [['--policy', '/nowhere/policy.json'], 'The policy cannot be read'],
  [['--policy', write('floor_ltv = 0.7', 'json')], 'The policy cannot be used: it is no JSON.'],
  [['--prices', '/nowhere/prices.csv'], 'The price history cannot be read: '],
])('margin backtest with %j is refused in one sentence', async (rest, reason) => {
  expect(await refuse(hourly(60_000), ...rest)).toContain(reason)
})
