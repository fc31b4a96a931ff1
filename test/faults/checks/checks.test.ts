import { createHmac, randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addEvents, addWebhook, readDeliveries } from '../../support/deliveries/deliveries.ts'
import { addBorrower, openTenant } from '../../support/lending/onboarding.ts'
import { createTemporaryFolder } from '../../support/process/temporary-folder.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stores/database.ts'
import type { Received, Receivers } from '../actors/receivers.ts'
import type { Tenant } from '../actors/tenant.ts'
import type { World } from '../world/world.ts'
import { checkEffects } from './check-effects.ts'
import { checkLeaks, checkTenants, findDeadlocks } from './check-leaks.ts'
import { checkReceivers } from './check-receivers.ts'
import { type Answered, openSentLog, type Sent, type SentLog } from './sent-log.ts'

let open: DisposableStack
let database: TestDatabase
let folder: string
let log: SentLog
let tenantId: string
beforeEach(async () => {
  open = new DisposableStack()
  database = await createTestDatabase()
  folder = open.use(createTemporaryFolder()).path
  log = open.use(openSentLog(join(folder, 'sent.jsonl')))
  tenantId = await openTenant(database.db)
})
afterEach(async () => {
  open.dispose()
  await database[Symbol.asyncDispose]()
})

const POST = { method: 'POST', target: '/v1/borrowers', body: '{}' }

function write(key: string, sent: Partial<Sent>, answered?: Partial<Answered>): void {
  log.write({ kind: 'sent', tenantId, key, ...POST, ...sent })
  if (!answered) return
  const { body: asked = POST.body } = sent
  log.write({ kind: 'answered', tenantId, key, asked, status: 201, body: '{}', ...answered })
}

const created = (id: string) => ({ status: 201, body: `{"id":"${id}"}` })
const LOST = 'bor_01m7w5zrfvfzv9k7p95tp0m6yq'

describe('effects', () => {
  test('effects that were acknowledged and exist are in order', async () => {
    const id = await addBorrower(database.db, tenantId)
    write(randomUUID(), {}, created(id))
    write(randomUUID(), {}, { status: 503 })
    write(randomUUID(), {})
    expect(await checkEffects(database.db, log)).toEqual([])
  })

  test('effects that were acknowledged and are lost are found', async () => {
    write(randomUUID(), {}, created(LOST))
    expect(await checkEffects(database.db, log)).toEqual([
      `${tenantId} ${LOST} was acknowledged and is lost`,
    ])
  })

  test('effects that no answer acknowledged are found', async () => {
    const id = await addBorrower(database.db, tenantId)
    expect(await checkEffects(database.db, log)).toEqual([
      `${tenantId} ${id} exists and no answer acknowledged it`,
    ])
  })

  test('effects of a key that was answered in two ways, or with two bodies, are found', async () => {
    const key = randomUUID()
    const [first, second] = [
      await addBorrower(database.db, tenantId),
      await addBorrower(database.db, tenantId),
    ]
    write(key, {}, created(first))
    write(key, { body: '{"other":1}' }, created(second))
    const problems = await checkEffects(database.db, log)
    expect(problems).toContain(`POST /v1/borrowers under ${key} was answered in 2 ways`)
    expect(problems).toContain(`POST /v1/borrowers under ${key} took effect with 2 bodies`)
  })

  test('lost signatures, reports, deletions and snapshots are found', async () => {
    const signature = { target: `/v1/borrowers/${LOST}/signatures`, body: '{"contract_type":"a"}' }
    write(randomUUID(), signature, { status: 202, body: '' })
    const execution = { target: '/v1/facilities/fac_1/repayments/rep_1/execution' }
    write(randomUUID(), { ...execution, body: '{"reference":"w"}' }, { status: 200 })
    const deletion = { method: 'DELETE', target: '/v1/webhooks/whk_1' }
    write(randomUUID(), deletion, { status: 204, body: '' })
    const body = '{"as_of":"2026-11-20T10:00:00.000001Z"}'
    const push = { method: 'PUT', target: `/v1/borrowers/${LOST}/portfolio`, body }
    write(randomUUID(), push, { status: 200, body: '{"applied":true}' })
    expect(await checkEffects(database.db, log)).toEqual([
      `${LOST} a was signed and is lost`,
      'rep_1 w was reported and is lost',
      'whk_1 was deleted and is back',
      expect.stringContaining(`${LOST} has lost the snapshot of`),
    ])
  })
})

/** A tenant of the run, with what the checks read. */
function witness(rest: Partial<Tenant> = {}): Tenant {
  const known = { id: tenantId, name: 'tenant-1', secrets: [], refusals: [] }
  return { ...known, deletions: new Map(), seen: new Set(), ...rest } as unknown as Tenant
}

describe('deliveries', () => {
  let webhookId: string
  let event: Received
  beforeEach(async () => {
    webhookId = await addWebhook(database.db, tenantId, { url: 'https://example.com/hook' })
    await addEvents(database.db, tenantId, 1)
    const [row] = await readDeliveries(database.db, webhookId)
    const { body } = await database.db.selectFrom('events').select('body').executeTakeFirstOrThrow()
    await database.db.updateTable('deliveries').set({ attempts: 1 }).execute()
    event = {
      path: '/hook',
      eventId: row?.event_id ?? '',
      attempt: 1,
      timestamp: 1_000,
      signature: undefined,
      body,
      at: 1_000_000,
      instant: 0,
      acknowledged: true,
    }
  })

  const check = (received: Received[], tenant = witness(), strays = 0) => {
    const receivers = { received, strays: () => strays } as unknown as Receivers
    return checkReceivers(database.db, receivers, [tenant], log)
  }

  test('deliveries that match the database are in order', async () => {
    expect(await check([event])).toEqual([])
  })

  test.each<[string, Partial<Received>, RegExp]>([
    ['of no event', { eventId: 'evt_unheard' }, /is no delivery/],
    ['to an endpoint of no webhook', { path: '/elsewhere' }, /is no delivery/],
    ['with another body', { body: '{}' }, /another body/],
    ['with a number that was never recorded', { attempt: 2 }, /was posted as 2 of 1/],
  ])('deliveries %s are found', async (_, difference, problem) => {
    expect(await check([{ ...event, ...difference }])).toEqual([expect.stringMatching(problem)])
  })

  test('deliveries that are unsigned, begun after a deletion, or follow a redirect are found', async () => {
    const secrets = [{ secret: 'whsec_1', at: 500_000 }]
    expect(await check([event], witness({ secrets }))).toEqual([expect.stringMatching(/unsigned/)])
    const deletions = new Map([[webhookId, 999_000]])
    expect(await check([event], witness({ deletions }))).toEqual([
      expect.stringMatching(/begun after the deletion/),
    ])
    expect(await check([event], witness(), 1)).toEqual(['a redirect was followed 1 times'])
  })

  describe('that are signed', () => {
    const target = '/v1/webhooks/secrets'
    const sign = (secret: string) => {
      const mac = createHmac('sha256', secret).update(`${event.timestamp}.${event.body}`)
      return { ...event, signature: `sha256=${mac.digest('hex')}` }
    }

    test('deliveries signed by a secret that an answer returned are in order', async () => {
      const secrets = [{ secret: 'whsec_1', at: 500_000 }]
      expect(await check([sign('whsec_1')], witness({ secrets }))).toEqual([])
      write(randomUUID(), { target }, { body: '{"secret":"whsec_2"}' })
      expect(await check([sign('whsec_2')], witness({ secrets }))).toEqual([])
    })

    test('deliveries signed by a secret that was replaced before are found', async () => {
      const secrets = [1, 2].map((n) => ({ secret: `whsec_${n}`, at: n * 400_000 }))
      expect(await check([sign('whsec_1')], witness({ secrets }))).toEqual([
        expect.stringMatching(/signed by a secret that was replaced before/),
      ])
    })

    test('deliveries signed by no known secret are found, unless the answer with a new secret was lost', async () => {
      const garbage = { ...event, signature: 'sha256=00' }
      const found = [expect.stringMatching(/signed by no secret of its/)]
      expect(await check([garbage])).toEqual(found)
      write(randomUUID(), { target }, { status: 503, body: '{"code":"unavailable"}' })
      write(randomUUID(), { target }, { body: '{"secret":"whsec_2"}' })
      expect(await check([garbage])).toEqual(found)
      const key = randomUUID()
      write(key, { target })
      write(key, { target }, { status: 409, body: '{"code":"secret_not_retrievable"}' })
      expect(await check([garbage])).toEqual([])
    })
  })

  test('deliveries that are marked delivered and were never acknowledged are found', async () => {
    const delivered = {
      state: 'delivered' as const,
      next_attempt_at: null,
      due_at: null,
      listed_as: null,
    }
    await database.db.updateTable('deliveries').set(delivered).execute()
    expect(await check([{ ...event, acknowledged: false }])).toEqual([
      expect.stringMatching(/never acknowledged/),
    ])
  })
})

test('a secret or a name in a log, in Redis or in a refusal is found', () => {
  const world = { folder, secrets: ['encryption-key'] } as unknown as World
  const tenants = [witness({ refusals: ['{"detail":"Ada canary is unknown"}'] })]
  expect(checkLeaks(world, tenants, ['nobody'])).toEqual([])
  writeFileSync(join(folder, 'api-1.1.log'), 'started with encryption-key')
  mkdirSync(join(folder, 'redis-data-1', 'appendonlydir'), { recursive: true })
  writeFileSync(join(folder, 'redis-data-1', 'appendonlydir', 'a.incr.aof'), 'SET Ada canary')
  expect(checkLeaks(world, tenants, ['canary']).sort()).toEqual([
    'api-1.1.log holds encryption-key',
    'redis-data-1/appendonlydir/a.incr.aof holds canary',
    'refusals to tenant-1 holds canary',
  ])
})

test('two transactions that waited for each other are found', () => {
  const world = { folder } as unknown as World
  const deadlock = 'ERROR:  deadlock detected\nDETAIL:  Process 1 waits for ShareLock\n'
  writeFileSync(join(folder, 'postgres.1.log'), 'LOG:  ready\nERROR:  canceling statement\n')
  expect(findDeadlocks(world)).toEqual([])
  writeFileSync(join(folder, 'postgres.2.log'), `LOG:  ready\n${deadlock}STATEMENT:  UPDATE\n`)
  expect(findDeadlocks(world)).toEqual([`postgres.2.log: ${deadlock}`])
})

test('an id of another tenant in an answer is found', async () => {
  const other = await openTenant(database.db)
  const id = await addBorrower(database.db, other)
  const world = { db: database.db } as unknown as World
  expect(await checkTenants(world, [witness({ seen: new Set([LOST]) })])).toEqual([])
  expect(await checkTenants(world, [witness({ seen: new Set([id]) })])).toEqual([
    `tenant-1 was shown ${id}, which is not its own`,
  ])
})
