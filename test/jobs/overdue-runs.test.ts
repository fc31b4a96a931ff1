import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { laneId } from '../../src/jobs/queues.ts'
import { runSweeps } from '../../src/jobs/sweep.ts'
import { waitFor } from '../support/process/patience.ts'

const laneOf = (part: number) =>
  ({ queue: 'sales', tenantId: 'ten', topic: 'sell-collateral', part }) as const

test('of overdue lanes that share a place each has its turn, though one always has more, without Redis', async () => {
  const stop = new AbortController()
  const ran: string[] = []
  let isFree = true
  const context = {
    async run(lane: Parameters<typeof laneId>[0]) {
      if (!isFree) return 'capped' as const
      isFree = false
      ran.push(laneId(lane))
      await sleep(2)
      isFree = true
      return 'more' as const
    },
    queues: { add() {}, takeTurn: async () => true },
    logger: pino({ level: 'silent' }),
  }
  let sweeps = 0
  const ended = runSweeps(
    stop.signal,
    context,
    {
      // Only the first: no later one helps.
      async work(add) {
        if (sweeps++ === 0) add([0, 1, 2].map((part) => ({ lane: laneOf(part), waitedMs: 9_000 })))
      },
    },
    () => {},
  )
  await waitFor(() => expect(ran.length).toBeGreaterThan(30))
  stop.abort()
  await ended
  const timesOf = (part: number) => ran.filter((id) => id === laneId(laneOf(part))).length
  for (const part of [0, 1, 2]) expect(timesOf(part)).toBeGreaterThanOrEqual(5)
})
