import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newDatedId } from '../../../src/core/ids.ts'
import { type Db, inTransaction, type Tx } from '../../../src/db/database.ts'
import { execute, type Query } from '../../../src/db/transactions/execute.ts'
import * as queries from '../../../src/domain/events/append/append-queries.ts'
import { addEvents, addWebhook } from '../../support/deliveries/deliveries.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { databaseForFile } from '../../support/stores/database.ts'

const database = databaseForFile()

const EVENTS = 300

/** More are read only by a statement that reads all events of the tenant. */
const FEW = 20

type Plan = { 'Actual Rows': number; 'Actual Loops': number; Plans?: Plan[] } & Record<
  string,
  unknown
>

test('what an event costs does not grow with the events that its tenant has, whatever the planner knows', async () => {
  const { db } = database
  const tenantId = await openTenant(db)
  for (let count = 0; count < 3; count += 1) await addWebhook(db, tenantId)
  await addEvents(db, tenantId, EVENTS)
  const { id, madeAt } = newDatedId('evt')
  const event = { place: 1, id, made_at: madeAt, type: 'facility.closed', occurred_at: madeAt }
  const about = { resource_type: 'facility', resource_id: 'fac_1', facility_id: 'fac_1' }
  const text = { head: '",', middle: ',', tail: '', borrower_id: null }
  const events = JSON.stringify([{ ...event, ...about, ...text }])
  const written = { tenantId, since: madeAt }
  await inTransaction(db, async (tx) => {
    await execute(tx, queries.lockCounter({ tenantId }))
    const read: Record<string, number> = {}
    const note = async (name: string, query: Query<unknown>) => {
      read[name] = await countRead(tx, query)
    }
    await note('raiseVersions', queries.raiseVersions({ tenantId, events }))
    await note('insertEvents', queries.insertEvents({ tenantId, events, trace: null }))
    await note('insertDeliveries', queries.insertDeliveries(written))
    await note('deleteBoundRecords', queries.deleteBoundRecords(written))
    await note('countEvents', queries.countEvents({ ...written, count: 1 }))
    for (const [name, rows] of Object.entries(read)) expect({ name, rows }).toSatisfy(isFew)
  })
})

const isFew = ({ rows }: { rows: number }) => rows <= FEW

/** Rows that its generic plan reads, those included that a filter removes. */
async function countRead(tx: Tx, query: Query<unknown>): Promise<number> {
  const { sql: text, parameters } = query.compile(tx as Db)
  await sql`SET LOCAL plan_cache_mode = force_generic_plan`.execute(tx)
  await sql.raw(`PREPARE measured AS ${text}`).execute(tx)
  const values = parameters.map(toLiteral).join(', ')
  const explain = `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE measured (${values})`
  const { rows } = await sql.raw<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explain).execute(tx)
  await sql`DEALLOCATE measured`.execute(tx)
  return Math.max(...rows.map((row) => mostRows(row['QUERY PLAN'][0].Plan)))
}

function mostRows(plan: Plan): number {
  const removed = Object.entries(plan)
    .filter(([key]) => key.startsWith('Rows Removed'))
    .map(([, rows]) => Number(rows))
  const own = (plan['Actual Rows'] + removed.reduce((a, b) => a + b, 0)) * plan['Actual Loops']
  return Math.max(own, ...(plan.Plans ?? []).map(mostRows))
}

function toLiteral(value: unknown): string {
  if (value === null) return 'NULL'
  if (typeof value === 'number') return String(value)
  const text = value instanceof Date ? value.toISOString() : String(value)
  return `'${text.replaceAll("'", "''")}'`
}
