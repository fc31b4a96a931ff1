import { sql } from 'kysely'
import { inTransaction } from '../../../src/db/database.ts'
import { type Answer, createSender, type Send } from '../../support/world/signed-sender.ts'
import { addBorrowers, addSignatory } from '../../support/world/tenants.ts'
import { type Aim, p99AtMost, ratioAtMost } from '../aims.ts'
import { type Bench, pace, sampleMemory, startReceiver, startService } from '../bench.ts'
import { addDraws, addFacilities, POSITIONS, type SeededFacility } from '../data/facilities-data.ts'
import { addWebhooks } from '../data/webhook-data.ts'
import { percentile, type Row } from '../report.ts'

const PER_SECOND = 300
const FACILITIES = 200

type Kind = 'read' | 'money' | 'push'
type Sent = { kind: Kind; ms: number }

/**
 * 300 requests a second of one tenant through one API process, with the worker beside it: of ten,
 * six read, two are of money (a repayment is created, then its execution reported) and two push a
 * portfolio. Everything that follows from them goes on meanwhile: treasury, margin, deliveries to a
 * receiver. Throws when an answer is no 2xx.
 */
export async function measureMixed(bench: Bench, { seconds }: { seconds: number }): Promise<Row[]> {
  const { sent } = await runMixed(bench, seconds)
  const toRow = (name: string, kind: Kind, aim?: Aim): Row => {
    const waits = sent.filter((one) => one.kind === kind).map(({ ms }) => ms)
    return {
      name: `(mixed) ${PER_SECOND} req/s: ${name}`,
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
export async function measureSoak(bench: Bench, { minutes }: { minutes: number }): Promise<Row[]> {
  const { memory } = await runMixed(bench, minutes * 60)
  const toRow = (name: string, samples: readonly number[], level: number, aim?: Aim): Row => {
    const middle = samples.slice(samples.length / 3, (samples.length * 2) / 3)
    const ours = percentile(samples.slice((samples.length * 2) / 3), level)
    const bare = percentile(middle, level)
    return {
      name: `(soak) ${minutes} min at ${PER_SECOND} req/s: ${name}, last third against second`,
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

async function runMixed(bench: Bench, seconds: number) {
  await using cleanup = new AsyncDisposableStack()
  const { db } = bench
  const { tenantId, keyId, privateKeyPem } = await addSignatory(db, 'Bench')
  const [borrowerId = ''] = await addBorrowers(db, tenantId, 1)
  const facilities = await addFacilities(db, tenantId, FACILITIES)
  await addDraws(db, tenantId, facilities)
  const { port } = await startReceiver(cleanup)
  await inTransaction(db, (tx) => addWebhooks(tx, tenantId, port, 1))
  // What autovacuum does within a minute: plans that are made before it would be kept.
  await sql`ANALYZE`.execute(db)
  const server = await startService(bench, 'server', cleanup)
  const worker = await startService(bench, 'worker', cleanup)
  const memory = sampleMemory({ server, worker }, cleanup)
  const send = await createSender(privateKeyPem, server.port, cleanup)
  const stage = { send, keyId, borrowerId, facilities }
  await play(stage, 5 * PER_SECOND)
  return { sent: await play(stage, seconds * PER_SECOND), memory }
}

type Stage = {
  send: Send
  keyId: string
  borrowerId: string
  facilities: readonly SeededFacility[]
}

/** Sends `count` requests at the rate. */
async function play(stage: Stage, count: number): Promise<Sent[]> {
  const { send, keyId, borrowerId, facilities } = stage
  const sent: Sent[] = []
  const failures: unknown[] = []
  /** Repayments created and not yet reported. */
  const announced: string[] = []
  const note = async (kind: Kind, ...request: [method: string, target: string, body?: unknown]) => {
    const answer: Answer = await send(keyId, ...request)
    const { status, body, ms } = answer
    if (status < 200 || status > 299) throw new Error(`a ${kind} was answered ${status} ${body}`)
    sent.push({ kind, ms })
    return body
  }
  const sendOne = async (at: number): Promise<void> => {
    const facility = facilities[at % facilities.length]
    const target = `/v1/facilities/${facility?.facilityId}`
    const turn = at % 10
    if (turn < 3) await note('read', 'GET', `/v1/borrowers/${borrowerId}`)
    else if (turn < 5) await note('read', 'GET', target)
    else if (turn < 6) await note('read', 'GET', `${target}/repayments?limit=10`)
    else if (turn < 7) {
      const created = await note('money', 'POST', `${target}/repayments`, TEN_DOLLARS)
      announced.push(`${target}/repayments/${JSON.parse(created).id}`)
    } else if (turn < 8) {
      const repayment = announced.shift()
      if (repayment) await note('money', 'POST', `${repayment}/execution`, reportOf(repayment))
    } else {
      const body = { as_of: new Date().toISOString(), positions: POSITIONS }
      await note('push', 'PUT', `/v1/borrowers/${facility?.borrowerId}/portfolio`, body)
    }
  }
  await pace(
    PER_SECOND,
    (begun) => begun >= count || failures.length > 0,
    (at) => sendOne(at).catch((error: unknown) => void failures.push(error)),
  )
  // Not thrown earlier: nobody waited yet, and the run would end without ending what it has started.
  if (failures.length > 0) throw failures[0]
  return sent
}

const TEN_DOLLARS = { amount: '10.00', asset: 'USD' }

const reportOf = (repayment: string) => ({
  ...{ status: 'completed', delivered: TEN_DOLLARS, reference: repayment.slice(-30) },
})
