import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { newId } from '../../src/core/ids.ts'
import { createTestBorrower, startTestApi, type TestApi } from '../support/api/api.ts'
import { addEstate, type Estate } from '../support/api/estate.ts'
import { addEvents } from '../support/deliveries/deliveries.ts'
import { sealOf } from '../support/lending/sealed.ts'
import { startWireProxy, type WireProxy } from '../support/stores/wire-proxy.ts'
import { readOperations } from './fuzz/document.ts'

const MORE = 12

let api: TestApi
let few: Estate
/** Sees each statement that is executed. */
let proxy: WireProxy
beforeAll(async () => {
  api = await startTestApi({
    async through(databaseUrl) {
      proxy = await startWireProxy(databaseUrl)
      return proxy.url
    },
  })
  few = await addEstate(api, api.tenant)
  await addCorrections()
})
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
})

/** Whatever answers with a list, paged or not. */
const lists = readOperations().filter(({ method, answers }) => {
  const schema = answers.get(200)?.schema
  if (method !== 'GET' || !(schema instanceof z.ZodObject)) return false
  return 'items' in schema.shape || 'lines' in schema.shape
})

const targetOf = (path: string) =>
  path
    .replace('{borrower_id}', few.borrowerId)
    .replace('{facility_id}', few.facilityId)
    .replace('{number}', '1')
    .replace('{id}', few.webhookId)
    .replace('{event_id}', few.eventId)

/** The fewest of some requests: others write what they have used, and log, now and then. */
async function costOf(path: string): Promise<{ rows: number; statements: number }> {
  let statements = Number.POSITIVE_INFINITY
  let rows = 0
  for (let sent = 0; sent < 4; sent += 1) {
    const before = proxy.executed.length
    const answer = await api.tenant.send('GET', targetOf(path))
    statements = Math.min(statements, proxy.executed.length - before)
    const { items, lines } = answer.json()
    rows = (items ?? lines).length
  }
  return { rows, statements }
}

/** Two lines of a statement. */
async function addCorrections(from = 1, to = 2): Promise<void> {
  await sql`INSERT INTO principal_movements (tenant_id, facility_id, source_id, effective_at, delta_cents)
    SELECT tenant_id, facility_id, 'source/' || number, created_at, number
    FROM facilities, generate_series(${from}::int, ${to}::int) number
    WHERE facility_id = ${few.facilityId}`.execute(api.db)
}

/** As the first of the table, with the members that `change` gives. */
async function copyFirst(table: string, change: (at: number) => object): Promise<void> {
  for (let at = 0; at < MORE; at += 1) {
    await sql`INSERT INTO ${sql.table(table)}
      SELECT (jsonb_populate_record(first, ${JSON.stringify(change(at))}::jsonb)).*
      FROM ${sql.table(table)} first WHERE facility_id = ${few.facilityId}
        AND ctid = (SELECT min(ctid) FROM ${sql.table(table)} WHERE facility_id = ${few.facilityId})`.execute(
      api.db,
    )
  }
}

async function addMoreOfEach(): Promise<void> {
  const { tenant } = api
  for (let at = 0; at < MORE; at += 1) {
    await tenant.send('POST', '/v1/webhooks', { body: { url: 'http://127.0.0.1:9/' } })
    await createTestBorrower(tenant)
  }
  const of = { tenantId: tenant.id, borrowerId: few.borrowerId }
  const [name, email, address] = [
    await sealOf(api.db, of, 'Ada', 'name'),
    await sealOf(api.db, of, 'a@example.com', 'email'),
    await sealOf(api.db, of, '203.0.113.9', 'ip_address'),
  ]
  await sql`INSERT INTO signatures
    SELECT (jsonb_populate_record(NULL::signatures, jsonb_build_object(
      'tenant_id', b.tenant_id, 'borrower_id', b.borrower_id, 'number', number,
      'signature_id', 'sig_' || lpad(number::text, 26, '0'), 'full_name', ${name}::text, 'email', ${email}::text,
      'ip_address', ${address}::text, 'contract_type', d.contract_type,
      'contract_version', d.contract_version, 'signed_at', b.created_at, 'recorded_at', b.created_at))).*
    FROM borrowers b JOIN documents d USING (tenant_id), generate_series(1, ${MORE}::int) number
    WHERE b.borrower_id = ${few.borrowerId}`.execute(api.db)
  await sql`INSERT INTO facilities
    SELECT (jsonb_populate_record(f, jsonb_build_object(
      'borrower_id', b.borrower_id, 'facility_id', 'fac_' || right(b.borrower_id, 26)))).*
    FROM facilities f JOIN borrowers b ON b.tenant_id = f.tenant_id AND b.borrower_id <> f.borrower_id
    WHERE f.facility_id = ${few.facilityId}`.execute(api.db)
  await copyFirst('draws', () => ({ draw_id: newId('drw') }))
  await copyFirst('repayments', () => ({ repayment_id: newId('rep') }))
  await copyFirst('margin_warnings', (at) => ({ number: at + 2 }))
  await copyFirst('margin_calls', (at) => ({ number: at + 2, margin_warning_number: at + 2 }))
  await addCorrections(3, 2 + MORE)
  await addEvents(api.db, tenant.id, MORE)
  await sql`INSERT INTO delivery_attempts (tenant_id, webhook_id, event_id, recorded_at, number,
      started_at, status, duration_ms, response_excerpt, requested)
    SELECT tenant_id, webhook_id, event_id, recorded_at, number, recorded_at, 500, 1, '', false
    FROM deliveries, generate_series(1, ${MORE}::int) number
    WHERE webhook_id = ${few.webhookId}`.execute(api.db)
}

test('a row of a list costs no query of its own, in whichever list', async () => {
  expect(lists.length).toBeGreaterThanOrEqual(14)
  const before = new Map<string, Awaited<ReturnType<typeof costOf>>>()
  for (const { name, path } of lists) before.set(name, await costOf(path))
  await addMoreOfEach()
  const grown: string[] = []
  for (const { name, path } of lists) {
    const [first, then] = [before.get(name), await costOf(path)]
    if (then.rows > (first?.rows ?? 0)) grown.push(name)
    expect(then.statements, name).toBe(first?.statements)
    expect(then.statements, name).toBeGreaterThan(0)
  }
  // What the lender keeps, and what a margin call alone makes, is the same for all.
  const same = lists.map(({ name }) => name).filter((name) => !grown.includes(name))
  expect(same).toEqual([
    'GET /v1/documents',
    'GET /v1/facilities/{facility_id}/margin-warnings/{number}/decisions',
    'GET /v1/sandbox/prices',
  ])
})
