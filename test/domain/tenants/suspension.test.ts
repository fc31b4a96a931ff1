import { expect, test } from 'vitest'
import { inTransaction } from '../../../src/db/database.ts'
import { resumeTenant, suspendTenant } from '../../../src/domain/tenants/suspension.ts'
import { listTenants } from '../../../src/domain/tenants/tenants.ts'
import { houseForEachTest } from '../../support/lending/houses.ts'
import { addCritical, readCalls, readWarnings, tick } from '../../support/lending/margin.ts'
import { readEvents } from '../../support/lending/onboarding.ts'

const house = houseForEachTest()

const suspend = () =>
  inTransaction(house.db, (tx) =>
    suspendTenant(tx, house.tenantId, { reason: 'court order', now: house.now() }),
  )
const resume = (tenantId = house.tenantId) =>
  inTransaction(house.db, (tx) => resumeTenant(tx, tenantId))
const read = async () => (await listTenants(house.db)).find(({ id }) => id === house.tenantId)

test('a loan of a suspended tenant is warned, escalates and is sold as any other', async () => {
  const { id } = await addCritical(house)
  await suspend()
  await tick(house)
  expect(await readWarnings(house, id)).toMatchObject([{ status: 'ESCALATED' }])
  expect(await readCalls(house, id)).toMatchObject([{ status: 'COMPLETED', outcome: 'partial' }])
  const types = (await readEvents(house.db, house.tenantId)).map(({ type }) => type)
  expect(types).toContain('margin_call.completed')
})

test('a suspension shows since when and why, until the tenant is resumed', async () => {
  expect(await read()).toMatchObject({ suspended: undefined })
  await suspend()
  const suspended = { at: house.now(), reason: 'court order' }
  expect(await read()).toMatchObject({ suspended })
  expect(await resume()).toEqual(suspended)
  expect(await read()).toMatchObject({ suspended: undefined })
})

test('a tenant is suspended once, and resumed once', async () => {
  await expect(resume()).rejects.toMatchObject({ code: 'validation_failed' })
  const both = await Promise.allSettled([suspend(), suspend()])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await expect(resume('ten_00000000000000000000000000')).rejects.toMatchObject({
    code: 'not_found',
  })
})
