import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/database.ts'
import { createLogger } from '../../src/telemetry/logger.ts'
import { startTestApi, type TestApi } from '../support/api/api.ts'
import { waitFor } from '../support/process/patience.ts'

let api: TestApi
let log = ''
beforeAll(async () => {
  const sink = new Writable({
    write(bytes, _encoding, done) {
      log += bytes
      done()
    },
  })
  api = await startTestApi({
    logger: createLogger({ logLevel: 'info', stack: 'sandbox', kind: 'api' }, sink),
  })
})
afterAll(() => api?.[Symbol.asyncDispose]())

test('a request whose client goes away before the answer leaves a line and a sample', async () => {
  await inTransaction(api.db, async (tx) => {
    await sql`LOCK TABLE borrowers IN ACCESS EXCLUSIVE MODE`.execute(tx)
    const leaving = new AbortController()
    const headers = await api.tenant.sign('GET', '/v1/borrowers')
    const answer = fetch(`${api.baseUrl}/v1/borrowers`, { headers, signal: leaving.signal })
    await waitFor(async () => {
      const { rows } = await sql`
        SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%borrowers%'`.execute(
        api.resources.db,
      )
      expect(rows).not.toEqual([])
    })
    leaving.abort()
    await expect(answer).rejects.toThrow()
    await waitFor(() => expect(log).toContain('client_gone'))
  })
  const lines = log
    .split('\n')
    .filter((line) => line.includes('"request"'))
    .map((line) => JSON.parse(line))
  expect(lines).toEqual([
    expect.objectContaining({
      outcome: 'client_gone',
      route: '/v1/borrowers',
      tenantId: api.tenant.id,
      durationMs: expect.any(Number),
    }),
  ])
  expect(lines[0]).not.toHaveProperty('status')
  expect(await api.resources.metrics.registry.metrics()).toMatch(
    /^svc_http_request_seconds_count\{method="GET",route="\/v1\/borrowers",status="client_gone"\} 1$/m,
  )
})
