import { setImmediate as immediately } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Db, inTransaction, type Wake, wakeBeforeCommit } from '../../../src/db/database.ts'
import { isDistributed } from '../../../src/db/distribution.ts'
import { EARLY_COMMIT_MS, EARLY_WAKE_HOLDS_MS } from '../../../src/db/wakes.ts'
import { appendEvents } from '../../../src/domain/events/append-event.ts'
import { numberEvents } from '../../../src/domain/events/number-events.ts'
import {
  addEvents,
  addWebhook,
  eligible,
  readDeliveries,
} from '../../support/deliveries/deliveries.ts'
import { startHeldLanes } from '../../support/deliveries/held-lanes.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { waitFor } from '../../support/process/patience.ts'
import { createTestDatabase } from '../../support/stores/database.ts'
import { openDatabaseWithWakes } from '../../support/stores/database-with-wakes.ts'

const database = openDatabaseWithWakes(8)
const { wakes } = database

/** Of `performance.now()`, so that no test depends on how quick its machine is. */
let now = 0
beforeEach(() => {
  now = 1_000
  wakes.length = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => void vi.restoreAllMocks())

const tooLate = () => {
  now += EARLY_WAKE_HOLDS_MS + 1
}

/** The clock of lanes is read as a claim begins and as it ends, on a cluster as the locks are taken too.
 * `onFirst` is called when the first claim ends. */
async function noteReads(onFirst?: () => void) {
  const readAt: number[] = []
  const ofPass = (await isDistributed(database.db)) ? 3 : 2
  return {
    ofPass,
    clock() {
      if (readAt.push(now) === ofPass) onFirst?.()
      return new Date()
    },
    countSince: (until: number) => readAt.filter((at) => at > until).length,
    /** Whether a claim that began after `until` has ended. */
    haveClaimSince: (until: number) =>
      readAt.some((_, at) => at % ofPass === ofPass - 1 && (readAt[at - 1] ?? 0) > until),
  }
}

type Target = { tenantId: string; webhookId: string }

async function addTarget(): Promise<Target> {
  const tenantId = await openTenant(database.db)
  return { tenantId, webhookId: await addWebhook(database.db, tenantId) }
}

/** An event with a number and a delivery, of which the commit waits for `commit`. */
async function beginEvent(db: Db, tenantId: string) {
  const numbered = Promise.withResolvers<string>()
  const gate = Promise.withResolvers<void>()
  const done = inTransaction(db, async (tx) => {
    await appendEvents(tx, tenantId, [eligible('bor_early')])
    const [eventId = ''] = (await numberEvents(tx, tenantId)).values()
    numbered.resolve(eventId)
    await gate.promise
  })
  const commit = async () => {
    gate.resolve()
    await done
  }
  return { eventId: await numbered.promise, commit }
}

/** As long as a lane looks for a delivery it has its webhook locked. */
async function isLocked({ tenantId, webhookId }: Target): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM webhooks WHERE tenant_id = ${tenantId} AND webhook_id = ${webhookId}
    FOR UPDATE SKIP LOCKED`.execute(database.db)
  return rows.length === 0
}

const untilLocked = (target: Target) =>
  waitFor(async () => expect(await isLocked(target)).toBe(true))

const untilFree = (target: Target) =>
  waitFor(async () => expect(await isLocked(target)).toBe(false))

test('an event that commits shortly after its wake is delivered without another', async () => {
  const { tenantId, webhookId } = await addTarget()
  const { lanes, held, begun } = startHeldLanes(database.db)
  const { eventId, commit } = await beginEvent(database.db, tenantId)
  lanes.wake(tenantId, webhookId, { eventId, isEarly: true })
  await untilLocked({ tenantId, webhookId })
  expect(begun).toHaveLength(0)

  await commit()
  await waitFor(() => expect(begun).toMatchObject([{ eventId }]))
  held[0]?.answer(200)
  await lanes.drain()
  expect(await readDeliveries(database.db, webhookId)).toMatchObject([{ state: 'delivered' }])
})

test('an older delivery that is found first does not end the search for the event that commits', async () => {
  const { tenantId, webhookId } = await addTarget()
  await addEvents(database.db, tenantId, 1)
  const { lanes, held, begun } = startHeldLanes(database.db)
  const { eventId, commit } = await beginEvent(database.db, tenantId)
  lanes.wake(tenantId, webhookId, { eventId, isEarly: true })
  await waitFor(() => expect(begun).toHaveLength(1))
  await untilLocked({ tenantId, webhookId })

  await commit()
  await waitFor(() => expect(begun[1]).toMatchObject({ eventId }))
  for (const attempt of [...held]) attempt.answer(200)
  await lanes.drain()
  const states = (await readDeliveries(database.db, webhookId)).map(({ state }) => state)
  expect(states).toEqual(['delivered', 'delivered'])
})

test('the wake after its commit begins no pass for an event that was found before', async () => {
  const { tenantId, webhookId } = await addTarget()
  const passes: number[] = []
  const clock = () => {
    passes.push(now)
    return new Date()
  }
  const { lanes, held, begun } = startHeldLanes(database.db, { clock })
  const { eventId, commit } = await beginEvent(database.db, tenantId)
  lanes.wake(tenantId, webhookId, { eventId, isEarly: true })
  await commit()
  await waitFor(() => expect(begun).toHaveLength(1))
  await untilFree({ tenantId, webhookId })
  const read = passes.length
  lanes.wake(tenantId, webhookId, { eventId, isEarly: false })
  // As long as a pass needs to begin.
  for (let turn = 0; turn < 5; turn += 1) await immediately()
  await isLocked({ tenantId, webhookId })
  expect(passes).toHaveLength(read)
  await addEvents(database.db, tenantId, 1)
  lanes.wake(tenantId, webhookId, { eventId: 'evt_another', isEarly: false })
  await waitFor(() => expect(begun).toHaveLength(2))
  for (const attempt of [...held]) attempt.answer(200)
  await lanes.drain()
})

test('the wake after its commit begins no pass where the search is under way', async () => {
  const { tenantId, webhookId } = await addTarget()
  let reads = 0
  let wakeLate: (() => void) | undefined
  // Read as a claim begins and as it ends.
  const clock = () => {
    reads += 1
    wakeLate?.()
    return new Date()
  }
  const { lanes, held, begun } = startHeldLanes(database.db, { clock })
  const { eventId, commit } = await beginEvent(database.db, tenantId)
  lanes.wake(tenantId, webhookId, { eventId, isEarly: true })
  await untilLocked({ tenantId, webhookId })
  wakeLate = () => lanes.wake(tenantId, webhookId, { eventId, isEarly: false })
  await commit()
  await waitFor(() => expect(begun).toMatchObject([{ eventId }]))
  const read = reads
  await untilFree({ tenantId, webhookId })
  // As long as a pass needs to begin.
  for (let turn = 0; turn < 5; turn += 1) await immediately()
  await untilFree({ tenantId, webhookId })
  expect(reads).toBe(read)
  held[0]?.answer(200)
  await lanes.drain()
})

test('two events that commit one after the other are both found, whichever wake comes first', async () => {
  const { tenantId, webhookId } = await addTarget()
  const { lanes, held, begun } = startHeldLanes(database.db)
  const first = await beginEvent(database.db, tenantId)
  await first.commit()
  const second = await beginEvent(database.db, tenantId)
  lanes.wake(tenantId, webhookId, { eventId: second.eventId, isEarly: true })
  lanes.wake(tenantId, webhookId, { eventId: first.eventId, isEarly: true })
  await waitFor(() => expect(begun).toMatchObject([{ eventId: first.eventId }]))
  await untilLocked({ tenantId, webhookId })
  await second.commit()
  await waitFor(() => expect(begun[1]).toMatchObject({ eventId: second.eventId }))
  for (const attempt of [...held]) attempt.answer(200)
  await lanes.drain()
})

test('an event that does not commit in time is left, with its webhook free, to the wake after its commit', async () => {
  const { tenantId, webhookId } = await addTarget()
  const reads = await noteReads()
  const { lanes, held, begun } = startHeldLanes(database.db, { clock: reads.clock })
  const { eventId, commit } = await beginEvent(database.db, tenantId)
  const until = now + EARLY_WAKE_HOLDS_MS
  lanes.wake(tenantId, webhookId, { eventId, isEarly: true })
  await untilLocked({ tenantId, webhookId })
  tooLate()
  // Between the last claim in time and the one after it the webhook is free for a moment.
  await waitFor(() => expect(reads.haveClaimSince(until)).toBe(true))
  await untilFree({ tenantId, webhookId })

  await commit()
  expect(begun).toHaveLength(0)
  const late = { eventId, isEarly: false }
  expect(wakes).toContainEqual({ kind: 'deliveries', tenantId, webhookId, event: late })
  lanes.wake(tenantId, webhookId, late)
  await waitFor(() => expect(begun).toHaveLength(1))
  held[0]?.answer(200)
  await lanes.drain()
})

test('a claim that began too soon is repeated, though it was slow', async () => {
  const { tenantId, webhookId } = await addTarget()
  const { eventId, commit } = await beginEvent(database.db, tenantId)
  // The first claim takes all the time there is.
  const reads = await noteReads(tooLate)
  const { lanes } = startHeldLanes(database.db, { clock: reads.clock })
  const until = now + EARLY_WAKE_HOLDS_MS
  lanes.wake(tenantId, webhookId, { eventId, isEarly: true })
  await waitFor(() => expect(reads.countSince(until)).toBe(reads.ofPass))
  await untilFree({ tenantId, webhookId })
  await commit()
  await lanes.drain()
})

test('the webhooks of a lone event are woken before its commit, and after it only if that was slow', async () => {
  const { tenantId, webhookId } = await addTarget()
  const wake = { kind: 'deliveries', tenantId, webhookId } as const
  const quick = await beginEvent(database.db, tenantId)
  expect(wakes).toEqual([{ ...wake, event: { eventId: quick.eventId, isEarly: true } }])
  now += EARLY_COMMIT_MS
  await quick.commit()
  expect(wakes).toHaveLength(1)

  const slow = await beginEvent(database.db, tenantId)
  now += EARLY_COMMIT_MS + 1
  await slow.commit()
  const { eventId } = slow
  expect(wakes.slice(1)).toEqual([
    { ...wake, event: { eventId, isEarly: true } },
    { ...wake, event: { eventId, isEarly: false } },
  ])
})

test('the webhooks of an event are woken together, so that one claim serves them all', async () => {
  const calls: (readonly Wake[])[] = []
  const onCommit = (woken: readonly Wake[]) => void calls.push(woken)
  await using other = await createTestDatabase({ onCommit })
  const tenantId = await openTenant(other.db)
  for (let webhook = 0; webhook < 3; webhook += 1) await addWebhook(other.db, tenantId)
  calls.length = 0
  await addEvents(other.db, tenantId, 1)
  expect(calls.map(({ length }) => length)).toEqual([3])
})

test('events that share a commit wake their webhooks after it', async () => {
  const { tenantId, webhookId } = await addTarget()
  await inTransaction(database.db, (tx) =>
    appendEvents(tx, tenantId, [eligible('bor_1'), eligible('bor_2')]),
  )
  expect(wakes).toEqual([{ kind: 'deliveries', tenantId, webhookId }])
})

test('a transaction that fails sends no wake after its early one', async () => {
  const webhook = { tenantId: 'ten', webhookId: 'whk' }
  const failing = inTransaction(database.db, async (tx) => {
    wakeBeforeCommit(tx, { tenantId: 'ten', eventId: 'evt' }, ['whk'])
    now += EARLY_COMMIT_MS + 1
    await sql`SELECT 1 / ${0}::int`.execute(tx)
  })
  await expect(failing).rejects.toThrow('division by zero')
  expect(wakes).toEqual([
    { kind: 'deliveries', ...webhook, event: { eventId: 'evt', isEarly: true } },
  ])
})
