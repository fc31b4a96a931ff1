import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { createSealer } from '../../src/core/sealing.ts'
import { inTransaction } from '../../src/db/database.ts'
import { runOnce } from '../../src/domain/idempotency/idempotency.ts'
import { readOperations } from '../attacks/fuzz/document.ts'
import { apiForFile, type TestResponse, type TestTenant } from '../support/api/api.ts'
import { expectCommonHeaders, expectProblem } from '../support/api/expect-problem.ts'

const HOUR_MS = 3_600_000
const START = Date.now()
let nowMs = START
const api = apiForFile({ clock: () => new Date(nowMs), env: { DATABASE_CONNECTIONS: '20' } })
let tenant: TestTenant
beforeEach(async () => {
  nowMs = START
  tenant = await api.addTenant()
})

const BORROWER = { type: 'individual', kyc_attested: true, residency_country: 'DE' }

const create = (idempotencyKey: string | null, body: unknown = BORROWER) =>
  tenant.send('POST', '/v1/borrowers', { body, idempotencyKey })

async function countBorrowers(of = tenant): Promise<number> {
  const rows = await api.db
    .selectFrom('borrowers')
    .select('borrower_id')
    .where('tenant_id', '=', of.id)
    .execute()
  return rows.length
}

const isReplay = ({ headers }: TestResponse) => headers['idempotent-replayed'] === 'true'

describe('one key', () => {
  test('one idempotency key in 50 simultaneous requests has one effect and one answer', async () => {
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(key)))
    const created = answers.filter(({ status }) => status === 201)
    expect(created.filter((answer) => !isReplay(answer))).toHaveLength(1)
    expect(new Set(created.map(({ text }) => text)).size).toBe(1)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expectProblem(answer, 409, 'idempotency_in_progress')
      expect(answer.headers['retry-after']).toBe('1')
    }
    expect(await countBorrowers()).toBe(1)
    expect((await create(key)).text).toBe(created[0]?.text)
  })

  test('one idempotency key is refused while a request holds it, with when to come back, and free once that is given up', async () => {
    const idempotencyKey = randomUUID()
    const held = {
      tenantId: tenant.id,
      key: idempotencyKey,
      fingerprint: Buffer.alloc(32),
      sentBy: 'key_1',
    }
    const secrets = {
      sealer: createSealer([{ id: 'test', bytes: randomBytes(32) }]),
      replayHours: 24,
      currentSecretId: async () => undefined,
    }
    const givenUp = new Error('given up')
    let meanwhile: TestResponse | undefined
    const first = runOnce(api.db, held, { secrets, now: new Date(nowMs) }, async () => {
      meanwhile = await create(idempotencyKey)
      throw givenUp
    })
    await expect(first).rejects.toBe(givenUp)
    expectProblem(meanwhile, 409, 'idempotency_in_progress')
    expect(meanwhile?.headers['retry-after']).toBe('1')
    expect(await countBorrowers()).toBe(0)
    expect((await create(idempotencyKey)).status).toBe(201)
  })

  test('one idempotency key is recorded by the transaction that has its effect', async () => {
    await create(randomUUID())
    const { rows } = await sql<{ effect: string; record: string }>`
      SELECT b.xmin::text AS effect, r.xmin::text AS record
      FROM borrowers b JOIN idempotency_records r USING (tenant_id)
      WHERE tenant_id = ${tenant.id}`.execute(api.db)
    expect(rows).toHaveLength(1)
    expect(rows[0]?.record).toBe(rows[0]?.effect)
  })

  test('one idempotency key in 200 requests with different bodies has one effect', async () => {
    const key = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, at) =>
        create(key, {
          ...BORROWER,
          kyc_attested: at % 2 === 0,
          type: at % 3 === 0 ? 'business' : 'individual',
        }),
      ),
    )
    const statuses = answers.filter((answer) => !isReplay(answer)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.every((status) => [201, 409, 422].includes(status))).toBe(true)
    expect(await countBorrowers()).toBe(1)
  })

  test('one idempotency key in simultaneous deletions is answered as deleted, never as missing', async () => {
    for (let round = 0; round < 5; round += 1) {
      const body = { url: 'http://127.0.0.1:9/' }
      const { id } = (await tenant.send('POST', '/v1/webhooks', { body })).json()
      const idempotencyKey = randomUUID()
      const answers = await Promise.all(
        Array.from({ length: 20 }, () =>
          tenant.send('DELETE', `/v1/webhooks/${id}`, { idempotencyKey }),
        ),
      )
      const statuses = new Set(answers.map(({ status }) => status))
      statuses.delete(409)
      expect([...statuses]).toEqual([204])
    }
  })

  test('one idempotency key of two tenants has an effect for each', async () => {
    const key = randomUUID()
    const other = await api.addTenant()
    const first = await create(key)
    const second = await other.send('POST', '/v1/borrowers', {
      body: BORROWER,
      idempotencyKey: key,
    })
    expect([first.status, second.status]).toEqual([201, 201])
    expect(isReplay(second)).toBe(false)
    expect(second.json().id).not.toBe(first.json().id)
  })

  test('one idempotency key of ten tenants at once has one effect for each, and none waits for another', async () => {
    const idempotencyKey = randomUUID()
    const tenants = await Promise.all(Array.from({ length: 10 }, () => api.addTenant()))
    const answers = await Promise.all(
      tenants.map((each) => each.send('POST', '/v1/borrowers', { body: BORROWER, idempotencyKey })),
    )
    expect(answers.map(({ status }) => status)).toEqual(tenants.map(() => 201))
    expect(answers.filter(isReplay)).toEqual([])
    expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(tenants.length)
    const [one, other] = [tenants[0], answers[1]?.json().id]
    expect((await one?.send('GET', `/v1/borrowers/${other}`))?.status).toBe(404)
  })

  test('one idempotency key of two API keys of one tenant has one effect', async () => {
    const key = randomUUID()
    const first = await create(key)
    const second = await (await tenant.addKey()).send('POST', '/v1/borrowers', {
      body: BORROWER,
      idempotencyKey: key,
    })
    expect(isReplay(second)).toBe(true)
    expect(second.text).toBe(first.text)
  })

  test('one idempotency key is the same key in upper and lower case', async () => {
    const key = randomUUID()
    const first = await create(key)
    const second = await create(key.toUpperCase())
    expect(isReplay(second)).toBe(true)
    expect(second.text).toBe(first.text)
  })

  test.each([
    ['another body', '/v1/borrowers', { ...BORROWER, kyc_attested: false }],
    ['another spelling of the body', '/v1/borrowers', `${JSON.stringify(BORROWER)} `],
    ['another spelling of the target', '/v1/%62orrowers', BORROWER],
    ['another path', '/v1/webhooks/secrets', undefined],
  ])('one idempotency key is refused for %s', async (_name, target, body) => {
    const key = randomUUID()
    await create(key)
    const answer = await tenant.send('POST', target, { body, idempotencyKey: key })
    expectProblem(answer, 422, 'idempotency_key_reused')
    expect(await countBorrowers()).toBe(1)
  })

  test('one idempotency key that was refused is still unused', async () => {
    const key = randomUUID()
    const { residency_country: _, ...incomplete } = BORROWER
    expectProblem(await create(key, incomplete), 422, 'validation_failed')
    const hawaii = { ...BORROWER, residency_country: 'US', residency_state: 'HI' }
    expectProblem(await create(key, hawaii), 422, 'residency_not_supported')
    const answer = await create(key)
    expect(answer.status).toBe(201)
    expect(isReplay(answer)).toBe(false)
  })
})

describe('a replay', () => {
  test('a replayed answer is the first answer to the byte, with fresh headers', async () => {
    const key = randomUUID()
    const first = await create(key)
    await api.db.updateTable('borrowers').set({ eligible: true }).execute()
    const second = await create(key)
    expect(second).toMatchObject({ status: 201, text: first.text })
    expect(second.headers['content-type']).toBe(first.headers['content-type'])
    expectCommonHeaders(second.headers)
    expect(second.headers['x-svc-request-id']).not.toBe(first.headers['x-svc-request-id'])
    expect(isReplay(first)).toBe(false)
  })

  test('a replayed answer of an empty answer is empty', async () => {
    const { id } = (await create(randomUUID())).json()
    const body = {
      full_name: 'Ada Lovelace',
      email: 'ada@example.com',
      ip_address: '203.0.113.9',
      signed_at: new Date(nowMs).toISOString(),
      contract_type: 'master_loan_agreement',
      contract_version: '2026-01',
    }
    const idempotencyKey = randomUUID()
    const send = () =>
      tenant.send('POST', `/v1/borrowers/${id}/signatures`, { body, idempotencyKey })
    const [first, second] = [await send(), await send()]
    for (const answer of [first, second]) {
      expect(answer).toMatchObject({ status: 202, text: '' })
      expect(answer.headers['content-type']).toBeUndefined()
      expectCommonHeaders(answer.headers)
    }
    expect(isReplay(second)).toBe(true)
    const { items } = (await tenant.send('GET', `/v1/borrowers/${id}/signatures`)).json()
    expect(items).toHaveLength(1)
  })

  test('a replayed answer of a registration needs neither the name resolved again nor a free place', async () => {
    const idempotencyKey = randomUUID()
    const body = { url: 'http://127.0.0.1:9/' }
    const register = () => tenant.send('POST', '/v1/webhooks', { body, idempotencyKey })
    const first = await register()
    const others = Array.from({ length: 19 }, () => tenant.send('POST', '/v1/webhooks', { body }))
    await Promise.all(others)
    expectProblem(await tenant.send('POST', '/v1/webhooks', { body }), 409, 'limit_reached')
    expect(await register()).toMatchObject({ status: 201, text: first.text })
  })
})

describe('the header', () => {
  test.each([
    'POST /v1/borrowers',
    'POST /v1/webhooks',
    'POST /v1/webhooks/secrets',
    'PUT /v1/portfolio-source',
    'POST /v1/sandbox/clock',
  ])('the Idempotency-Key header is required on %s', async (operation) => {
    const [method = '', target = ''] = operation.split(' ')
    const answer = await tenant.send(method, target, { idempotencyKey: null })
    expectProblem(answer, 400, 'idempotency_key_missing')
  })

  test.each([
    'x',
    '0b0f4f9a3d0e4b7e9a516f0d9b1f2c3d',
    '{0b0f4f9a-3d0e-4b7e-9a51-6f0d9b1f2c3d}',
    '0b0f4f9a-3d0e-4b7e-9a51-6f0d9b1f2c3g',
    'urn:uuid:0b0f4f9a-3d0e-4b7e-9a51-6f0d9b1f2c3d',
    '0b0f4f9a-3d0e-4b7e-9a51-6f0d9b1f2c3d,0b0f4f9a-3d0e-4b7e-9a51-6f0d9b1f2c3d',
  ])('the Idempotency-Key %s is refused: it is no UUID', async (key) => {
    expectProblem(await create(key), 400, 'idempotency_key_invalid')
  })

  test('the Idempotency-Key header is refused where it is empty, on every operation that changes something', async () => {
    const changes = readOperations().filter(
      ({ method, path }) => method !== 'GET' && !path.endsWith('/preview'),
    )
    expect(changes.length).toBeGreaterThan(15)
    for (const { name, method, path } of changes) {
      const answer = await tenant.send(method, path.replace(/[{}]/g, ''), { idempotencyKey: '' })
      expectProblem(answer, 400, 'idempotency_key_invalid')
      expect(answer.headers['ratelimit-limit'], name).toBeDefined()
    }
  })

  test.each(['/v1/webhooks/simulate', '/v1/borrowers/x/portfolio'])(
    'the Idempotency-Key header must be a UUID or left out on %s, where it is not recorded',
    async (target) => {
      const method = target.endsWith('portfolio') ? 'PUT' : 'POST'
      const send = (idempotencyKey: string | null) =>
        tenant.send(method, target, { idempotencyKey, body: {} })
      expectProblem(await send('x'), 400, 'idempotency_key_invalid')
      expectProblem(await send(randomUUID()), 422, 'validation_failed')
      expectProblem(await send(null), 422, 'validation_failed')
    },
  )

  test('the Idempotency-Key header has no effect on a read, whatever it holds', async () => {
    for (const idempotencyKey of ['', 'x', randomUUID()]) {
      expect((await tenant.send('GET', '/v1/borrowers/x', { idempotencyKey })).status).toBe(404)
      expect((await tenant.send('GET', '/v1/webhooks', { idempotencyKey })).status).toBe(200)
    }
  })

  test('the Idempotency-Key header works on DELETE, and is not needed there', async () => {
    const body = { url: 'http://127.0.0.1:9/' }
    const register = async () => (await tenant.send('POST', '/v1/webhooks', { body })).json().id
    const [first, second] = [await register(), await register()]
    const idempotencyKey = randomUUID()
    const remove = () => tenant.send('DELETE', `/v1/webhooks/${first}`, { idempotencyKey })
    expect(await remove()).toMatchObject({ status: 204, text: '' })
    const again = await remove()
    expect(again).toMatchObject({ status: 204, text: '' })
    expect(isReplay(again)).toBe(true)
    const plain = () => tenant.send('DELETE', `/v1/webhooks/${second}`, { idempotencyKey: null })
    expect((await plain()).status).toBe(204)
    expectProblem(await plain(), 404, 'not_found')
  })
})

describe('a signing secret', () => {
  const createSecret = (idempotencyKey: string) =>
    tenant.send('POST', '/v1/webhooks/secrets', { idempotencyKey })

  const currentSecret = async () =>
    (
      await api.db
        .selectFrom('signing_secrets')
        .select('secret_id')
        .where('tenant_id', '=', tenant.id)
        .executeTakeFirstOrThrow()
    ).secret_id

  test('a signing secret is shown again for 24 hours while it is current, then never, and never rotated', async () => {
    const key = randomUUID()
    const first = await createSecret(key)
    expect(first.json().secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const made = await currentSecret()
    nowMs += 24 * HOUR_MS
    expect(await createSecret(key)).toMatchObject({ status: 201, text: first.text })
    nowMs += 1
    expectProblem(await createSecret(key), 409, 'secret_not_retrievable')
    expect(await currentSecret()).toBe(made)
  })

  test('a signing secret that was replaced is not shown again, and the late retry does not bring it back', async () => {
    const key = randomUUID()
    await createSecret(key)
    const replacement = await createSecret(randomUUID())
    const made = await currentSecret()
    const late = await createSecret(key)
    expectProblem(late, 409, 'secret_not_retrievable')
    expect(late.text).not.toContain('whsec_')
    expect(await currentSecret()).toBe(made)
    expect(replacement.status).toBe(201)
  })

  test('a signing secret cannot be read in any table', async () => {
    const { secret } = (await createSecret(randomUUID())).json()
    const part = secret.slice('whsec_'.length, 40)
    for (const table of ['idempotency_records', 'signing_secrets']) {
      const { rows } = await sql<{ text: string }>`
        SELECT row_to_json(t)::text AS text FROM ${sql.table(table)} t`.execute(api.db)
      expect(rows.length).toBeGreaterThan(0)
      for (const { text } of rows) expect(text).not.toContain(part)
    }
  })

  test('a signing secret of one record is not opened in the place of another', async () => {
    const [mine, theirs] = [randomUUID(), randomUUID()]
    await createSecret(mine)
    await createSecret(theirs)
    await sql`
      UPDATE idempotency_records SET body = other.body, secret_id = other.secret_id
      FROM idempotency_records other
      WHERE idempotency_records.tenant_id = ${tenant.id} AND other.tenant_id = ${tenant.id}
        AND idempotency_records.key = ${mine} AND other.key = ${theirs}`.execute(api.db)
    expectProblem(await createSecret(mine), 409, 'secret_not_retrievable')
  })
})

describe('a crash', () => {
  test('a crash between effect and commit leaves neither, and the retry takes effect once', async () => {
    const key = randomUUID()
    const pending = await inTransaction(api.db, async (tx) => {
      // Holds the record's insertion up, which comes after the effect.
      await sql`LOCK TABLE idempotency_records IN SHARE ROW EXCLUSIVE MODE`.execute(tx)
      const crashed = create(key)
      await sql`SELECT pg_terminate_backend(${await findWaiting(tx)}::integer)`.execute(tx)
      return await crashed
    })
    expectProblem(pending, 503, 'unavailable')
    expect(pending.headers['retry-after']).toMatch(/^\d+$/)
    expect(await countBorrowers()).toBe(0)
    expect(isReplay(await create(key))).toBe(false)
    expect(isReplay(await create(key))).toBe(true)
    expect(await countBorrowers()).toBe(1)
  })

  test('a lock that is held too long is answered as unavailable', async () => {
    const key = randomUUID()
    const answer = await inTransaction(api.db, async (tx) => {
      await sql`LOCK TABLE idempotency_records IN SHARE ROW EXCLUSIVE MODE`.execute(tx)
      return await create(key)
    })
    expectProblem(answer, 503, 'unavailable')
    expect(isReplay(await create(key))).toBe(false)
  })

  /** The backend that waits for the table's lock, as soon as there is one. */
  async function findWaiting(db: typeof api.db): Promise<number> {
    for (;;) {
      const { rows } = await sql<{ pid: number }>`
        SELECT pid FROM pg_locks
        WHERE NOT granted AND relation = 'idempotency_records'::regclass`.execute(db)
      const [row] = rows
      if (row) return row.pid
    }
  }
})
