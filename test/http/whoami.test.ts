import { expect, test } from 'vitest'
import { apiForFile } from '../support/api/api.ts'

const EXPIRES_AT = new Date('2099-01-31T00:00:00.000Z')
const api = apiForFile({ env: { RATE_LIMITS: 'money=0.5/7' } })

test('any key learns its tenant, scopes, expiry, stack and limits, for one token of Reads', async () => {
  const { id: tenantId } = api.tenant
  const key = await api.tenant.addKey({ scopes: ['webhook:write'], expiresAt: EXPIRES_AT })
  const answer = await key.send('GET', '/v1/whoami')
  expect(answer.status).toBe(200)
  expect(answer.headers['ratelimit-limit']).toBe('200')
  expect(answer.json()).toEqual({
    tenant_id: tenantId,
    key_id: key.keyId,
    scopes: ['webhook:write'],
    expires_at: EXPIRES_AT.toISOString(),
    stack: 'sandbox',
    limits: [
      { class: 'Portfolio ingest', per_second: 50, burst: 500 },
      { class: 'Reads', per_second: 20, burst: 200 },
      { class: 'Valuation', per_second: 5, burst: 50 },
      { class: 'Money', per_second: 0.5, burst: 7 },
      { class: 'Platform config', per_second: 1, burst: 10 },
      { class: 'Simulate', per_second: 1, burst: 10 },
      { class: 'Sandbox controls', per_second: 10, burst: 100 },
    ],
  })
})

test('a key that does not expire has no expires_at', async () => {
  expect((await api.tenant.send('GET', '/v1/whoami')).json()).not.toHaveProperty('expires_at')
})
