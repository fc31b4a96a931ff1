import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { lendingApiForFile } from '../../support/lending/lending-api.ts'
import type { Attack, Ids } from './arbitraries.ts'
import { type Operation, readOperations } from './document.ts'
import { openFuzzedHouse } from './fuzzed-house.ts'
import { expectPromised } from './keep-promises.ts'
import { attacksOn, meantWell } from './requests.ts'

// More of it, and otherwise: FUZZ_RUNS=5000 FUZZ_SEED=1 npm run test:floods -- test/attacks/fuzz
const { FUZZ_RUNS, FUZZ_SEED } = process.env
const RUNS = Number(FUZZ_RUNS ?? 100)
const SEED = Number(FUZZ_SEED ?? 20_261_120)
const TIMEOUT_MS = 30_000 + RUNS * 500

const api = lendingApiForFile({ constants: { maxWebhooks: 1_000 } })
let ids: Ids
/** Its event is of a warning, of which the first loan has none. */
let notice: Attack
beforeAll(async () => {
  ids = await openFuzzedHouse(api)
  notice = await meantNotice(ids)
  api.resources.metrics.requests.reset()
})

function send(method: string, { target, body, idempotencyKey, contentType }: Attack) {
  return api.tenant.send(method, target, {
    body,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(contentType === undefined ? {} : { headers: { 'content-type': contentType } }),
  })
}

async function meantNotice({ facility_id: facilityIds = [] }: Ids): Promise<Attack> {
  for (const id of facilityIds) {
    const warning = await api.tenant.client.getMarginWarning(id, 1).catch(() => undefined)
    const [raise] = warning?.raises ?? []
    if (!raise) continue
    const { event_id, raised_at: sent_at } = raise
    const target = `/v1/facilities/${id}/margin-warnings/1/notices`
    const body = JSON.stringify({ event_id, channel: 'email', sent_at })
    return { target, body, idempotencyKey: undefined, contentType: undefined }
  }
  throw new Error('no loan was warned')
}

/** A retry comes before the webhook has failed a hundred times, which disables it. What ends things
 * comes last, so that there is something to ask for until then. */
const ORDER = ['retryDelivery', '', 'closeFacility', 'deleteWebhook', 'advanceSandboxClock']
const rank = ({ id }: Operation) => ORDER.indexOf(ORDER.includes(id) ? id : '')
const operations = readOperations().sort((one, other) => rank(one) - rank(other))

test.each(operations.map((operation) => [operation.name, operation] as const))(
  'whatever is sent to %s, the answer is one that the document promises',
  async (_name, operation) => {
    const property = fc.asyncProperty(attacksOn(operation, ids), async (attack) => {
      expectPromised(operation, await send(operation.method, attack))
    })
    const examples: [Attack][] = [[meantWell(operation, ids)]]
    if (operation.id === 'reportNotice') examples.push([notice])
    await fc.assert(property, { numRuns: RUNS, seed: SEED, examples })
  },
  TIMEOUT_MS,
)

test('what the fuzzer sent reached the operations: each accepted some of it', async () => {
  const { values } = await api.resources.metrics.requests.get()
  const taken = values.filter(({ labels }) => Number(labels.status) < 300)
  const routes = new Set(taken.map(({ labels }) => `${labels.method} ${labels.route}`))
  const nameOf = ({ method, path }: Operation) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`
  expect(operations.map(nameOf).filter((name) => !routes.has(name))).toEqual([])
})
