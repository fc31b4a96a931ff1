import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Report } from '../../command-line/text.ts'
import { Refusal } from '../../core/errors.ts'
import { isMoneyAsset, PRICED_ASSETS, parseDecimal } from '../../core/money.ts'
import { ONE_PPM } from '../../core/ratio.ts'
import { DAY_MS, MINUTE_MS } from '../../core/time.ts'
import { runBacktest } from '../../domain/backtest/backtest.ts'
import type { BacktestRules, LoanTerms } from '../../domain/backtest/loan.ts'
import type { FillTerms } from '../../domain/backtest/prices.ts'
import { summarizeBacktest } from '../../domain/backtest/summary.ts'
import { DEFAULT_MARGIN_POLICY, DEFAULT_MARGIN_TERMS } from '../../domain/margin/policy.ts'
import type { CliIo } from '../command/cli-io.ts'
import { type CommonOptions, defineCommand, printReport } from '../command/define-command.ts'
import { reportBacktest } from './backtest-report.ts'
import { parsePriceHistory } from './price-history.ts'
import { readPolicyFile, readText } from './read-text.ts'

const RATIO_DIGITS = 6
const USD_DIGITS = 2
const MOST_DAYS = 3_650
const MOST_DELAY_MINUTES = 10_080

type BacktestOptions = CommonOptions & {
  prices: string
  policy?: string
  asset: string
  ltv: bigint
  limit: bigint
  rate: bigint
  days: number
  fill: FillTerms['price']
  slippage: bigint
  delay: number
  fee?: bigint
}

export function addBacktest(group: Command, io: CliIo): void {
  defineCommand(
    group,
    'backtest',
    'Play the margin ladder and its sales over a price history. Every day opens a loan that is drawn in full; its borrower does nothing until the term, then repays. Needs no database.',
    [
      'margin backtest --prices btc-hours.csv',
      'margin backtest --prices eth.csv --asset ETH --ltv 0.4 --policy stricter.json --json',
    ],
  )
    .requiredOption('--prices <file>', 'CSV of time,price: ISO 8601 UTC or unix time, and USD')
    .option('--policy <file>', "JSON of the margin terms that differ from the service's own")
    .addOption(
      new Option('--asset <code>', 'the collateral')
        .choices(PRICED_ASSETS.filter((asset) => !isMoneyAsset(asset)))
        .default('BTC'),
    )
    .addOption(
      new Option('--ltv <ratio>', 'debt over counted value at the opening')
        .argParser(readLtv)
        .default(500_000n, '0.5'),
    )
    .addOption(
      new Option('--limit <usd>', 'what each loan draws')
        .argParser(readLimit)
        .default(10_000_00n, '10000'),
    )
    .addOption(
      new Option('--rate <ratio>', 'annual interest')
        .argParser(readRatio)
        .default(100_000n, '0.10'),
    )
    .addOption(
      new Option('--days <number>', 'the term of each loan').argParser(readDays).default(90, '90'),
    )
    .addOption(
      new Option('--fill <price>', 'the price at which sales fill')
        .choices(['close', 'next-hour-low'])
        .default('close'),
    )
    .addOption(
      new Option('--slippage <ratio>', 'off the price of each sale')
        .argParser(readRatio)
        .default(0n, '0'),
    )
    .addOption(
      new Option('--delay <minutes>', 'from an escalation to its sale')
        .argParser(readDelay)
        .default(0, '0'),
    )
    .addOption(
      new Option('--fee <ratio>', 'costs of a sale; the planned fee by default').argParser(
        readRatio,
      ),
    )
    .action((options: BacktestOptions) => printReport(io, options, backtest(io, options)))
}

function backtest(io: CliIo, options: BacktestOptions): Report {
  const points = parsePriceHistory(readText(options.prices, 'price history'))
  const { policy, haircuts } =
    options.policy === undefined
      ? DEFAULT_MARGIN_TERMS
      : readPolicyFile(options.policy, DEFAULT_MARGIN_POLICY)
  const haircutPpm = haircuts.get(options.asset) ?? ONE_PPM
  if (haircutPpm >= ONE_PPM) {
    const detail = `${options.asset} counts for nothing under this policy: nothing can be lent against it.`
    throw new Refusal('validation_failed', detail)
  }
  const terms: LoanTerms = {
    ...{ asset: options.asset, haircutPpm },
    ltvPpm: options.ltv,
    limitCents: options.limit,
    ratePpm: options.rate,
    termMs: options.days * DAY_MS,
  }
  const fills: FillTerms = {
    price: options.fill,
    slippagePpm: options.slippage,
    delayMs: options.delay * MINUTE_MS,
    feePpm: options.fee,
  }
  const rules: BacktestRules = { terms, policy, fills }
  const histories = runBacktest(points, rules, progressOf(io, points.length))
  const [fromMs, toMs] = [points[0]?.atMs ?? 0, points.at(-1)?.atMs ?? 0]
  const summary = summarizeBacktest({ histories, fromMs, toMs }, terms)
  return reportBacktest({ points, rules, histories, summary })
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

function readDays(text: string): number {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (days >= 1 && days <= MOST_DAYS) return days
  throw new InvalidArgumentError(`Expected a whole number of days from 1 to ${MOST_DAYS}.`)
}

function readDelay(text: string): number {
  const minutes = /^\d{1,5}$/.test(text) ? Number(text) : -1
  if (minutes >= 0 && minutes <= MOST_DELAY_MINUTES) return minutes
  throw new InvalidArgumentError(
    `Expected a whole number of minutes from 0 to ${MOST_DELAY_MINUTES}.`,
  )
}
