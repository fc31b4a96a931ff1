import { METHODS } from 'node:http'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi, type TestResponse } from '../support/api/api.ts'
import { expectCommonHeaders } from '../support/api/expect-problem.ts'
import { signCallback, startVendors } from '../support/servers/vendor-server.ts'
import { PROTOTYPE_NAMES, text } from './fuzz/arbitraries.ts'

const { FUZZ_RUNS, FUZZ_SEED } = process.env
const runs = { numRuns: Number(FUZZ_RUNS ?? 100) * 3, seed: Number(FUZZ_SEED ?? 20_261_120) }
const TIMEOUT_MS = 30_000 + runs.numRuns * 100

let owned: AsyncDisposableStack
let api: TestApi
beforeAll(async () => {
  owned = new AsyncDisposableStack()
  const vendors = owned.use(await startVendors())
  api = owned.use(await startTestApi({ env: vendors.environment }))
})
afterAll(() => owned.disposeAsync())

const encode = (value: string) => encodeURIComponent(value.toWellFormed())
const REFUSALS = [400, 401, 404, 405, 413, 414, 415, 422, 429, 431]

/** The only address that a request is sent on to: its own. */
function withoutSlash(target: string): string {
  return target.replace(/\?.*$/s, '').replace(/\/+$/, '')
}

/** A refusal is a problem object with everything that goes with it, wherever it was met. */
function expectRefusal({ status, headers, text: body }: TestResponse): void {
  expect(REFUSALS, body).toContain(status)
  expect(headers['content-type']).toBe('application/problem+json')
  expectCommonHeaders(headers)
  expect(JSON.parse(body)).toMatchObject({ status, code: expect.any(String) })
}

const part = fc.oneof(
  fc.constantFrom(
    'v1',
    'V1',
    'docs',
    'guides',
    'errors',
    'openapi.json',
    'healthz',
    'callbacks',
    'kyc',
    'aml',
  ),
  fc.constantFrom(
    '..',
    '.',
    '',
    '%2e%2e',
    '%00',
    '%zz',
    '%ff',
    'page.js',
    'scalar',
    'js',
    'metrics',
  ),
  fc.constantFrom(...PROTOTYPE_NAMES),
  text.map(encode),
)
const target = fc
  .tuple(fc.array(part, { maxLength: 4 }), fc.option(text.map(encode)))
  .map(([parts, query]) => `/${parts.join('/')}${query === null ? '' : `?${query}`}`)

test(
  'any method of any path outside the operations is answered by a page, a local redirect or a refusal',
  async () => {
    const methods = METHODS.filter((method) => method !== 'CONNECT' && method !== 'HEAD')
    const property = fc.asyncProperty(
      fc.constantFrom('GET', 'GET', 'POST', ...methods),
      target,
      fc.option(text, { nil: undefined }),
      fc.nat({ max: 200 }),
      async (method, path, body, host) => {
        // The pages have a limit by source: each request comes from one of many.
        const answer = await api.tenant.send(method, path, {
          ...(method !== 'GET' && body !== undefined && { body }),
          from: `127.0.1.${host + 1}`,
        })
        if (answer.status === 301) expect(answer.headers.location).toBe(withoutSlash(path))
        else if (answer.status !== 200) expectRefusal(answer)
      },
    )
    await fc.assert(property, runs)
  },
  TIMEOUT_MS,
)

test(
  'a correctly signed callback with any content is accepted or refused',
  async () => {
    const member = fc.oneof(fc.constant(api.tenant.id), text, fc.jsonValue({ maxDepth: 2 }))
    const content = fc.oneof(
      fc
        .record({ tenant_id: member, call_id: member, __proto__: member }, { requiredKeys: [] })
        .map((body) => JSON.stringify(body)),
      fc
        .tuple(
          fc.constantFrom(
            'drw_01k9x4m2q8e0tb7f2v5j6h8n3c',
            'chk_',
            'fac_\0.floor.1',
            'x'.repeat(200),
          ),
          fc.constantFrom(
            '',
            '.floor.1',
            '.call.1.1',
            '.call.99999999999999999999.1',
            '.positions.0',
            '\0',
          ),
        )
        .map(([id, rest]) => JSON.stringify({ tenant_id: api.tenant.id, call_id: id + rest })),
      fc.json(),
      text,
    )
    const property = fc.asyncProperty(
      fc.constantFrom('kyc', 'custodian', 'payments'),
      content,
      async (vendor, body) => {
        const callback = signCallback(new Date(), vendor as 'kyc', { body: body.toWellFormed() })
        const answer = await fetch(`${api.baseUrl}${callback.target}`, {
          method: 'POST',
          body: callback.body,
          headers: callback.headers,
        })
        const headers = Object.fromEntries(answer.headers)
        const text = await answer.text()
        if (answer.status === 200) expect(JSON.parse(text)).toEqual({ outcome: 'ignored' })
        else expectRefusal({ status: answer.status, headers, text, json: () => undefined })
      },
    )
    await fc.assert(property, runs)
  },
  TIMEOUT_MS,
)
