import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeService } from '../../../scripts/openapi/describe-service.ts'
import type { TestApi } from '../../support/api/api.ts'
import { type OperatorApi, openOperatorApi } from '../../support/api/operators.ts'
import { startLendingApi } from '../../support/lending/lending-api.ts'
import type { Attack, Ids } from './arbitraries.ts'
import { type Operation, operationsOf } from './document.ts'
import { openFuzzedHouse } from './fuzzed-house.ts'
import { expectPromisedBody } from './keep-promises.ts'
import { attacksOn, meantWell } from './requests.ts'

const { FUZZ_RUNS, FUZZ_SEED } = process.env
const RUNS = Number(FUZZ_RUNS ?? 25)
const SEED = Number(FUZZ_SEED ?? 20_261_123)
const TIMEOUT_MS = 30_000 + RUNS * 500

let owned: AsyncDisposableStack
let api: TestApi
let operators: OperatorApi
let token: string
/** The cookie of a viewer whose passkey was just given. */
let viewer: string
let ids: Ids
beforeAll(async () => {
  owned = new AsyncDisposableStack()
  api = owned.use(
    await startLendingApi({ env: { FOUR_EYES: 'on' }, constants: { maxWebhooks: 1_000 } }),
  )
  operators = owned.use(await openOperatorApi(api))
  token = (await operators.addOperator('admin')).token
  viewer = (await operators.addOperator('viewer')).cookie
  const house = await openFuzzedHouse(api)
  ids = { ...house, tenant_id: [api.tenant.id, (await api.addTenant()).id] }
})
afterAll(() => owned.disposeAsync())

/** With a token, and as the desk's own pages where no one has signed in. */
async function send(method: string, attack: Attack, cookie?: string) {
  const { target, body, contentType, idempotencyKey } = attack
  const type = contentType ?? (body === undefined ? undefined : 'application/json')
  const { host, origin } = new URL(api.resources.config.desk.origin)
  const answer = await operators.server.inject({
    method: method as 'GET',
    url: target,
    headers: {
      ...(cookie ? { cookie: `__Host-desk=${cookie}` } : { authorization: `Bearer ${token}` }),
      ...{ host, origin },
      ...(type && { 'content-type': type }),
      ...(typeof idempotencyKey === 'string' && { 'idempotency-key': idempotencyKey }),
    },
    ...(body !== undefined && { payload: Buffer.from(body) }),
  })
  const { statusCode: status, headers, body: text } = answer
  return { status, headers, text, json: () => JSON.parse(text) }
}

const { operators: document } = await describeService()
const operations = operationsOf(document)

test.each(operations.map((operation) => [operation.name, operation] as const))(
  'whatever is sent to %s, the answer is one that the document promises',
  async (_name, operation: Operation) => {
    const property = fc.asyncProperty(attacksOn(operation, ids), async (attack) => {
      expectPromisedBody(operation, await send(operation.method, attack))
    })
    const examples: [Attack][] = [[meantWell(operation, ids)]]
    await fc.assert(property, { numRuns: RUNS, seed: SEED, examples })
  },
  TIMEOUT_MS,
)

/** What a viewer does with their own account, and what writes nothing. */
const NOT_AN_ACT =
  /^(signOut|signIn|start|addPasskey|removePasskey|stressBook|previewMarginPolicy|confirmSession|confirmAddress|mailAddressLink|markNoticesSeen|refuseLink)$|^start|^signIn|^signOut/

describe('a viewer', () => {
  const acts = operations.filter(({ id, method }) => method !== 'GET' && !NOT_AN_ACT.test(id))
  test.each(acts.map((operation) => [operation.id, operation] as const))(
    'is refused %s, whether there is something to do or not',
    async (_id, operation) => {
      const { body = operation.body && '{}', ...attack } = meantWell(operation, ids)
      const answer = await send(operation.method, { ...attack, body }, viewer)
      expect({ status: answer.status, ...answer.json() }).toMatchObject({ code: 'scope_missing' })
    },
  )
})
