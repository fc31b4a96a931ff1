import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import { type Aim, p99AtMost, ratioAtMost } from '../aims.ts'
import { startCompanion, startService } from '../companions/processes.ts'
import type { ReceiverAnswer, ReceiverQuestion } from '../companions/receiver.ts'
import { type Answer, createSender, type Send } from '../companions/signed-sender.ts'
import { addDraws, addFacilities, type SeededFacility } from '../data/facilities-data.ts'
import { type Signatory, seedTenant } from '../data/seed.ts'
import { addWebhooks } from '../data/webhook-data.ts'
import { type Memory, readMemory } from '../memory.ts'
import { openCleanup } from '../open-cleanup.ts'
import { percentile, type Row } from '../report.ts'
import type { Stores } from '../stores.ts'

const PER_SECOND = 300
const FACILITIES = 200
const SAMPLE_MS = 5_000

type Kind = 'read' | 'money' | 'push'
type Sent = { kind: Kind; ms: number }

/**
 * 300 requests a second of one tenant through one API process, with the worker beside it: of ten,
 * six read, two are of money (a repayment is created, then its execution reported) and two push a
 * portfolio. Everything that follows from them goes on meanwhile: treasury, margin, deliveries to a
 * receiver. Throws when an answer is no 2xx.
 */
export async function measureMixed(
  db: Db,
  stores: Stores,
  { seconds }: { seconds: number },
): Promise<Row[]> {
  const { sent } = await runMixed(db, stores, seconds)
  const toRow = (name: string, kind: Kind, aim?: Aim): Row => {
    const waits = sent.filter((one) => one.kind === kind).map(({ ms }) => ms)
    return {
      name: `(i) ${PER_SECOND} req/s mixed: ${name}`,
      unit: 'req/s',
      ours: waits.length / seconds,
      p50Ms: { ours: percentile(waits, 0.5) },
      p99Ms: { ours: percentile(waits, 0.99) },
      ...(aim && { aim }),
    }
  }
  return [
    toRow('signed reads', 'read', p99AtMost(50)),
    toRow('money writes', 'money', p99AtMost(150)),
    toRow('portfolio pushes', 'push'),
  ]
}

/**
 * The same for as many minutes as asked: what the processes hold at its end, against its middle, all
 * that they have of the machine and, of the heap, what is left where a sample follows a collection.
 */
export async function measureSoak(
  db: Db,
  stores: Stores,
  { minutes }: { minutes: number },
): Promise<Row[]> {
  const { memory } = await runMixed(db, stores, minutes * 60)
  const toRow = (name: string, samples: readonly number[], level: number, aim?: Aim): Row => {
    const middle = samples.slice(samples.length / 3, (samples.length * 2) / 3)
    const ours = percentile(samples.slice((samples.length * 2) / 3), level)
    const bare = percentile(middle, level)
    return {
      name: `(j) ${minutes} min at ${PER_SECOND} req/s: ${name}, last third against second`,
      unit: 'MiB',
      ours,
      bare,
      ratio: ours / bare,
      ...(aim && { aim }),
    }
  }
  return (['server', 'worker'] as const).flatMap((entry) => {
    const resident = memory[entry].map(({ residentMiB }) => residentMiB)
    const heap = memory[entry].map(({ heapMiB }) => heapMiB)
    return [
      toRow(`memory of the ${entry}`, resident, 0.5, ratioAtMost(1.05)),
      toRow(`least heap of the ${entry}`, heap, 0.05),
    ]
  })
}

async function runMixed(db: Db, stores: Stores, seconds: number) {
  await using cleanup = openCleanup()
  const signatory = await seedTenant(db)
  const facilities = await addFacilities(db, signatory.tenantId, FACILITIES)
  await addDraws(db, signatory.tenantId, facilities)
  const receiver = startCompanion<ReceiverQuestion, ReceiverAnswer>(
    new URL('../companions/receiver.ts', import.meta.url),
    cleanup,
  )
  const { port } = await receiver.ask({ ask: 'listen', noteArrivals: false })
  await inTransaction(db, (tx) => addWebhooks(tx, signatory.tenantId, port, 1))
  // What autovacuum does within a minute: plans that are made before it would be kept.
  await sql`ANALYZE`.execute(db)
  const server = await startService('server', stores, cleanup, {
    RATE_LIMITS: ['reads', 'valuation', 'money', 'portfolio_ingest']
      .map((name) => `${name}=100000/100000`)
      .join(','),
  })
  const worker = await startService('worker', stores, cleanup)
  const memory = { server: [] as Memory[], worker: [] as Memory[] }
  const sample = async () => {
    memory.server.push(await readMemory(server))
    memory.worker.push(await readMemory(worker))
  }
  // One that is too busy to answer is asked again with the next sample.
  const sampling = setInterval(() => void sample().catch(() => undefined), SAMPLE_MS)
  cleanup.defer(() => clearInterval(sampling))

  const send = await createSender(server.port, signatory, cleanup)
  await play(send, signatory, facilities, 5 * PER_SECOND)
  const sent = await play(send, signatory, facilities, seconds * PER_SECOND)
  return { sent, memory }
}

/** Sends `count` requests at the rate, whether or not those before have been answered. */
async function play(
  send: Send,
  { borrowerId }: Signatory,
  facilities: readonly SeededFacility[],
  count: number,
): Promise<Sent[]> {
  const sent: Sent[] = []
  const answered: Promise<void>[] = []
  const failures: unknown[] = []
  /** Repayments created and not yet reported. */
  const announced: string[] = []
  const note = async (kind: Kind, answer: Promise<Answer>): Promise<Answer> => {
    const { status, body, ms } = await answer
    if (status < 200 || status > 299) throw new Error(`a ${kind} was answered ${status} ${body}`)
    sent.push({ kind, ms })
    return { status, body, ms }
  }
  const sendOne = async (at: number): Promise<void> => {
    const facility = facilities[at % facilities.length]
    const target = `/v1/facilities/${facility?.facilityId}`
    const turn = at % 10
    if (turn < 3) await note('read', send('GET', `/v1/borrowers/${borrowerId}`))
    else if (turn < 5) await note('read', send('GET', target))
    else if (turn < 6) await note('read', send('GET', `${target}/repayments?limit=10`))
    else if (turn < 7) {
      const amount = { amount: '10.00', asset: 'USD' }
      const { body } = await note('money', send('POST', `${target}/repayments`, amount))
      announced.push(`${target}/repayments/${JSON.parse(body).id}`)
    } else if (turn < 8) {
      const repayment = announced.shift()
      if (repayment)
        await note('money', send('POST', `${repayment}/execution`, reportOf(repayment)))
    } else {
      const body = { as_of: new Date().toISOString(), positions: POSITIONS }
      const push = send('PUT', `/v1/borrowers/${facility?.borrowerId}/portfolio`, body)
      await note('push', push)
    }
  }
  const startedAt = performance.now()
  for (let at = 0; at < count; ) {
    const due = Math.min(count, ((performance.now() - startedAt) * PER_SECOND) / 1_000)
    for (; at < due; at += 1) {
      answered.push(sendOne(at).catch((error: unknown) => void failures.push(error)))
    }
    if (failures.length > 0) break
    await pause(2)
  }
  await Promise.all(answered)
  // Not thrown earlier: nobody waited yet, and the run would end without ending what it has started.
  if (failures.length > 0) throw failures[0]
  return sent
}

const POSITIONS = [
  { asset: 'BTC', quantity: '1.5' },
  { asset: 'ETH', quantity: '20.25' },
  { asset: 'USDC', quantity: '2500' },
]

function reportOf(repayment: string) {
  return {
    status: 'completed',
    delivered: { amount: '10.00', asset: 'USD' },
    reference: repayment.slice(-30),
  }
}
