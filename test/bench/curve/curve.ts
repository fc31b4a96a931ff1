import { all, p99TimesAtMost, ratioAtMost } from '../aims.ts'
import { openCleanup } from '../open-cleanup.ts'
import { median, type Row } from '../report.ts'
import { GROWTHS, type Growth, growFirst } from './growth.ts'
import {
  type Figures,
  OPERATIONS,
  type Operation,
  type RoundSizes,
  type Side,
  startSide,
} from './side.ts'

/** No step costs more than so many times the first. */
const MOST = 1.5

export type CurveSizes = RoundSizes & { rounds: number; largest: number }

/** What an operation costs at a step, as a multiple of what it costs at the first. */
export type Point = {
  growth: string
  step: number
  operation: Operation
  time: number
  p99: number
}

export type Curve = { machine: string; rows: Row[]; points: Point[] }

/**
 * What reads, creations and deliveries cost as one thing grows. The grown service and one that stays
 * at the first step take turns, so that what else the machine does falls on both. Both start with
 * what grows: a process is faster the more it has answered.
 */
export async function measureCurve(sizes: CurveSizes): Promise<Curve> {
  await using cleanup = openCleanup()
  let machine = ''
  const rows: Row[] = []
  const points: Point[] = []
  for (const growth of GROWTHS) {
    const first = await startSide(cleanup)
    const grown = await startSide(cleanup)
    if (machine === '') {
      machine = await first.describe()
      console.log(`${machine}\n`)
    }
    await growFirst(first)
    await growFirst(grown)
    for (const [at, step] of growth.steps.entries()) {
      if (at === 0 || step > sizes.largest) continue
      await growth.grow(grown, growth.steps[at - 1] ?? 0, step)
      const rounds = await compare(first, grown, sizes)
      for (const operation of OPERATIONS) {
        const row = toRow(growth, step, operation, rounds)
        rows.push(row)
        points.push(toPoint(growth, step, operation, row))
        console.log(`measured ${row.name}`)
      }
    }
    await grown.stop()
    await first.stop()
  }
  return { machine, rows, points }
}

type Round = { first: Figures; grown: Figures }

/** The first round warms up. Each goes first in every other one. */
async function compare(first: Side, grown: Side, sizes: CurveSizes): Promise<Round[]> {
  const rounds: Round[] = []
  for (let round = -1; round < sizes.rounds; round += 1) {
    if (round % 2 === 0) {
      rounds.push({ first: await first.measure(sizes), grown: await grown.measure(sizes) })
    } else {
      const after = await grown.measure(sizes)
      const before = await first.measure(sizes)
      if (round >= 0) rounds.push({ first: before, grown: after })
    }
  }
  return rounds
}

function toRow(growth: Growth, step: number, operation: Operation, rounds: readonly Round[]): Row {
  const middle = (pick: (round: Round) => number) => median(rounds.map(pick))
  const firstStep = growth.steps[0] ?? 0
  return {
    name: `(curve) ${step.toLocaleString('en')} ${growth.name} against ${firstStep.toLocaleString('en')}: ${operation}`,
    unit: '/s',
    ours: middle(({ grown }) => grown[operation].perSecond),
    bare: middle(({ first }) => first[operation].perSecond),
    ratio: middle(({ first, grown }) => first[operation].perSecond / grown[operation].perSecond),
    p99Ms: {
      ours: middle(({ grown }) => grown[operation].p99Ms),
      bare: middle(({ first }) => first[operation].p99Ms),
    },
    aim: all(ratioAtMost(MOST, 'time ratio'), p99TimesAtMost(MOST)),
  }
}

function toPoint({ name }: Growth, step: number, operation: Operation, row: Row): Point {
  const { ours = 0, bare = 1 } = row.p99Ms ?? {}
  return { growth: name, step, operation, time: row.ratio ?? 0, p99: ours / bare }
}
