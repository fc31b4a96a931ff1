import { beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { inTransaction } from '../../src/db/database.ts'
import { resumeTenant, suspendTenant } from '../../src/domain/tenants/suspension.ts'
import { apiForFile, type TestTenant } from '../support/api/api.ts'
import { type SignedIn, signIn } from '../support/api/console.ts'

type Document = { paths: Record<string, Record<string, { operationId: string }>> }

const api = apiForFile({ clock: () => now })
let tenant: TestTenant
let person: SignedIn
let now = new Date()
beforeEach(async () => {
  tenant = await api.addTenant()
  person = await signIn(api, { tenantId: tenant.id })
})

/** Takes effect when the cached key is looked up again. */
async function suspend(): Promise<void> {
  await inTransaction(api.db, (tx) => suspendTenant(tx, tenant.id, { reason: 'court order', now }))
  passFiveSeconds()
}

const passFiveSeconds = () => {
  now = new Date(now.getTime() + 5_001)
}

/** A path with an id of the right form for each parameter. */
function fillIn(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'number') return '1'
    const prefix = {
      webhook_id: 'whk',
      borrower_id: 'bor',
      facility_id: 'fac',
      draw_id: 'drw',
      repayment_id: 'rep',
      event_id: 'evt',
      person_id: 'per',
      key_id: 'key',
    }[name]
    return prefix === undefined ? 'x' : newId(prefix as 'fac')
  })
}

async function readOperations(path: string) {
  const { paths }: Document = (await person.send('GET', path)).json()
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId }]) =>
      operationId === undefined ? [] : [{ path, method: method.toUpperCase(), operationId }],
    ),
  )
}

/** A POST that changes nothing. */
const READS = ['previewFacility']

const isRead = ({ method, operationId }: { method: string; operationId: string }) =>
  method === 'GET' || READS.includes(operationId)

describe('while a tenant is suspended', () => {
  test('every write of its API is refused, and every read goes on', async () => {
    await suspend()
    const operations = await readOperations('/openapi.json')
    expect(operations.length).toBeGreaterThan(40)
    for (const operation of operations) {
      const { method, path, operationId } = operation
      const body = method === 'POST' || method === 'PUT' ? {} : undefined
      const answer = await tenant.send(method, fillIn(path), body && { body })
      const code = answer.status < 400 ? undefined : answer.json().code
      if (isRead(operation)) expect(code, operationId).not.toBe('tenant_suspended')
      else expect([answer.status, code], operationId).toEqual([403, 'tenant_suspended'])
    }
  })

  test('its people read, sign out and keep their passkeys, and change nothing else', async () => {
    await suspend()
    const own = (await readOperations('/console/openapi.json')).filter(({ path }) =>
      /^\/console\/api\/(keys|people)/.test(path),
    )
    const writes = own.filter((one) => !isRead(one))
    expect(writes.length).toBeGreaterThan(5)
    for (const { method, path, operationId } of writes) {
      const sent = method === 'DELETE' ? {} : { body: {} }
      const answer = await person.send(method, fillIn(path), sent)
      expect([answer.status, answer.json().code], operationId).toEqual([403, 'tenant_suspended'])
    }
    expect((await person.send('GET', '/console/api/people')).status).toBe(200)
    expect((await person.send('GET', '/console/v1/borrowers')).status).toBe(200)
    const borrower = { type: 'individual', kyc_attested: true, residency_country: 'DE' }
    const refused = await person.send('POST', '/console/v1/borrowers', { body: borrower })
    expect(refused.json()).toMatchObject({ status: 403, code: 'tenant_suspended' })
    const challenge = await person.send('POST', '/console/api/passkeys/registration', { body: {} })
    expect(challenge.json().code).not.toBe('tenant_suspended')
    expect((await person.send('DELETE', '/console/api/session')).status).toBe(204)
  })

  test('a key that was cached is refused within five seconds, and no key is used up', async () => {
    const borrower = { type: 'individual', kyc_attested: true, residency_country: 'DE' }
    const key = '0196f1f0-0000-7000-8000-000000000001'
    expect((await tenant.send('GET', `/v1/borrowers/${newId('bor')}`)).status).toBe(404)
    await suspend()
    const sent = { body: borrower, idempotencyKey: key }
    expect((await tenant.send('POST', '/v1/borrowers', sent)).status).toBe(403)
    await inTransaction(api.db, (tx) => resumeTenant(tx, tenant.id))
    passFiveSeconds()
    expect((await tenant.send('POST', '/v1/borrowers', sent)).status).toBe(201)
  })

  test('another tenant writes on', async () => {
    await suspend()
    const other = await api.addTenant()
    const borrower = { type: 'individual', kyc_attested: true, residency_country: 'DE' }
    expect((await other.send('POST', '/v1/borrowers', { body: borrower })).status).toBe(201)
  })
})
