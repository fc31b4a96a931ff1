import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createDatabase, type Db, inTransaction } from '../../../src/db/database.ts'
import { isTenantMoving } from '../../../src/db/errors.ts'
import { openCell } from '../../../src/db/tenant-move/cell.ts'
import { listTenantTables } from '../../../src/db/tenant-move/tables.ts'
import { abandonMove, forgetTenant, type MoveStep } from '../../../src/domain/cells/move-tenant.ts'
import { findWebhooksWithDue } from '../../../src/domain/webhooks/deliveries/find-due.ts'
import { CutOff, createTargetCell, cutOffAt, readMove, runMove } from '../../support/cells.ts'
import { addEvents, addWebhook, claimAt } from '../../support/deliveries/deliveries.ts'
import { claimDue } from '../../support/deliveries/due-work.ts'
import { openBusyHouse } from '../../support/lending/busy-house.ts'
import { findViolations } from '../../support/lending/find-violations.ts'
import { addBorrower, openTenant } from '../../support/lending/onboarding.ts'
import { waitFor } from '../../support/process/patience.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stores/database.ts'

const WHOLE: MoveStep[] = ['leaving', 'held', 'copied', 'compared', 'gone', 'arrived']
const PATIENT = { timeout: 60_000 }

// A move has some two hundred statements that wait for locks, on a busy machine one after the other.
vi.setConfig({ testTimeout: 120_000 })

let source: TestDatabase
let target: TestDatabase
let urls: { source: string; target: string }
let tenantId: string
beforeAll(async () => {
  source = await createTestDatabase()
  await openTenant(source.db)
  target = await createTargetCell(source.db)
  urls = { source: source.url, target: target.url }
})
afterAll(async () => {
  await source[Symbol.asyncDispose]()
  await target[Symbol.asyncDispose]()
})
beforeEach(async () => {
  tenantId = await openTenant(source.db)
  await addEvents(source.db, tenantId, 3)
})

/** How many rows of the tenant each table has, those without any left out. */
async function countRows(url: string, id: string): Promise<Record<string, number>> {
  await using cell = await openCell(url)
  const counts: Record<string, number> = {}
  for (const { name } of await listTenantTables(cell.client)) {
    const { rows } = await cell.client.query(
      `SELECT count(*)::int AS rows FROM ${name} WHERE tenant_id = $1`,
      [id],
    )
    if (rows[0].rows > 0) counts[name] = rows[0].rows
  }
  return counts
}

async function abandon(): Promise<void> {
  await using from = await openCell(urls.source)
  await using to = await openCell(urls.target)
  await abandonMove({ source: from, target: to }, { tenantId, to: 'b' })
}

async function sequences(db: Db): Promise<bigint[]> {
  const rows = await db
    .selectFrom('events')
    .select('sequence')
    .where('tenant_id', '=', tenantId)
    .orderBy('sequence')
    .execute()
  return rows.map(({ sequence }) => sequence)
}

const refusedWrite = (db: Db) =>
  addBorrower(db, tenantId).then(
    () => false,
    (error: unknown) => isTenantMoving(error),
  )

test('a tenant to whom nearly everything has happened is in the target row for row, and passes every audit there', async () => {
  await using house = await openBusyHouse()
  await using cell = await createTargetCell(house.db)
  const busy = { source: house.databaseUrl, target: cell.url }
  const before = await countRows(busy.source, house.tenantId)
  expect(Object.keys(before).length).toBeGreaterThan(30)
  const { steps } = await runMove(busy, { tenantId: house.tenantId })
  expect(steps).toEqual(WHOLE)
  expect(await countRows(busy.target, house.tenantId)).toEqual(before)
  expect(await findViolations(cell.db)).toEqual([])
  // The other tenant and the operators' record.
  expect(await findViolations(house.db)).toEqual([])
  expect(Object.keys(await countRows(busy.source, house.tenantId))).toEqual(['tenants'])
})

test('events go on in the target without a gap, and the chain of their hashes holds', async () => {
  await runMove(urls, { tenantId })
  expect(await refusedWrite(source.db)).toBe(true)
  await addEvents(target.db, tenantId, 2)
  expect(await sequences(target.db)).toEqual([1n, 2n, 3n, 4n, 5n])
  // The events are of borrowers that the test did not make.
  const found = await findViolations(target.db, tenantId)
  expect(found.filter(({ check }) => check !== 'events-of-something')).toEqual([])
})

test.each(WHOLE)(
  'a move that is killed at %s is ended by the same command, and the tenant is never in both cells',
  async (step) => {
    await expect(runMove(urls, { tenantId, ...cutOffAt(step) })).rejects.toThrow(CutOff)
    const [here, there] = [await readMove(source.db, tenantId), await readMove(target.db, tenantId)]
    const isServed = [here === null, there === null]
    expect(isServed).toEqual([false, step === 'arrived'])
    await runMove(urls, { tenantId })
    expect(await readMove(target.db, tenantId)).toBeNull()
    expect(await sequences(target.db)).toEqual([1n, 2n, 3n])
    expect(Object.keys(await countRows(urls.source, tenantId))).toEqual(['tenants'])
  },
)

test.each(['leaving', 'held', 'copied', 'compared'] as const)(
  'a move that is killed at %s can be abandoned: the tenant writes again, and nothing of it is in the target',
  async (step) => {
    const before = await countRows(urls.source, tenantId)
    await expect(runMove(urls, { tenantId, ...cutOffAt(step) })).rejects.toThrow(CutOff)
    await abandon()
    expect(await countRows(urls.source, tenantId)).toEqual(before)
    expect(await countRows(urls.target, tenantId)).toEqual({})
    await addBorrower(source.db, tenantId)
    await runMove(urls, { tenantId })
    expect(await countRows(urls.target, tenantId)).toEqual({ ...before, borrowers: 1, work: 1 })
  },
)

test.each(['gone', 'arrived'] as const)(
  'a move that has come to %s cannot be abandoned',
  async (step) => {
    await expect(runMove(urls, { tenantId, ...cutOffAt(step) })).rejects.toThrow(CutOff)
    await expect(abandon()).rejects.toThrow(/is gone already: run this again without --abandon/)
    await runMove(urls, { tenantId })
  },
)

test('once a tenant is held its rows cannot be written by any statement, and those of others can', async () => {
  const other = await openTenant(source.db)
  await addWebhook(source.db, tenantId)
  await expect(runMove(urls, { tenantId, ...cutOffAt('held') })).rejects.toThrow(CutOff)
  expect(await refusedWrite(source.db)).toBe(true)
  const statements = [
    `UPDATE tenants SET name = 'x' WHERE tenant_id = $1`,
    `UPDATE documents SET retired_at = now() WHERE tenant_id = $1`,
    `UPDATE webhooks SET state = 'disabled' WHERE tenant_id = $1`,
    `INSERT INTO ltv_rounds (tenant_id, hour) VALUES ($1, now())`,
  ]
  for (const text of statements) {
    await using cell = await openCell(urls.source)
    await expect(cell.client.query(text, [tenantId]), text).rejects.toThrow(/is moving/)
    await cell.client.query(text, [other])
  }
  await addBorrower(source.db, other)
  await addEvents(source.db, other, 1)
  await runMove(urls, { tenantId })
})

test('what was written before the tenant was held is moved, also by a transaction that commits meanwhile', async () => {
  const writer = createDatabase({ connectionString: urls.source, maxConnections: 1 })
  const written = Promise.withResolvers<void>()
  const commit = Promise.withResolvers<void>()
  const writing = inTransaction(writer, async (tx) => {
    await tx
      .insertInto('clock_advances')
      .values({ tenant_id: tenantId, request: 'late', target: new Date(), held_until: null })
      .execute()
    written.resolve()
    await commit.promise
  })
  await written.promise
  const steps: MoveStep[] = []
  const moving = runMove(urls, { tenantId, onStep: (step) => void steps.push(step) })
  await waitFor(async () => expect(await readMove(source.db, tenantId)).toBe('leaving'), PATIENT)
  // The fence waits for it, and other tenants' writers do not wait long.
  const other = await openTenant(source.db)
  expect(steps).not.toContain('held')
  commit.resolve()
  await writing
  await moving
  await writer.destroy()
  const rows = await target.db
    .selectFrom('clock_advances')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .execute()
  expect(rows).toMatchObject([{ request: 'late' }])
  expect(await readMove(source.db, other)).toBeNull()
})

test('a tenant that is leaving has no work claimed, a running claim may end, and others’ work is claimed', async () => {
  const other = await openTenant(source.db)
  for (const id of [tenantId, other]) await addBorrower(source.db, id)
  await expect(runMove(urls, { tenantId, ...cutOffAt('leaving') })).rejects.toThrow(CutOff)
  await expect(runMove(urls, { tenantId, ...cutOffAt('held') })).rejects.toThrow(CutOff)
  const claimed = await claimDue(source.db, ['evaluate-borrower'], new Date())
  const claimedOf = claimed.map((claim) => claim.tenantId)
  expect(claimedOf).toContain(other)
  expect(claimedOf).not.toContain(tenantId)
  await runMove(urls, { tenantId })
  const there = await claimDue(target.db, ['evaluate-borrower'], new Date())
  expect(there.map((claim) => claim.tenantId)).toContain(tenantId)
})

test('deliveries that are pending are sent by the target, and those in flight again, with the next number', async () => {
  const webhookId = await addWebhook(source.db, tenantId)
  const webhook = { tenantId, webhookId }
  await addEvents(source.db, tenantId, 2)
  const now = new Date()
  const [inFlight] = await claimAt(source.db, webhook, { limit: 1, deadlineMs: 15_000, now })
  await runMove(urls, { tenantId, waitMs: 0 })
  const due = await findWebhooksWithDue(target.db, new Date(Date.now() + 1_000))
  expect(due).toContainEqual(webhook)
  expect(inFlight?.attempt).toBe(1)
  const later = new Date(Date.now() + 60_000)
  const again = await claimAt(target.db, webhook, { limit: 10, deadlineMs: 15_000, now: later })
  expect(again.map(({ attempt }) => attempt)).toEqual([1, 1])
})

test('a tenant comes back once what it left is forgotten', async () => {
  await runMove(urls, { tenantId })
  await addEvents(target.db, tenantId, 1)
  const back = { source: urls.target, target: urls.source }
  await sql`UPDATE stack SET cell = 'a'`.execute(source.db)
  try {
    await expect(runMove(back, { tenantId, to: 'a' })).rejects.toThrow(
      /run tenants forget there first/,
    )
    {
      await using cell = await openCell(urls.source)
      await forgetTenant(cell, tenantId)
    }
    expect(await countRows(urls.source, tenantId)).toEqual({})
    await runMove(back, { tenantId, to: 'a' })
  } finally {
    await sql`UPDATE stack SET cell = NULL`.execute(source.db)
  }
  expect(await sequences(source.db)).toEqual([1n, 2n, 3n, 4n])
  await addBorrower(source.db, tenantId)
})
