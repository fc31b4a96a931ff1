import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { ChainedEvent } from '../../src/client/resources/resources.ts'
import { deliveredBody } from '../../src/client/verify-chain.ts'
import { inTransaction } from '../../src/db/database.ts'
import { appendEvents, type EventToAppend } from '../../src/domain/events/append/append.ts'
import type { TestApi, TestTenant } from '../support/api/api.ts'
import { addWebhook, eligible } from '../support/deliveries/deliveries.ts'
import { waitFor } from '../support/process/patience.ts'
import { startWireProxy } from '../support/stores/wire-proxy.ts'
import { createSender, startReceiver } from './mischief.ts'

export const APPLIED_TABLE = `
  CREATE TABLE applied (
    place bigint GENERATED ALWAYS AS IDENTITY,
    inbox text NOT NULL,
    sequence bigint NOT NULL,
    event_id text NOT NULL,
    resource text NOT NULL,
    version bigint NOT NULL,
    body text NOT NULL
  )`

export type SeedWorld = {
  api: TestApi
  /** Where the receivers keep their tables. */
  databaseUrl: string
  pool: pg.Pool
  command: [string, ...string[]]
}

export type SeedResult = {
  /** What the table of the receiver is to be, and what it is. */
  expected: { sequences: number[]; head: string }
  found: { sequences: number[]; head: string; appliedSequence: number }
  /** Places of the table at which a resource went back, or an event came again. */
  disordered: string[]
  twice: string[]
  /** The statement at which the receiver was killed, and on which side of it. */
  kills: string[]
}

const EVENTS = 40
const KILLS = 4
/** As the deliveries of a day during which the receiver was away, all of them given up. */
const OUTAGE = [14, 26] as const

/**
 * One receiver under a sender that drops, doubles and reorders, killed at statements of its own, with
 * an outage in which nothing is delivered. Every third seed has two receivers on the same tables.
 */
export async function playSeed(world: SeedWorld, seed: number): Promise<SeedResult> {
  const random = createRandom(seed)
  const { api, pool } = world
  const tenant = await api.addTenant()
  const isFiltered = seed % 4 === 3
  // Events before the registration are not the webhook's.
  await append(api, tenant, [eligible('bor_before')])
  const eventTypes = isFiltered ? { eventTypes: ['borrower.eligible' as const] } : {}
  const webhookId = await addWebhook(api.db, tenant.id, eventTypes)
  const inbox = `seed-${seed}`
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  await using proxy = await startWireProxy(world.databaseUrl)
  const env = {
    ...process.env,
    INBOX: inbox,
    WEBHOOK_ID: webhookId,
    SECRET: secret,
    SERVICE_URL: api.baseUrl,
    KEY_ID: tenant.keyId,
    PRIVATE_KEY: tenant.privateKeyPem,
  }
  const start = (databaseUrl: string) =>
    startReceiver(world.command, { ...env, DATABASE_URL: `${databaseUrl}?sslmode=disable` })
  const kills: string[] = []
  let armed: Promise<void> | undefined

  /** Has the receiver killed at one of its next statements. */
  function armKill(): void {
    const at = 1 + Math.floor(random() * 60)
    const when = random() < 0.5 ? 'before' : 'after'
    armed = proxy.arm({ at, when, effect: 'silent' }).then(() => {
      const statement = proxy.executed.at(-1) ?? ''
      kills.push(`${when} ${statement.replace(/\s+/g, ' ').trim().slice(0, 44)}`)
      receiver.kill()
      proxy.silence('none')
      armed = undefined
    })
  }

  let receiver = start(proxy.url)
  await using second = seed % 3 === 2 ? start(world.databaseUrl) : undefined
  await using sender = createSender(secret, random)
  try {
    for (let written = 0; written < EVENTS; ) {
      const count = Math.min(1 + Math.floor(random() * 6), EVENTS - written)
      await append(api, tenant, drawEvents(count, random))
      const isOutage = written >= OUTAGE[0] && written < OUTAGE[1]
      if (isOutage) receiver.kill()
      else {
        if (kills.length < KILLS && !armed) armKill()
        if (receiver.isDead()) receiver = start(proxy.url)
        sender.deliver(await readNewest(tenant, webhookId, count), [receiver, second])
      }
      written += count
      await sender.settle()
    }
    const log = await readAll(tenant, webhookId)
    const last = log.at(-1)?.sequence ?? 0
    await waitFor(
      async () => {
        if (receiver.isDead()) {
          receiver = start(proxy.url)
          if (kills.length < KILLS) armKill()
        }
        const found = await readAppliedSequence(pool, inbox)
        if (found < last || kills.length < KILLS)
          throw new Error(`${inbox} is at ${found} of ${last}`)
      },
      { timeout: 90_000 },
    )
    return { ...(await compare(world, { tenant, log, inbox, isFiltered })), kills }
  } finally {
    receiver.kill()
  }
}

async function append(api: TestApi, tenant: TestTenant, events: EventToAppend[]): Promise<void> {
  await inTransaction(api.db, async (tx) => appendEvents(tx, tenant.id, events))
}

/** Of few resources, so that each has many versions. */
function drawEvents(count: number, random: () => number): EventToAppend[] {
  return Array.from({ length: count }, () => {
    const id = Math.floor(random() * 5)
    if (random() < 0.6) return eligible(`bor_${id}`)
    return {
      type: 'facility.closed',
      resource: { type: 'facility', id: `fac_${id}` },
      occurredAt: new Date('2026-11-20T10:00:00.000Z'),
      data: { facility_id: `fac_${id}`, closed_at: '2026-11-20T10:00:00.000Z', reason: 'repaid' },
    }
  })
}

async function readAll(tenant: TestTenant, webhookId: string): Promise<ChainedEvent[]> {
  const events: ChainedEvent[] = []
  for await (const event of tenant.client.replayEvents(webhookId))
    events.push(event as ChainedEvent)
  return events
}

const readNewest = async (tenant: TestTenant, webhookId: string, count: number) =>
  (await readAll(tenant, webhookId)).slice(-count)

async function readAppliedSequence(pool: pg.Pool, inbox: string): Promise<number> {
  const { rows } = await pool.query(
    'SELECT applied_sequence FROM lending_inboxes WHERE inbox = $1',
    [inbox],
  )
  return Number(rows[0]?.applied_sequence ?? 0)
}

type Applied = {
  sequence: string
  event_id: string
  resource: string
  version: string
  body: string
}

async function compare(
  { pool }: SeedWorld,
  given: { tenant: TestTenant; log: ChainedEvent[]; inbox: string; isFiltered: boolean },
): Promise<Omit<SeedResult, 'kills'>> {
  const { tenant, log, inbox, isFiltered } = given
  const query =
    'SELECT sequence, event_id, resource, version, body FROM applied WHERE inbox = $1 ORDER BY place'
  const { rows } = await pool.query<Applied>(query, [inbox])
  const versions = new Map<string, number>()
  const disordered = rows.filter(({ resource, version }) => {
    const isBack = Number(version) <= (versions.get(resource) ?? 0)
    versions.set(resource, Number(version))
    return isBack
  })
  const ids = rows.map(({ event_id }) => event_id)
  const sorted = rows.toSorted((left, right) => Number(left.sequence) - Number(right.sequence))
  const whole = await tenant.client.listEvents({ limit: 500 })
  const [before] = whole.items
  const head = whole.items.at(-1)?.hash ?? ''
  return {
    expected: {
      sequences: log.map(({ sequence }) => sequence),
      // Without all types there is no chain: then the bodies are compared.
      head: isFiltered ? hashTexts(log.map(deliveredBody)) : head,
    },
    found: {
      sequences: sorted.map(({ sequence }) => Number(sequence)),
      head: isFiltered
        ? hashTexts(sorted.map(({ body }) => body))
        : chain(before?.hash ?? '', sorted),
      appliedSequence: await readAppliedSequence(pool, inbox),
    },
    disordered: disordered.map(({ resource, version }) => `${resource} ${version}`),
    twice: ids.filter((id, at) => ids.indexOf(id) !== at),
  }
}

const hashTexts = (texts: readonly string[]) =>
  createHash('sha256').update(texts.join('\n')).digest('hex')

/** The head of the chain over the bodies of the receiver's table. */
function chain(start: string, rows: readonly Applied[]): string {
  let previous = Buffer.from(start, 'hex')
  for (const { sequence, body } of rows) {
    const number = Buffer.alloc(8)
    number.writeBigUInt64BE(BigInt(sequence))
    const digest = createHash('sha256').update(body).digest()
    previous = createHash('sha256')
      .update(Buffer.concat([previous, number, digest]))
      .digest()
  }
  return previous.toString('hex')
}

/** Mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed * 0x9e3779b1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
