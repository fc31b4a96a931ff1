// The floor of live delivery: a textbook outbox, as two processes of this script. One writes an event with its
// delivery in one statement and wakes the other through a Redis list; the other claims what is due, signs and
// posts it over the same HTTP client, and records many attempts in one statement that waits for no disk. No
// numbers, no chain, no order, no limits, no retries, no settings of a webhook.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import pg from 'pg'
import { signDelivery } from '../../../src/domain/webhooks/sign-delivery.ts'
import { createHttpPool, readBounded } from '../../../src/providers/http-pool.ts'
import { answerQuestions } from './answer-questions.ts'
import type { AppendAnswer } from './append-events.ts'

export type BareQuestion = { databaseUrl: string; redisUrl: string } & (
  | { ask: 'deliver'; port: number }
  | { ask: 'burst'; count: number; writers: number }
  | { ask: 'paced'; count: number; perSecond: number }
)

export const CREATE_BARE_OUTBOX = `
  CREATE TABLE IF NOT EXISTS bare_events (event_id uuid PRIMARY KEY, body text NOT NULL);
  CREATE TABLE IF NOT EXISTS bare_deliveries (event_id uuid PRIMARY KEY, due_at timestamptz);
  CREATE INDEX IF NOT EXISTS bare_deliveries_due ON bare_deliveries (due_at) WHERE due_at IS NOT NULL;
  CREATE TABLE IF NOT EXISTS bare_attempts (event_id uuid NOT NULL, started_at timestamptz NOT NULL,
    status integer NOT NULL)`

const WAKES = 'bare:wakes'
/** As the service has by default. */
const CONNECTIONS = 10
const SIDE_BY_SIDE = 50

/** About as long as an event of the service. */
const NOTE = 'x'.repeat(400)

const WRITE = `
  WITH event AS (INSERT INTO bare_events (event_id, body) VALUES ($1, $2) RETURNING event_id)
  INSERT INTO bare_deliveries (event_id, due_at) SELECT event_id, now() FROM event`

const CLAIM = `
  UPDATE bare_deliveries d SET due_at = now() + interval '30 seconds'
  FROM (SELECT event_id FROM bare_deliveries WHERE due_at <= now() ORDER BY due_at LIMIT $1
        FOR UPDATE SKIP LOCKED) due
  JOIN bare_events e USING (event_id)
  WHERE d.event_id = due.event_id RETURNING d.event_id, e.body`

const RECORD = `
  WITH ended AS (SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::integer[])
                 AS e (event_id, started_at, status)),
  attempts AS (INSERT INTO bare_attempts SELECT * FROM ended)
  UPDATE bare_deliveries d SET due_at = NULL FROM ended WHERE d.event_id = ended.event_id`

type Claimed = { event_id: string; body: string }
type Ended = { eventId: string; startedAt: Date; status: number }

let pool: pg.Pool | undefined
let redis: Redis | undefined

answerQuestions(async (question: BareQuestion): Promise<AppendAnswer> => {
  const { databaseUrl, redisUrl } = question
  const isDeliverer = question.ask === 'deliver'
  pool ??= new pg.Pool({
    connectionString: databaseUrl,
    max: CONNECTIONS,
    // A table without statistics is read by its keys; who delivers waits for no disk, as the worker.
    options: `-c enable_seqscan=off -c synchronous_commit=${isDeliverer ? 'off' : 'on'}`,
  })
  // Once the floor is measured, its Redis is taken away.
  redis ??= new Redis(redisUrl).on('error', () => undefined)
  const begun = new Map<string, number>()
  const committed = new Map<string, number>()
  if (isDeliverer) deliver(pool, redis, question.port)
  else await write(createWriter(pool, redis), question, { begun, committed })
  return { pid: process.pid, begun, committed }
})

type Write = (borrowerId: string) => Promise<void>

const createWriter =
  (database: pg.Pool, wakes: Redis): Write =>
  async (borrowerId) => {
    const body = JSON.stringify({ type: 'bare', data: { borrower_id: borrowerId, note: NOTE } })
    await database.query({ name: 'write', text: WRITE, values: [randomUUID(), body] })
    void wakes.rpush(WAKES, '1')
  }

async function write(
  writeOne: Write,
  question: BareQuestion & { ask: 'burst' | 'paced' },
  { begun, committed }: Pick<AppendAnswer, 'begun' | 'committed'>,
): Promise<void> {
  if (question.ask === 'burst') {
    let left = question.count
    const writer = async () => {
      while (left > 0) {
        left -= 1
        await writeOne('bor')
      }
    }
    await Promise.all(Array.from({ length: question.writers }, writer))
    return
  }
  const { count, perSecond } = question
  const startedAt = performance.now()
  const timed = Array.from({ length: count }, async (_, at) => {
    await pause(Math.max(0, startedAt + (at * 1_000) / perSecond - performance.now()))
    const borrowerId = randomUUID()
    begun.set(borrowerId, performance.timeOrigin + performance.now())
    await writeOne(borrowerId)
    committed.set(borrowerId, performance.timeOrigin + performance.now())
  })
  await Promise.all(timed)
}

function deliver(database: pg.Pool, wakes: Redis, port: number): void {
  const http = createHttpPool()
  const call = { url: new URL(`http://127.0.0.1:${port}`), method: 'POST' }
  const ended: Ended[] = []
  let free = SIDE_BY_SIDE
  let isAwake = false
  let isClaiming = false
  let isRecording = false

  async function post({ event_id: eventId, body }: Claimed): Promise<void> {
    const startedAt = new Date()
    const timestamp = Math.floor(startedAt.getTime() / 1_000)
    const headers = {
      'content-type': 'application/json',
      'x-svc-delivery-attempt': '1',
      'x-svc-webhook-timestamp': String(timestamp),
      'x-svc-webhook-signature': signDelivery('whsec_bench', timestamp, body),
    }
    const signal = AbortSignal.timeout(15_000)
    const answer = await http.send({ ...call, headers, body, signal })
    await readBounded(answer, 16 * 1024)
    ended.push({ eventId, startedAt, status: answer.statusCode ?? 0 })
    free += 1
    void record()
    void claim()
  }

  async function claim(): Promise<void> {
    if (isClaiming) return
    isClaiming = true
    while (isAwake && free > 0) {
      isAwake = false
      const most = free
      const { rows } = await database.query<Claimed>({ name: 'claim', text: CLAIM, values: [most] })
      isAwake ||= rows.length === most
      free -= rows.length
      for (const row of rows) void post(row)
    }
    isClaiming = false
  }

  async function record(): Promise<void> {
    if (isRecording) return
    isRecording = true
    while (ended.length > 0) {
      const some = ended.splice(0)
      const column = <T>(pick: (one: Ended) => T) => some.map(pick)
      await database.query({
        name: 'record',
        text: RECORD,
        values: [column((e) => e.eventId), column((e) => e.startedAt), column((e) => e.status)],
      })
    }
    isRecording = false
  }

  async function listen(): Promise<void> {
    for (;;) {
      const popped = await wakes.blmpop(5, 1, WAKES, 'LEFT', 'COUNT', 100)
      if (!popped) continue
      isAwake = true
      void claim()
    }
  }
  listen().catch(() => undefined)
}
