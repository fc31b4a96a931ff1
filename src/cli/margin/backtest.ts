import { InvalidArgumentError } from 'commander'
import { Refusal } from '../../core/errors.ts'
import { isMoneyAsset, PRICED_ASSETS, parseDecimal } from '../../core/money.ts'
import { ONE_PPM } from '../../core/ratio.ts'
import { DAY_MS, MINUTE_MS } from '../../core/time.ts'
import { runBacktest } from '../../domain/backtest/backtest.ts'
import type { BacktestRules } from '../../domain/backtest/loan.ts'
import { summarizeBacktest } from '../../domain/backtest/summary.ts'
import { DEFAULT_MARGIN_POLICY, DEFAULT_MARGIN_TERMS } from '../../domain/margin/policy.ts'
import type { CliIo } from '../command/cli-io.ts'
import { type CliCommand, command } from '../command/commands.ts'
import type { Answer } from '../command/output.ts'
import { type Given, optional, required, withDefault } from '../command/parameters.ts'
import { answerBacktest } from './backtest-answer.ts'
import { parsePriceHistory } from './price-history.ts'
import { readPolicyFile, readText } from './read-text.ts'

const RATIO_DIGITS = 6
const USD_DIGITS = 2

const BACKTEST = {
  prices: required('--prices <file>', 'CSV of time,price: ISO 8601 UTC or unix time, and USD'),
  policy: optional(
    '--policy <file>',
    "JSON of the margin terms that differ from the service's own",
  ),
  asset: withDefault(
    optional(
      '--asset <code>',
      'the collateral',
      PRICED_ASSETS.filter((asset) => !isMoneyAsset(asset)),
    ),
    'BTC',
  ),
  ltvPpm: withDefault(
    optional('--ltv <ratio>', 'debt over counted value at the opening', readLtv),
    500_000n,
    '0.5',
  ),
  limitCents: withDefault(
    optional('--limit <usd>', 'what each loan draws', readLimit),
    10_000_00n,
    '10000',
  ),
  ratePpm: withDefault(optional('--rate <ratio>', 'annual interest', readRatio), 100_000n, '0.10'),
  days: withDefault(
    optional('--days <number>', 'the term of each loan', readCount('days', [1, 3_650])),
    90,
  ),
  fill: withDefault(
    optional('--fill <price>', 'the price at which sales fill', [
      'close',
      'next-hour-low',
    ] as const),
    'close',
  ),
  slippagePpm: withDefault(
    optional('--slippage <ratio>', 'off the price of each sale', readRatio),
    0n,
    '0',
  ),
  delay: withDefault(
    optional(
      '--delay <minutes>',
      'from an escalation to its sale',
      readCount('minutes', [0, 10_080]),
    ),
    0,
  ),
  feePpm: optional('--fee <ratio>', 'costs of a sale; the planned fee by default', readRatio),
}

export const BACKTEST_COMMANDS: CliCommand[] = [
  command({
    name: 'margin backtest',
    about:
      'Play the margin ladder and its sales over a price history. Every day opens a loan that is drawn in full; its borrower does nothing until the term, then repays. Needs no database.',
    examples: [
      'margin backtest --prices btc-hours.csv',
      'margin backtest --prices eth.csv --asset ETH --ltv 0.4 --policy stricter.json --json',
    ],
    takes: BACKTEST,
    run: async (io, given) => backtest(io, given),
  }),
]

function backtest(io: CliIo, given: Given<typeof BACKTEST>): Answer {
  const { asset, ltvPpm, limitCents, ratePpm, slippagePpm, feePpm } = given
  const points = parsePriceHistory(readText(given.prices, 'price history'))
  const { policy, haircuts } =
    given.policy === undefined
      ? DEFAULT_MARGIN_TERMS
      : readPolicyFile(given.policy, DEFAULT_MARGIN_POLICY)
  const haircutPpm = haircuts.get(asset) ?? ONE_PPM
  if (haircutPpm >= ONE_PPM) {
    const detail = `${asset} counts for nothing under this policy: nothing can be lent against it.`
    throw new Refusal('validation_failed', detail)
  }
  const rules: BacktestRules = {
    policy,
    terms: { asset, haircutPpm, ltvPpm, limitCents, ratePpm, termMs: given.days * DAY_MS },
    fills: { price: given.fill, slippagePpm, delayMs: given.delay * MINUTE_MS, feePpm },
  }
  const histories = runBacktest(points, rules, progressOf(io, points.length))
  const [fromMs, toMs] = [points[0]?.atMs ?? 0, points.at(-1)?.atMs ?? 0]
  const summary = summarizeBacktest({ histories, fromMs, toMs }, rules.terms)
  return answerBacktest({ points, rules, histories, summary })
}

function progressOf(io: CliIo, total: number): (played: number) => void {
  if (!io.showsProgress) return () => undefined
  let shown = -1
  return (played) => {
    const percent = Math.floor((played * 100) / total)
    if (percent === shown) return
    shown = percent
    io.writeError(played === total ? '\r\u001B[K' : `\rPlaying prices: ${percent} %`)
  }
}

function readRatio(text: string): bigint {
  const ppm = parseDecimal(text, RATIO_DIGITS)
  if (ppm !== undefined && ppm < ONE_PPM) return ppm
  throw new InvalidArgumentError('Expected a ratio from 0 to below 1, such as 0.5.')
}

function readLtv(text: string): bigint {
  const ppm = readRatio(text)
  if (ppm > 0n) return ppm
  throw new InvalidArgumentError('Expected a ratio above 0, such as 0.5.')
}

function readLimit(text: string): bigint {
  const cents = parseDecimal(text, USD_DIGITS)
  if (cents !== undefined && cents > 0n) return cents
  throw new InvalidArgumentError('Expected an amount above 0, such as 10000 or 10000.00.')
}

function readCount(what: string, [least, most]: [number, number]): (text: string) => number {
  return (text) => {
    const count = /^\d{1,5}$/.test(text) ? Number(text) : -1
    if (count >= least && count <= most) return count
    throw new InvalidArgumentError(`Expected a whole number of ${what} from ${least} to ${most}.`)
  }
}
