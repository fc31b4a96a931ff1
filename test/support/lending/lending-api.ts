import { expect } from 'vitest'
import type { Db } from '../../../src/db/database.ts'
import { startJobs } from '../../../src/jobs/start-jobs.ts'
import {
  apiForFile,
  createTestBorrower,
  startTestApi,
  type TestApi,
  type TestApiOptions,
  type TestKey,
} from '../api/api.ts'
import { waitFor } from '../process/patience.ts'

/** The API with a worker beside it. */
export async function startLendingApi(options: TestApiOptions = {}): Promise<TestApi> {
  await using cleanup = new AsyncDisposableStack()
  const api = cleanup.use(await startTestApi(options))
  const jobs = startJobs(api.resources)
  cleanup.defer(() => jobs.drain())
  const owned = cleanup.move()
  return { ...api, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

export const lendingApiForFile = (options?: TestApiOptions) => apiForFile(options, startLendingApi)

/** A borrower who has signed and become eligible. */
export async function addEligible(key: TestKey): Promise<string> {
  const borrowerId = await createTestBorrower(key)
  await key.client.submitSignature(borrowerId, {
    full_name: 'Ada Lovelace',
    email: 'ada@example.com',
    ip_address: '203.0.113.9',
    signed_at: new Date().toISOString(),
    contract_type: 'master_loan_agreement',
    contract_version: '2026-01',
  })
  await waitUntil(key, `/v1/borrowers/${borrowerId}`, { eligible: true })
  return borrowerId
}

export async function push(key: TestKey, borrowerId: string, quantity = '1'): Promise<void> {
  const snapshot = { as_of: new Date().toISOString(), positions: [{ asset: 'BTC', quantity }] }
  expect(await key.client.putPortfolio(borrowerId, snapshot)).toMatchObject({ applied: true })
}

export const LIMIT = { amount: '40000.00', asset: 'USD' }

/** An approved facility over one bitcoin. */
export async function addApproved(key: TestKey): Promise<{ id: string; borrowerId: string }> {
  const borrowerId = await addEligible(key)
  await push(key, borrowerId)
  const { id } = await key.client.createFacility({ borrower_id: borrowerId, limit: LIMIT })
  await waitUntil(key, `/v1/facilities/${id}`, { state: 'APPROVED' })
  return { id, borrowerId }
}

/** Requests a draw and waits until it is paid out; its body. */
export async function addDraw(key: TestKey, facilityId: string, amount: string) {
  const draw = { amount, asset: 'USD', destination: 'account-4711' }
  const { id } = await key.client.requestDraw(facilityId, draw)
  return await waitUntil(key, `/v1/facilities/${facilityId}/draws/${id}`, { status: 'COMPLETED' })
}

/** Reads until the resource is so; its body. */
export async function waitUntil(key: TestKey, target: string, wanted: object) {
  return await waitFor(async () => {
    const body = (await key.send('GET', target)).json()
    expect(body).toMatchObject(wanted)
    return body
  })
}

/** Nothing is left to do for the tenant but what its clock brings. */
export async function untilIdle(db: Db, tenantId: string): Promise<void> {
  await waitFor(async () => {
    const works = db
      .selectFrom('work')
      .select('topic')
      .where('tenant_id', '=', tenantId)
      .where('clock', '=', 'real')
    expect(await works.execute()).toEqual([])
  })
}
