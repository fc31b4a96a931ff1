import type { TestApi, TestTenant } from '../api/api.ts'
import { addApproved, addDraw, waitUntil } from '../lending/lending-api.ts'

export type SoldLoan = { tenantId: string; facilityId: string }

/** 40,000.00 owed over one bitcoin, at a price that holds from now on. */
export async function addOwing(tenant: TestTenant, price: string): Promise<string> {
  const { id } = await addApproved(tenant)
  await addDraw(tenant, id, '40000.00')
  await moveTo(tenant, price)
  return id
}

/** Bitcoin goes to a price and stays there for long enough to count. */
export async function moveTo({ client }: TestTenant, price: string): Promise<void> {
  await client.setSandboxPrice('BTC', price)
  await client.advanceSandboxClock(61)
}

/** Warned by one price and sold by the next. */
export async function addSold(api: TestApi): Promise<SoldLoan> {
  const tenant = await api.addTenant()
  const facilityId = await addOwing(tenant, '56000')
  await moveTo(tenant, '47000')
  await waitUntil(tenant, `/v1/facilities/${facilityId}/margin-calls/1`, { status: 'COMPLETED' })
  return { tenantId: tenant.id, facilityId }
}
