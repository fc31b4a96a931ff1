import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { makeReceiptKey } from '../../../src/domain/margin/receipts/receipt-key.ts'
import { createFiles, MOST_BYTES } from '../../../src/domain/month-end/pack.ts'
import { operatorApiForFile } from '../../support/api/operators.ts'
import { addBorrower } from '../../support/lending/onboarding.ts'

const now = new Date('2026-11-20T12:00:00Z')
const { api, operators } = operatorApiForFile({ clock: () => now })
let viewer: string
let risk: string
let facilityId: string
let other: string

/** A draw, posted at an instant, as the journal has it. */
const post = (entryId: string, cents: number, at: string) =>
  sql`WITH key AS (INSERT INTO journal_entries VALUES (${api.tenant.id}, ${facilityId}, ${entryId}))
    INSERT INTO journal (tenant_id, facility_id, entry_id, kind, accounts, assets, amounts, value_at,
      booked_at)
    VALUES (${api.tenant.id}, ${facilityId}, ${entryId}, 'draw', '{loans_receivable,bank}',
      '{USD,USD}', ${`{${cents},-${cents}}`}::bigint[], ${at}, ${at})`.execute(api.db)

beforeAll(async () => {
  viewer = (await operators.addOperator('viewer')).token
  risk = (await operators.addOperator('risk')).token
  other = (await api.addTenant()).id
  await inTransaction(api.db, (tx) => makeReceiptKey(tx, api.resources.sealer, now))
  facilityId = newId('fac')
  await sql`UPDATE tenants SET created_at = '2026-09-01'`.execute(api.db)
  const borrowerId = await addBorrower(api.db, api.tenant.id)
  await sql`INSERT INTO facilities (tenant_id, facility_id, borrower_id, state, limit_cents, rate_ppm,
      principal_cents, accrued_at, created_at, decisioned_at, updated_at)
    VALUES (${api.tenant.id}, ${facilityId}, ${borrowerId}, 'APPROVED', 500000, 95000, 300000, ${now},
      '2026-10-01', '2026-10-01', ${now})`.execute(api.db)
  await post('draw/drw_1', 100_000, '2026-10-10T00:00:00Z')
  await post('draw/drw_2', 200_000, '2026-11-01T00:00:00Z')
})

const read = async (path: string) => {
  const answer = await operators.send(path, { token: viewer })
  expect({ path, status: answer.status }).toEqual({ path, status: 200 })
  return answer.json()
}

test('the trial balance is of an instant or of all, and its totals are equal', async () => {
  const all = await read('/books/trial-balance')
  expect(all).toMatchObject({
    at: null,
    totals: [{ asset: 'USD', debit: '3000.00', credit: '3000.00' }],
  })
  const october = await read('/books/trial-balance?at=2026-10-31T23:59:59.999Z')
  expect(october.items).toMatchObject([
    { account: 'bank', balance: '-1000.00', credit: '1000.00' },
    { account: 'loans_receivable', balance: '1000.00', debit: '1000.00' },
  ])
  expect((await read(`/books/trial-balance?tenant_id=${other}`)).items).toEqual([])
  const unknown = `/books/trial-balance?tenant_id=${newId('ten')}`
  await operators.expectRefusal(unknown, { token: viewer }, 404, 'not_found')
})

test('the ledger of a month has its entries alone, in either form', async () => {
  const [csv] = (await read('/books/export?month=2026-10')).files
  expect(csv.name).toBe('ledger-2026-10.csv')
  expect(csv.text.trim().split('\n')).toHaveLength(3)
  expect(csv.text).toContain(`${facilityId},draw/drw_1,draw,1,1100,loans_receivable,USD,1000.00,,`)
  const [journal] = (await read('/books/export?month=2026-11&format=hledger')).files
  expect(journal.name).toBe('ledger-2026-11.journal')
  expect(journal.text).toContain('(draw/drw_2) draw')
  expect(journal.text).not.toContain('drw_1')
  for (const month of ['2026-13', '2026-1', 'x']) {
    const path = `/books/export?month=${month}`
    await operators.expectRefusal(path, { token: viewer }, 422, 'validation_failed')
  }
})

test('files that are too long together are refused whole, and by name', () => {
  const files = createFiles()
  files.write('a.csv', 'x'.repeat(MOST_BYTES - 1))
  files.write('b.csv', 'y')
  expect(files.list().map(({ name }) => name)).toEqual(['a.csv', 'b.csv'])
  expect(() => files.write('a.csv', 'z')).toThrow(/It has more than 32 MB/)
})

test('the pack of a month is whole, of one run and signed, and one that does not agree is refused', async () => {
  const asked = `/books/month-end?month=2026-10&tenant_id=${api.tenant.id}`
  const { manifest, files } = await read(asked)
  expect(manifest).toMatchObject({ month: '2026-10', tenants: 1, closed: false })
  const texts = new Map<string, string>(
    files.map(({ name, text }: { name: string; text: string }) => [name, text]),
  )
  expect(manifest.files).toHaveLength(8)
  for (const { name, sha256 } of manifest.files) {
    expect(
      createHash('sha256')
        .update(texts.get(name) ?? '')
        .digest('hex'),
    ).toBe(sha256)
  }
  expect(JSON.parse(texts.get('manifest.json') ?? '')).toEqual(manifest)
  expect(JSON.parse(texts.get('manifest.sig.json') ?? '')).toMatchObject({
    key_id: expect.stringMatching(/^rck_/),
  })
  expect(texts.get('loan-tape.csv')).toContain(facilityId)
  const early = '/books/month-end?month=2026-11'
  await operators.expectRefusal(early, { token: viewer }, 422, 'validation_failed')
  await sql`UPDATE facilities SET principal_cents = principal_cents + 1`.execute(api.db)
  const refused = await operators.expectRefusal(
    ...([asked, { token: viewer }, 422, 'validation_failed'] as const),
  )
  await sql`UPDATE facilities SET principal_cents = principal_cents - 1`.execute(api.db)
  expect(refused.json().detail).toContain('loans_receivable of')
})

test('a month is closed for one tenant with a reason, by the role that may, and takes no entry then', async () => {
  const path = `/tenants/${api.tenant.id}/books/close`
  const sent = (month: string, token = risk) => ({
    ...{ token, method: 'POST' as const, body: { month, reason: 'agreed' } },
  })
  await operators.expectRefusal(path, sent('2026-10', viewer), 403, 'scope_missing')
  const early = await operators.expectRefusal(path, sent('2026-11'), 422, 'validation_failed')
  expect(early.json().detail).toContain('cannot be closed before')
  const unknown = path.replace(api.tenant.id, newId('ten'))
  await operators.expectRefusal(unknown, sent('2026-10'), 404, 'not_found')
  const unreasoned = { ...sent('2026-10'), body: { month: '2026-10', reason: ' ' } }
  await operators.expectRefusal(path, unreasoned, 422, 'validation_failed')
  expect((await read('/books/months')).items).toContainEqual({
    ...{ tenant_id: api.tenant.id, closed_month: null },
  })
  expect((await operators.send(path, sent('2026-10'))).json()).toMatchObject({ outcome: 'done' })
  expect((await read('/books/months')).items.toSorted()).toEqual(
    expect.arrayContaining([
      { tenant_id: api.tenant.id, closed_month: '2026-10' },
      { tenant_id: other, closed_month: null },
    ]),
  )
  const [act] = (await read('/actions?limit=1')).items
  expect(act).toMatchObject({
    ...{ action: 'books.close', subject: { kind: 'month', id: '2026-10' }, reason: 'agreed' },
    tenant_id: api.tenant.id,
  })
  // Closed before: nothing is changed or recorded again.
  expect((await operators.send(path, sent('2026-10'))).status).toBe(200)
  expect((await read('/actions?limit=1')).items[0].number).toBe(act.number)
  await expect(post('draw/late', 1, '2026-10-31T23:00:00Z')).rejects.toThrow(
    /a closed month takes no entry/,
  )
})
