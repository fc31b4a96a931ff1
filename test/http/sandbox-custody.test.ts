import { expect, test } from 'vitest'
import type { TestTenant } from '../support/api/api.ts'
import {
  addApproved,
  addDraw,
  lendingApiForFile,
  waitUntil,
} from '../support/lending/lending-api.ts'
import { waitFor } from '../support/process/patience.ts'

const api = lendingApiForFile()

const TARGET = '/v1/sandbox/custodian/positions'

/** Debt of 40,000 over one bitcoin, worth 68,000 after a minute: an open warning. */
async function addWarned(tenant: TestTenant) {
  const { client } = tenant
  const { id } = await addApproved(tenant)
  await addDraw(tenant, id, '40000.00')
  await client.setSandboxPrice('BTC', '57000')
  await client.advanceSandboxClock(61)
  await waitUntil(tenant, `/v1/facilities/${id}/margin-warnings/1`, { status: 'OPEN' })
  const { borrower_id: borrowerId } = await client.getFacility(id)
  return { id, borrowerId }
}

async function push({ client }: TestTenant, borrowerId: string, quantity?: string) {
  const { now } = await client.getSandboxClock()
  const positions = quantity === undefined ? [] : [{ asset: 'BTC', quantity }]
  await client.putPortfolio(borrowerId, { as_of: now, positions })
}

test('a deposit that the custodian does not hold cures nothing; one that it holds cures at once', async () => {
  const tenant = await api.addTenant()
  const { client } = tenant
  const { id, borrowerId } = await addWarned(tenant)
  await client.setSandboxCustodianPositions(borrowerId, [{ asset: 'BTC', quantity: '1' }])
  await push(tenant, borrowerId, '5')
  await waitFor(async () => {
    const row = await api.db
      .selectFrom('portfolios')
      .select(['is_new', 'confirmed', 'asked_since', 'checking_since'])
      .where('borrower_id', '=', borrowerId)
      .executeTakeFirst()
    expect(row).toEqual({
      is_new: false,
      confirmed: { BTC: '100000000' },
      asked_since: null,
      checking_since: null,
    })
  })
  expect(await client.getMarginWarning(id, 1)).toMatchObject({ status: 'OPEN' })
  await client.setSandboxCustodianPositions(borrowerId, null)
  await push(tenant, borrowerId, '2')
  const warning = `/v1/facilities/${id}/margin-warnings/1`
  await waitUntil(tenant, warning, { status: 'CURED', cured_by: 'collateral' })
})

test('an empty push shows what the custodian holds, once it has answered', async () => {
  const tenant = await api.addTenant()
  const { client } = tenant
  const { id } = await addApproved(tenant)
  await addDraw(tenant, id, '40000.00')
  const { borrower_id: borrowerId } = await client.getFacility(id)
  const positions = [{ asset: 'BTC', quantity: '0.9' }]
  await client.setSandboxCustodianPositions(borrowerId, positions)
  await push(tenant, borrowerId)
  await waitUntil(tenant, `/v1/facilities/${id}/collateral`, { collateral_value_usd: '87300.00' })
  expect((await client.listMarginWarnings(id)).items).toEqual([])
})

test('what is held is refused for a borrower of another tenant, and with an asset given twice', async () => {
  const [tenant, other] = [await api.addTenant(), await api.addTenant()]
  const borrower = { type: 'individual', kyc_attested: true, residency_country: 'DE' } as const
  const { id } = await other.client.createBorrower(borrower)
  const set = (body: object) => tenant.send('POST', TARGET, { body, idempotencyKey: null })
  expect((await set({ borrower_id: id, positions: null })).status).toBe(404)
  const twice = [
    { asset: 'BTC', quantity: '1' },
    { asset: 'BTC', quantity: '2' },
  ]
  expect((await set({ borrower_id: id, positions: twice })).status).toBe(422)
  expect((await set({ borrower_id: id, positions: null, late_seconds: 86_401 })).status).toBe(422)
  expect((await set({ borrower_id: id })).status).toBe(422)
  expect(await api.db.selectFrom('sandbox_holdings').selectAll().execute()).not.toContainEqual(
    expect.objectContaining({ borrower_id: id }),
  )
})
