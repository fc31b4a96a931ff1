import type { Row } from './report.ts'

type Figures = Omit<Row, 'name' | 'aim'>

/** What a measurement is to reach. A figure that is missing or no number has not reached it. */
export type Aim = { text: string; isMet(figures: Figures): boolean }

const atLeast = (figure: number | undefined, least: number) => (figure ?? Number.NaN) >= least
const atMost = (figure: number | undefined, most: number) => (figure ?? Number.NaN) <= most

export const ratioAtLeast = (least: number): Aim => ({
  text: `ratio ≥ ${least.toFixed(2)}`,
  isMet: ({ ratio }) => atLeast(ratio, least),
})

export const ratioAtMost = (most: number): Aim => ({
  text: `ratio ≤ ${most}`,
  isMet: ({ ratio }) => atMost(ratio, most),
})

export const perSecondAtLeast = (least: number): Aim => ({
  text: `≥ ${least.toLocaleString('en')}/s`,
  isMet: ({ ours }) => atLeast(ours, least),
})

export const p50AtMost = (ms: number): Aim => ({
  text: `p50 ≤ ${ms.toLocaleString('en')} ms`,
  isMet: ({ p50Ms }) => atMost(p50Ms?.ours, ms),
})

export const p99AtMost = (ms: number): Aim => ({
  text: `p99 ≤ ${ms.toLocaleString('en')} ms`,
  isMet: ({ p99Ms }) => atMost(p99Ms?.ours, ms),
})

/** Of a figure that is itself a time, a number or a size. */
export const figureAtMost = (most: number, unit: string): Aim => ({
  text: `≤ ${most.toLocaleString('en')} ${unit}`,
  isMet: ({ ours }) => atMost(ours, most),
})

/** Each of them. */
export const all = (...aims: readonly Aim[]): Aim => ({
  text: aims.map(({ text }) => text).join(', '),
  isMet: (figures) => aims.every((aim) => aim.isMet(figures)),
})

/** The aim that a row has missed, as a problem. */
export const findMissed = (row: Row): string[] =>
  row.aim && !row.aim.isMet(row) ? [`${row.aim.text}: missed`] : []
