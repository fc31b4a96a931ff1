import { setTimeout as pause } from 'node:timers/promises'
import { type Aim, all, p50AtMost, p99AtMost } from '../aims.ts'
import type { Companion } from '../bench.ts'
import type { AppendAnswer } from '../companions/append-events.ts'
import type { ReceiverAnswer, ReceiverQuestion } from '../companions/receiver.ts'
import { percentile, type Row } from '../report.ts'

const PER_SECOND = 100
const PATIENCE_MS = 30_000

/** Turns of ours and of the floor. One begins after the rest that the other's turn was: its first second
 * meets cold caches and sleeping cores, as none does at a hundred a second, and is not counted. */
const TURNS = 4

/** In its first minute a process still compiles what it runs often, on the cores that others wait for: most of
 * the slow arrivals are then. */
export type ArrivalSizes = { warmUpSeconds: number; seconds: number }

type Paced = { ask: 'paced'; perSecond: number; count: number }
type Write = (paced: Paced) => Promise<AppendAnswer>
type Receiver = Companion<ReceiverQuestion, ReceiverAnswer>
type Span = 'fromStartMs' | 'fromCommitMs'
type Wait = { startedAt: number } & Record<Span, number>

/** From the commit, and from the start of the change, to the first attempt, at 100 events a second. */
export async function measureArrivals(
  receiver: Receiver,
  { warmUpSeconds, seconds }: ArrivalSizes,
  sides: { ours: Write; bare: Write },
): Promise<Row[]> {
  const run = (write: Write, forSeconds: number) => {
    const count = Math.round(forSeconds * PER_SECOND)
    return findWaits(receiver, write({ ask: 'paced', perSecond: PER_SECOND, count }))
  }
  await receiver.ask({ ask: 'note' })
  await run(sides.ours, warmUpSeconds)
  await run(sides.bare, warmUpSeconds)
  const waits = { ours: [] as Wait[], bare: [] as Wait[] }
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const side of ['ours', 'bare'] as const) {
      waits[side].push(...(await run(sides[side], 1 + seconds / TURNS)).slice(PER_SECOND))
    }
  }
  const toRow = (name: string, from: Span, aim?: Aim): Row => {
    const share = (of: number) => ({
      ours: percentile(
        waits.ours.map((wait) => wait[from]),
        of,
      ),
      bare: percentile(
        waits.bare.map((wait) => wait[from]),
        of,
      ),
    })
    return {
      ...{ name: `(live) ${name} → first attempt`, unit: 'events/s' },
      ...{ ours: PER_SECOND, bare: PER_SECOND, p50Ms: share(0.5), p99Ms: share(0.99) },
      ...(aim && { aim }),
    }
  }
  return [
    toRow('commit', 'fromCommitMs', all(p50AtMost(1), p99AtMost(3))),
    toRow('start of the change', 'fromStartMs'),
  ]
}

/** Of each event that was written, until its arrival; in the order in which they began. */
async function findWaits(receiver: Receiver, written: Promise<AppendAnswer>): Promise<Wait[]> {
  const { begun, committed } = await written
  const waits: Wait[] = []
  const deadline = Date.now() + PATIENCE_MS
  while (waits.length < committed.size) {
    if (Date.now() > deadline) throw new Error(`${committed.size - waits.length} events not seen`)
    await pause(100)
    const { arrivals } = await receiver.ask({ ask: 'arrivals' })
    for (const [borrowerId, arrivedAt] of arrivals) {
      const startedAt = begun.get(borrowerId)
      const committedAt = committed.get(borrowerId)
      if (startedAt === undefined || committedAt === undefined) continue
      const fromCommitMs = arrivedAt - committedAt
      waits.push({ startedAt, fromStartMs: arrivedAt - startedAt, fromCommitMs })
    }
  }
  return waits.sort((a, b) => a.startedAt - b.startedAt)
}
