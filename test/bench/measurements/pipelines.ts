import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../../src/db/database.ts'
import { ratioAtMost } from '../aims.ts'
import type { FloodAnswer, FloodQuestion } from '../companions/flooder.ts'
import { startCompanion, startService } from '../companions/processes.ts'
import { createSender, type Send } from '../companions/signed-sender.ts'
import { seedTenant } from '../data/seed.ts'
import { openCleanup } from '../open-cleanup.ts'
import { median, percentile, type Row } from '../report.ts'
import type { Stores } from '../stores.ts'

const CONNECTIONS = 20
const SENT_AHEAD = 500
const HEALTHY_PER_SECOND = 50

/**
 * What a client that means no harm waits beside 20 connections of unsigned requests: one at a time
 * on each, and 500 sent ahead on each. In turns, so that what else the machine does falls on both;
 * the first of each warms up.
 */
export async function measurePipelines(
  db: Db,
  stores: Stores,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Row> {
  await using cleanup = openCleanup()
  const signatory = await seedTenant(db)
  const { port } = await startService('server', stores, cleanup)
  const send = await createSender(port, signatory, cleanup)
  const script = new URL('../companions/flooder.ts', import.meta.url)
  const flooder = startCompanion<FloodQuestion, FloodAnswer>(script, cleanup)

  const beside = async (ahead: number, count: number) => {
    await flooder.ask({ ask: 'begin', port, connections: CONNECTIONS, ahead })
    const waits = await readEvenly(send, `/v1/borrowers/${signatory.borrowerId}`, count)
    const { answered } = await flooder.ask({ ask: 'end' })
    if (answered < count) throw new Error(`the flood came to a standstill after ${answered}`)
    return waits
  }
  await beside(1, HEALTHY_PER_SECOND)
  await beside(SENT_AHEAD, HEALTHY_PER_SECOND)
  const results: { control: number[]; attacked: number[] }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const control = await beside(1, seconds * HEALTHY_PER_SECOND)
    results.push({ control, attacked: await beside(SENT_AHEAD, seconds * HEALTHY_PER_SECOND) })
  }
  const middle = (kind: 'control' | 'attacked', share: number) =>
    median(results.map((result) => percentile(result[kind], share)))
  const p99Ms = { ours: middle('attacked', 0.99), bare: middle('control', 0.99) }
  return {
    name: '(l) signed read beside 20 × 500 unsigned requests sent ahead, against one at a time',
    unit: 'ms',
    ours: p99Ms.ours,
    bare: p99Ms.bare,
    ratio: p99Ms.ours / p99Ms.bare,
    p50Ms: { ours: middle('attacked', 0.5), bare: middle('control', 0.5) },
    p99Ms,
    aim: ratioAtMost(3, 'p99 ratio'),
  }
}

/** At an even pace, sent whether or not those before have been answered; all must be. */
async function readEvenly(send: Send, target: string, count: number): Promise<number[]> {
  const startedAt = performance.now()
  return await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      await pause(Math.max(0, startedAt + (at * 1_000) / HEALTHY_PER_SECOND - performance.now()))
      const { status, ms } = await send('GET', target)
      if (status !== 200) throw new Error(`a read was answered ${status}`)
      return ms
    }),
  )
}
