import { formatDecimal, formatUsd } from '../../core/money.ts'
import { DAY_MS } from '../../core/time.ts'
import type { BacktestRules, LoanEvent, LoanHistory } from '../../domain/backtest/loan.ts'
import type { LtvSample } from '../../domain/backtest/ltv-samples.ts'
import type { PricePoint } from '../../domain/backtest/prices.ts'
import { drawLoss, drawLtv, PANEL_HEIGHT, type Panel } from './backtest-panels.ts'

const WIDTH = 1_200
const HEIGHT = 620
const LEFT = 84
const RIGHT = 24
const TOP = 108
const BOTTOM = 44
/** Two panels below the prices. */
const GAP = 40
const FULL_HEIGHT = HEIGHT + 2 * (PANEL_HEIGHT + GAP) + 16
const INNER_WIDTH = WIDTH - LEFT - RIGHT
const INNER_HEIGHT = HEIGHT - TOP - BOTTOM
/** Marks of one kind that fall into so many pixels are drawn as one, larger. */
const BUCKET_PX = 8

type MarkKind = 'tier 1' | 'tier 2' | 'tier 3' | 'cured' | 'sold' | 'deficit'

/** Warnings point down at the price from above, their ends up from below. */
const MARKS: Record<MarkKind, { label: string; colour: string; isAbove: boolean }> = {
  'tier 1': { label: 'warned, tier 1', colour: '#d99a00', isAbove: true },
  'tier 2': { label: 'tier 2', colour: '#d95f02', isAbove: true },
  'tier 3': { label: 'tier 3', colour: '#c1121f', isAbove: true },
  cured: { label: 'cured by price', colour: '#2a9d5c', isAbove: false },
  sold: { label: 'sold', colour: '#5b2a86', isAbove: false },
  deficit: { label: 'sold at a deficit', colour: '#111111', isAbove: false },
}

type Scale = { x: (atMs: number) => number; y: (price: number) => number }

export type Backtest = {
  points: readonly PricePoint[]
  histories: readonly LoanHistory[]
  rules: BacktestRules
  ltvSamples: readonly LtvSample[]
}

export function drawBacktest(backtest: Backtest): string {
  const { points, histories, rules } = backtest
  const { terms } = rules
  const line = points.map(({ atMs, price }) => ({ atMs, usd: dollarsOf(price) }))
  const ticks = niceTicks(line.map(({ usd }) => usd))
  const scale = scaleOf(points, ticks)
  const marks = histories.flatMap(({ events }) => events.flatMap((event) => markOf(event) ?? []))
  const subtitle = `${histories.length} loans of ${formatUsd(terms.limitCents)} USD at LTV ${formatDecimal(terms.ltvPpm, 6)}, one a day, ${terms.termMs / DAY_MS} days each`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${FULL_HEIGHT}" width="${WIDTH}" height="${FULL_HEIGHT}" font-family="system-ui, 'DejaVu Sans', sans-serif" font-size="13" fill="#222222">`,
    `<rect width="${WIDTH}" height="${FULL_HEIGHT}" fill="#ffffff"/>`,
    `<text x="${LEFT}" y="34" font-size="20" font-weight="600">Margin ladder over ${terms.asset}</text>`,
    `<text x="${LEFT}" y="56" fill="#666666">${subtitle}</text>`,
    ...drawLegend(marks),
    ...ticks.map((usd) => drawPriceTick(usd, scale)),
    ...timeTicks(points).map((tick) => drawTimeTick(tick, scale)),
    `<path d="${pathOf(line, scale)}" fill="none" stroke="#3a6ea5" stroke-width="1.3" stroke-linejoin="round"/>`,
    ...drawMarks(marks, scale),
    ...drawLtv(backtest.ltvSamples, rules.policy, panelAt(HEIGHT + GAP, scale)),
    ...drawLoss(histories, terms, panelAt(HEIGHT + 2 * GAP + PANEL_HEIGHT, scale)),
    '</svg>',
    '',
  ].join('\n')
}

function panelAt(top: number, { x }: Scale): Panel {
  return { top, left: LEFT, right: WIDTH - RIGHT, x }
}

/** For drawing alone: a pixel needs no exact price. */
function dollarsOf(price: bigint): number {
  return Number(price) / 1e8
}

function scaleOf(points: readonly PricePoint[], ticks: readonly number[]): Scale {
  const [from, to] = [points[0]?.atMs ?? 0, points.at(-1)?.atMs ?? 1]
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1]
  return {
    x: (atMs) => LEFT + ((atMs - from) / Math.max(1, to - from)) * INNER_WIDTH,
    y: (usd) => TOP + INNER_HEIGHT - ((usd - low) / (high - low)) * INNER_HEIGHT,
  }
}

/** Round prices about as many as fit, the first and the last enclosing all. */
function niceTicks(prices: readonly number[]): number[] {
  const low = prices.reduce((a, b) => Math.min(a, b))
  const high = prices.reduce((a, b) => Math.max(a, b))
  const rough = Math.max(high - low, high / 100) / 6
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough
  const first = Math.floor(low / step)
  const count = Math.max(1, Math.ceil(high / step) - first)
  return Array.from({ length: count + 1 }, (_, index) => (first + index) * step)
}

/** Month beginnings, thinned out; days where the history is shorter than that. */
function timeTicks(points: readonly PricePoint[]): { atMs: number; label: string }[] {
  const [from, to] = [points[0]?.atMs ?? 0, points.at(-1)?.atMs ?? 0]
  const isShort = to - from < 90 * DAY_MS
  const first = new Date(from)
  const dates: Date[] = []
  for (let index = 1; ; index += 1) {
    const [month, day] = isShort ? [0, first.getUTCDate() + index] : [index, 1]
    const at = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + month, day))
    if (at.getTime() > to) break
    dates.push(at)
  }
  const every = Math.ceil(dates.length / 12)
  return dates
    .filter((_, index) => index % every === 0)
    .map((at) => ({ atMs: at.getTime(), label: at.toISOString().slice(0, isShort ? 10 : 7) }))
}

/** Lowest and highest price of each pixel: no dip is lost, however long the history. */
function pathOf(line: readonly { atMs: number; usd: number }[], { x, y }: Scale): string {
  const columns = new Map<number, { low: number; high: number; last: number }>()
  for (const { atMs, usd } of line) {
    const column = Math.round(x(atMs))
    const { low = usd, high = usd } = columns.get(column) ?? {}
    columns.set(column, { low: Math.min(low, usd), high: Math.max(high, usd), last: usd })
  }
  const corners = [...columns].flatMap(([column, { low, high, last }]) =>
    [...new Set([high, low, last])].map((usd) => `${column} ${round(y(usd))}`),
  )
  return `M${corners.join('L')}`
}

type Mark = { kind: MarkKind; atMs: number; usd: number }

function markOf(event: LoanEvent): Mark | undefined {
  const kind = markKindOf(event)
  if (!kind) return undefined
  return { kind, atMs: event.at.getTime(), usd: dollarsOf(event.price) }
}

function markKindOf(event: LoanEvent): MarkKind | undefined {
  switch (event.kind) {
    case 'raised':
    case 'worsened':
      return `tier ${event.tier}`
    case 'cured':
      return 'cured'
    case 'sold':
      if (event.outcome === 'not_needed') return undefined
      return event.outcome === 'deficit' ? 'deficit' : 'sold'
    case 'escalated':
      return undefined
    default: {
      const unreachable: never = event
      return unreachable
    }
  }
}

function drawMarks(marks: readonly Mark[], { x, y }: Scale): string[] {
  const groups = new Map<string, { mark: Mark; count: number }>()
  for (const mark of marks) {
    const key = `${mark.kind} ${Math.round(x(mark.atMs) / BUCKET_PX)} ${Math.round(y(mark.usd) / BUCKET_PX)}`
    groups.set(key, {
      mark: groups.get(key)?.mark ?? mark,
      count: (groups.get(key)?.count ?? 0) + 1,
    })
  }
  return [...groups.values()].map(({ mark, count }) => {
    const size = Math.min(12, 4 + Math.sqrt(count))
    const title = `${MARKS[mark.kind].label}: ${count}, ${new Date(mark.atMs).toISOString().slice(0, 16)}`
    return drawMark(mark.kind, { x: x(mark.atMs), y: y(mark.usd), size }, title)
  })
}

/** A triangle whose tip is at the price. */
function drawMark(
  kind: MarkKind,
  { x, y, size }: { x: number; y: number; size: number },
  title: string,
): string {
  const { colour, isAbove } = MARKS[kind]
  const tip = y + (isAbove ? -3 : 3)
  const base = tip + (isAbove ? -1.7 : 1.7) * size
  const corners = [
    [x, tip],
    [x - size, base],
    [x + size, base],
  ]
  const path = corners.map((corner) => corner.map(round).join(' ')).join('L')
  return `<path d="M${path}Z" fill="${colour}" fill-opacity="0.8" stroke="#ffffff" stroke-width="0.7"><title>${title}</title></path>`
}

function drawLegend(marks: readonly Mark[]): string[] {
  let x = LEFT + 6
  return Object.entries(MARKS).flatMap(([kind, { label, isAbove }]) => {
    const text = `${label}: ${marks.filter((mark) => mark.kind === kind).length}`
    const mark = drawMark(kind as MarkKind, { x, y: isAbove ? 89 : 74, size: 5.5 }, label)
    const drawn = [mark, `<text x="${x + 12}" y="86">${text}</text>`]
    x += 40 + text.length * 7.4
    return drawn
  })
}

function drawPriceTick(usd: number, { y }: Scale): string {
  const at = round(y(usd))
  const label = usd.toLocaleString('en-US', { maximumFractionDigits: usd < 10 ? 4 : 2 })
  return `<path d="M${LEFT} ${at}H${WIDTH - RIGHT}" stroke="#e6e6e6"/><text x="${LEFT - 10}" y="${at + 4}" text-anchor="end" fill="#666666">${label}</text>`
}

function drawTimeTick({ atMs, label }: { atMs: number; label: string }, { x }: Scale): string {
  const at = round(x(atMs))
  const bottom = TOP + INNER_HEIGHT
  return `<path d="M${at} ${bottom}v6" stroke="#999999"/><text x="${at}" y="${bottom + 22}" text-anchor="middle" fill="#666666">${label}</text>`
}

function round(px: number): number {
  return Math.round(px * 10) / 10
}
