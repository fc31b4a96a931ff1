import { expect, test } from 'vitest'
import {
  addApproved,
  addDraw,
  lendingApiForFile,
  untilIdle,
  waitUntil,
} from '../support/lending/lending-api.ts'
import { waitFor } from '../support/process/patience.ts'

const api = lendingApiForFile()

const WINDOW_SECONDS = 48 * 3_600

test('a warning that is overdue waits where the custodian refuses to confirm what it holds, as was chosen', async () => {
  const tenant = await api.addTenant()
  const { client } = tenant
  const { id } = await addApproved(tenant)
  await addDraw(tenant, id, '40000.00')
  await client.setSandboxPrice('BTC', '56000')
  await client.advanceSandboxClock(61)
  const warning = `/v1/facilities/${id}/margin-warnings/1`
  await waitUntil(tenant, warning, { status: 'OPEN' })

  await client.advanceSandboxClock(WINDOW_SECONDS - 60)
  // The floor of the new day would be the custodian's next call.
  await untilIdle(api.db, tenant.id)
  await client.setSandboxCustodian('fail')
  await client.advanceSandboxClock(120)
  await waitFor(async () => {
    expect(await readCall(tenant.id, `custodian/${id}/escalation/1`)).toBe('fail')
  })
  await waitUntil(tenant, warning, { status: 'OPEN' })
})

async function readCall(tenantId: string, callId: string): Promise<string | undefined> {
  const row = await api.db
    .selectFrom('sandbox_calls')
    .select('outcome')
    .where('tenant_id', '=', tenantId)
    .where('call_id', '=', callId)
    .executeTakeFirst()
  return row?.outcome
}
