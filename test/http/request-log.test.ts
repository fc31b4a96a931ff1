import { createHash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { stringToSign } from '../../src/domain/auth/verify-signature.ts'
import type { RequestFilters } from '../../src/domain/request-log/queries.ts'
import { getRequest, listRequests } from '../../src/domain/request-log/read-requests.ts'
import { apiForFile, type TestResponse } from '../support/api/api.ts'
import { waitFor } from '../support/process/patience.ts'

const BORROWER = { type: 'individual', kyc_attested: true, residency_country: 'DE' }

const api = apiForFile()

const idOf = ({ headers }: TestResponse) => String(headers['x-svc-request-id'])

/** The entry of an answered request, once it is written. */
function logged(answer: TestResponse, tenantId = api.tenant.id) {
  return waitFor(() => getRequest(api.db, tenantId, idOf(answer)))
}

test('a request is logged with what it was, what it made and how it was answered', async () => {
  const idempotencyKey = randomUUID()
  const answer = await api.tenant.send('POST', '/v1/borrowers', { body: BORROWER, idempotencyKey })
  const entry = await logged(answer)
  expect(entry).toMatchObject({
    id: idOf(answer),
    via: 'api',
    method: 'POST',
    route: '/v1/borrowers',
    path: '/v1/borrowers',
    status: 201,
    code: undefined,
    keyId: api.tenant.keyId,
    idempotencyKey,
    resourceId: answer.json().id,
    details: {},
  })
  expect(entry.durationMs).toBeGreaterThan(0)
  expect(Math.abs(entry.at.getTime() - Date.now())).toBeLessThan(60_000)
})

test('a refusal is logged with the answer that was sent', async () => {
  const answer = await api.tenant.send('POST', '/v1/borrowers', { body: { type: 'individual' } })
  const { code, details } = await logged(answer)
  expect(code).toBe('validation_failed')
  expect(details.answer).toEqual(answer.json())
  expect(details.sent).toBeUndefined()
})

test('a signature that does not verify is logged with the string to sign, equal to what the client would sign', async () => {
  const body = JSON.stringify(BORROWER)
  const target = '/v1/borrowers?limit=5'
  const idempotencyKey = randomUUID()
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const answer = await api.tenant.send('POST', target, {
    body,
    idempotencyKey,
    timestamp,
    headers: { 'x-svc-signature': `${'A'.repeat(86)}==`, 'x-other': 'secret' },
  })
  expect(answer.status).toBe(401)
  const { details, ...entry } = await logged(answer)
  const bodyHash = createHash('sha256').update(body).digest('hex')
  const { keyId } = api.tenant
  const signed = { keyId, timestamp, method: 'POST', target, idempotencyKey, bodyHash }
  expect(details.answer).toMatchObject({ string_to_sign: stringToSign(signed) })
  expect(details.sent).toEqual({
    'x-svc-key-id': keyId,
    'x-svc-timestamp': timestamp,
    'x-svc-signature': `${'A'.repeat(86)}==`,
    'idempotency-key': idempotencyKey,
    'content-type': 'application/json',
    'content-length': String(body.length),
  })
  expect(entry).toMatchObject({ code: 'signature_invalid', keyId, status: 401 })
})

test('of a query only what the API reads is shown, in the string to sign too', async () => {
  const target = '/v1/borrowers?limit=3&token=hunter2'
  const refused = await api.tenant.send('GET', target)
  const unsigned = await api.tenant.send('GET', target, {
    headers: { 'x-svc-signature': `${'A'.repeat(86)}==` },
  })
  for (const answer of [refused, unsigned]) {
    const entry = await logged(answer)
    expect(entry.details.query).toEqual({ limit: '3' })
    expect(entry.path).toBe('/v1/borrowers')
    expect(JSON.stringify(entry)).not.toContain('hunter2')
  }
  expect((await logged(unsigned)).details.answer).toMatchObject({
    string_to_sign: expect.stringContaining('/v1/borrowers?…'),
  })
})

test('requests under an unknown key, or with no signature, are in no log', async () => {
  const headers = { 'x-svc-key-id': `key_${'0'.repeat(26)}` }
  const unknown = await api.tenant.send('GET', '/v1/borrowers', { headers })
  const unsigned = await fetch(`${api.baseUrl}/v1/borrowers`)
  expect([unknown.status, unsigned.status]).toEqual([401, 401])
  await logged(await api.tenant.send('GET', '/v1/borrowers'))
  const rows = await api.db.selectFrom('request_log').select('request_id').execute()
  const ids = rows.map((row) => row.request_id)
  expect(ids).not.toContain(idOf(unknown))
  expect(ids).not.toContain(unsigned.headers.get('x-svc-request-id'))
})

test('neither a signing secret, nor a signer, nor a private header is in the log', async () => {
  const made = await api.tenant.send('POST', '/v1/webhooks/secrets')
  expect(made.status).toBe(201)
  const { secret } = made.json()
  const borrower = await api.tenant.send('POST', '/v1/borrowers', { body: BORROWER })
  const target = `/v1/borrowers/${borrower.json().id}/signatures`
  const signature = await api.tenant.send('POST', target, {
    body: {
      full_name: 'Ada Canary',
      email: 'ada.canary@example.com',
      ip_address: 'canary',
      signed_at: 'canary',
      contract_type: 'canary',
      contract_version: 'canary',
    },
    headers: { authorization: 'Bearer canary', cookie: 'canary=1' },
  })
  expect(signature.status).toBe(422)
  await Promise.all([made, borrower, signature].map((answer) => logged(answer)))
  const rows = await api.db.selectFrom('request_log').selectAll().execute()
  const text = JSON.stringify(rows).toLowerCase()
  expect(secret.length).toBeGreaterThan(20)
  expect(text).not.toContain(secret.toLowerCase())
  expect(text).not.toContain('canary')
})

test('the log is listed newest first, page by page, by each filter', async () => {
  const tenant = await api.addTenant()
  const other = await tenant.addKey()
  const list = (filters: RequestFilters, limit = 100, from?: string) =>
    listRequests(api.db, tenant.id, { filters, limit, from }, api.resources.cursors)
  const made = await tenant.send('POST', '/v1/borrowers', { body: BORROWER })
  const borrowerId: string = made.json().id
  const answers = [
    made,
    await tenant.send('GET', `/v1/borrowers/${borrowerId}`),
    await other.send('GET', '/v1/borrowers'),
    await tenant.send('GET', '/v1/borrowers/bor_0'),
    await tenant.send('POST', '/v1/borrowers', { body: {} }),
  ]
  for (const answer of answers) await logged(answer, tenant.id)
  const ids = answers.map(idOf).reverse()
  const [invalid, missing, byOther, got, first] = ids

  const found = async (filters: RequestFilters) => {
    const { items, hasMore } = await list(filters)
    expect(hasMore).toBe(false)
    return items.map(({ id }) => id)
  }
  expect(await found({})).toEqual(ids)
  expect(await found({ method: 'POST' })).toEqual([invalid, first])
  expect(await found({ statuses: { from: 400, to: 499 } })).toEqual([invalid, missing])
  expect(await found({ statuses: { from: 201, to: 201 } })).toEqual([first])
  expect(await found({ code: 'not_found' })).toEqual([missing])
  expect(await found({ keyId: other.keyId })).toEqual([byOther])
  expect(await found({ resourceId: borrowerId })).toEqual([got, first])
  expect(await found({ path: '/v1/borrowers/:borrower_id' })).toEqual([missing, got])
  expect(await found({ path: `/v1/borrowers/${borrowerId}` })).toEqual([got])
  const { at } = await logged(answers[2] as TestResponse, tenant.id)
  expect(await found({ since: at, method: 'GET' })).toEqual([missing, byOther])
  expect(await found({ until: at })).toEqual([got, first])

  const paged: string[] = []
  let from: string | undefined
  do {
    const page = await list({}, 2, from)
    paged.push(...page.items.map(({ id }) => id))
    from = page.nextCursor
  } while (from !== undefined)
  expect(paged).toEqual(ids)
  const { nextCursor } = await list({}, 2)
  await expect(list({ method: 'GET' }, 2, nextCursor)).rejects.toMatchObject({
    code: 'cursor_invalid',
  })
})

test('a filter without an index reads a bounded number and goes on from there', async () => {
  const { db } = api
  const tenant = await api.addTenant()
  const rare = await tenant.send('POST', '/v1/borrowers', { body: BORROWER })
  await logged(rare, tenant.id)
  await addRequests(tenant.id, 5_000)
  const filters = { method: 'POST' }
  const first = await listRequests(
    db,
    tenant.id,
    { filters, limit: 10, from: undefined },
    api.resources.cursors,
  )
  expect(first).toMatchObject({ items: [], hasMore: true })
  const request = { filters, limit: 10, from: first.nextCursor }
  const second = await listRequests(db, tenant.id, request, api.resources.cursors)
  expect(second.items.map(({ id }) => id)).toEqual([idOf(rare)])
  expect(second.hasMore).toBe(false)
})

async function addRequests(tenantId: string, count: number): Promise<void> {
  const { insertRequests } = await import('../../src/domain/request-log/queries.ts')
  const { newId } = await import('../../src/core/ids.ts')
  const entries = Array.from({ length: count }, () => ({
    tenantId,
    requestId: newId('req'),
    method: 'GET',
    route: '/v1/borrowers',
    path: '/v1/borrowers',
    status: 200,
    code: undefined,
    keyId: undefined,
    personId: undefined,
    durationMs: 1,
    idempotencyKey: undefined,
    resourceId: undefined,
    details: undefined,
    isFree: false,
  }))
  await insertRequests(api.db, entries)
}
