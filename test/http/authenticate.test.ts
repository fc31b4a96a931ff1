import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestBorrower, startTestApi, type TestApi } from '../support/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

test('a signed request is answered', async () => {
  const id = await createTestBorrower(api.tenant)
  const response = await api.tenant.send('GET', `/v1/borrowers/${id}`)
  expect(response.status).toBe(200)
  expect(response.json()).toMatchObject({ id, eligible: false })
})
