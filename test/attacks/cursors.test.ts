import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { newId } from '../../src/core/ids.ts'
import { apiForFile, type TestTenant } from '../support/api/api.ts'
import { addEstate, type Estate } from '../support/api/estate.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import { readOperations } from './fuzz/document.ts'

/** A list, the parameter that takes its cursors, and one that it has given. */
type Page = { name: string; target: string; parameter: string; cursor: string }

const api = apiForFile()
let own: Page[]
let others: Page[]
let siblings: Page[]
let stranger: TestTenant
beforeAll(async () => {
  stranger = await api.addTenant()
  const [first, second] = await addTwoOfEach(api.tenant)
  const [foreign] = await addTwoOfEach(stranger)
  own = await readPages(api.tenant, first)
  siblings = await readPages(api.tenant, second)
  others = await readPages(stranger, foreign)
})

/** Whatever promises a next page; `from` alone may be an instant, as a statement's. */
const operations = readOperations()
const lists = operations.filter(({ answers }) => {
  const schema = answers.get(200)?.schema
  return schema instanceof z.ZodObject && 'next_cursor' in schema.shape
})

/** Two borrowers with a facility each, each of which has two of everything. */
async function addTwoOfEach(tenant: TestTenant): Promise<[Estate, Estate]> {
  const estates: [Estate, Estate] = [await addEstate(api, tenant), await addEstate(api, tenant)]
  for (const estate of estates) {
    await doubleLoan(estate)
    await addCorrections(estate)
    await addAttempts(estate)
  }
  // Both webhooks have two events.
  await addEstate(api, tenant)
  return estates
}

/** Two attempts of the delivery of the estate's event. */
async function addAttempts({ webhookId, eventId }: Estate): Promise<void> {
  await sql`INSERT INTO delivery_attempts (tenant_id, webhook_id, event_id, recorded_at, number,
      started_at, status, duration_ms, response_excerpt, requested)
    SELECT tenant_id, webhook_id, event_id, recorded_at, number, recorded_at, 500, 1, '', false
    FROM deliveries, generate_series(1, 2) number
    WHERE webhook_id = ${webhookId} AND event_id = ${eventId}`.execute(api.db)
}

/** Two lines of a statement. */
async function addCorrections({ facilityId }: Estate): Promise<void> {
  await sql`INSERT INTO principal_movements (tenant_id, facility_id, source_id, effective_at, delta_cents)
    SELECT tenant_id, facility_id, 'source/' || number, created_at, number
    FROM facilities, generate_series(1, 2) number WHERE facility_id = ${facilityId}`.execute(api.db)
}

/** A second draw, repayment, warning and call, in all else like the first. */
async function doubleLoan({ facilityId }: Estate): Promise<void> {
  for (const [table, changes] of [
    ['draws', { draw_id: newId('drw') }],
    ['repayments', { repayment_id: newId('rep') }],
    ['margin_warnings', { number: 2 }],
    ['margin_calls', { number: 2, margin_warning_number: 2 }],
  ] as const) {
    await sql`INSERT INTO ${sql.table(table)}
      SELECT (jsonb_populate_record(first, ${JSON.stringify(changes)}::jsonb)).*
      FROM ${sql.table(table)} first WHERE facility_id = ${facilityId}`.execute(api.db)
  }
}

async function readPages(tenant: TestTenant, estate: Estate): Promise<Page[]> {
  return await Promise.all(
    lists.map(async ({ name, path, query }) => {
      const target = path
        .replace('{facility_id}', estate.facilityId)
        .replace('{id}', estate.webhookId)
        .replace('{event_id}', estate.eventId)
      const page = await tenant.send('GET', `${target}?limit=1`)
      // A statement's `from` is an instant.
      const parameter = query.some((it) => it.name === 'cursor') ? 'cursor' : 'from'
      return { name, target, parameter, cursor: page.json().next_cursor }
    }),
  )
}

async function expectInvalid(
  key: TestTenant,
  { target, parameter }: Page,
  cursor: string,
): Promise<void> {
  const answer = await key.send('GET', `${target}?${parameter}=${encodeURIComponent(cursor)}`)
  expectProblem(answer, 400, 'cursor_invalid')
}

const at = (index: number, pages: Page[]) => pages[index] as Page

test('every paginated list returns a cursor and continues from it', async () => {
  expect(lists.length).toBeGreaterThanOrEqual(10)
  const limited = operations.filter(({ query }) => query.some(({ name }) => name === 'limit'))
  expect(lists).toEqual(limited)
  for (const [key, pages] of [
    [api.tenant, own],
    [stranger, others],
  ] as const) {
    for (const { name, target, parameter, cursor } of pages) {
      expect(cursor, name).toMatch(/^[\w-]{17,}$/)
      expect((await key.send('GET', `${target}?${parameter}=${cursor}`)).status, name).toBe(200)
    }
  }
})

test.each(lists.map(({ name }, index) => [name, index] as const))(
  '%s refuses a cursor with a character changed, missing or added',
  async (_name, index) => {
    const page = at(index, own)
    const { cursor } = page
    for (const other of ['', '1', 'AAAA', `${cursor}=`]) {
      await expectInvalid(api.tenant, page, other)
    }
    for (const place of cursor.split('').keys()) {
      const [before, own, after] = [
        cursor.slice(0, place),
        cursor.charAt(place),
        cursor.slice(place + 1),
      ]
      const swapped = own === own.toUpperCase() ? own.toLowerCase() : own.toUpperCase()
      const changed = swapped === own ? 'A' : swapped
      await expectInvalid(api.tenant, page, before + changed + after)
      await expectInvalid(api.tenant, page, before + after)
      await expectInvalid(api.tenant, page, `${before}A${own}${after}`)
    }
  },
)

test.each(lists.map(({ name }, index) => [name, index] as const))(
  '%s refuses a cursor of another list, another resource or another tenant',
  async (_name, index) => {
    const page = at(index, own)
    for (const [other, { cursor }] of own.entries()) {
      if (other !== index) await expectInvalid(api.tenant, page, cursor)
    }
    await expectInvalid(api.tenant, page, at(index, others).cursor)
    await expectInvalid(stranger, at(index, others), page.cursor)
    const sibling = at(index, siblings)
    if (sibling.target !== page.target) await expectInvalid(api.tenant, page, sibling.cursor)
  },
)
