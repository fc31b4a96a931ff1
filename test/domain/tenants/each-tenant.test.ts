import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { TenantScope } from '../../../src/db/tenant-scope.ts'
import {
  findScopes,
  listPresentScopes,
  readPresent,
} from '../../../src/domain/tenants/each-tenant.ts'
import {
  deleteAbsentTenant,
  insertAbsentTenants,
  selectAbsentTenants,
} from '../../../src/domain/tenants/queries.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { databaseForFile } from '../../support/stores/database.ts'

const database = databaseForFile()
let first: string
let second: string
let asked: TenantScope[]
beforeAll(async () => {
  await sql`UPDATE stack SET distributed_at = now()`.execute(database.db)
  first = await openTenant(database.db)
  second = await openTenant(database.db)
})
beforeEach(async () => {
  asked = []
  for (const tenantId of [first, second]) await deleteAbsentTenant(database.db, tenantId)
})

/** A read of rows, with a node away that has these tenants. */
const read = (lost: readonly string[]) => async (tenantId: TenantScope) => {
  asked.push(tenantId)
  const wanted = tenantId === undefined ? [first, second] : [tenantId]
  if (wanted.some((one) => lost.includes(one))) throw new Error('the node is away')
  return wanted
}

test('rows of a distributed database are read at once while every node answers', async () => {
  expect(await readPresent(database.db, read([]))).toEqual([first, second])
  expect(asked).toEqual([undefined])
})

test('while a node is away the rows of each tenant that answers are read', async () => {
  expect(await readPresent(database.db, read([first]))).toEqual([second])
  expect(asked).toEqual([undefined, first, second])
})

test('tenants that are known to be absent are not asked, until they are back', async () => {
  const { db } = database
  const since = new Date('2026-11-20T12:00:00Z')
  await insertAbsentTenants(db, [first], since)
  await insertAbsentTenants(db, [first], new Date())
  expect(await selectAbsentTenants(db)).toEqual([{ tenantId: first, since }])
  expect(await readPresent(db, read([first]))).toEqual([second])
  expect(asked).toEqual([second])
  expect(await listPresentScopes(db)).toEqual([second])
  expect(await findScopes(db, () => Promise.reject(new Error('all nodes were asked')))).toEqual([
    second,
  ])
  await deleteAbsentTenant(db, first)
  expect(await findScopes(db, async () => [first])).toEqual([first])
})
