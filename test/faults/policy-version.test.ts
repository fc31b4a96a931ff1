import type { ChildProcess } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { addMs, HOUR_MS, SECOND_MS } from '../../src/core/time.ts'
import { readDecisionFacts } from '../../src/domain/margin/decisions/decision-record.ts'
import { listDecisions } from '../../src/domain/margin/decisions/decisions.ts'
import { startJobs } from '../../src/jobs/start-jobs.ts'
import { findFreePorts } from '../../src/local/free-ports.ts'
import { startTestApi, type TestApi } from '../support/api/api.ts'
import { type OperatorApi, openOperatorApi } from '../support/api/operators.ts'
import { addApproved, addDraw, untilIdle } from '../support/lending/lending-api.ts'
import { testEnvironment } from '../support/process/config.ts'
import { startEntry } from '../support/process/entry.ts'
import { LONG_SCENARIO_MS, waitFor } from '../support/process/patience.ts'
import { serviceRedisUrl } from '../support/stores/redis.ts'
import { type Fault, startWireProxy, type WireProxy } from '../support/stores/wire-proxy.ts'

const PATIENT = { timeout: 60_000, interval: 50 }
/** 40,000.00 over one bitcoin at 65,000, of which 85 % counts: 0.724. By the service's own terms: 0.634. */
const TERMS = { haircuts: { BTC: '0.15' } }

let owned: AsyncDisposableStack
let api: TestApi
let operators: OperatorApi
let proxy: WireProxy
let env: Record<string, string>
let tokens: { proposer: string; confirmer: string }
beforeEach(async () => {
  owned = new AsyncDisposableStack()
  const shared = {
    ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
    FOUR_EYES: 'on',
  }
  api = owned.use(await startTestApi({ env: shared }))
  operators = owned.use(await openOperatorApi(api))
  tokens = {
    proposer: (await operators.addOperator('risk')).token,
    confirmer: (await operators.addOperator('admin')).token,
  }
  proxy = owned.use(await startWireProxy(api.resources.config.databaseUrl))
  const stores = { databaseUrl: proxy.url, redisUrl: await serviceRedisUrl() }
  env = testEnvironment(stores, { ...shared, HOST: '127.0.0.1' })
})
afterEach(() => owned.disposeAsync())

/** Of a statement or of its COMMIT; the service is killed then. */
type Instant = Omit<Fault, 'effect'>

type Process = { child: ChildProcess; baseUrl: string; operatorUrl: string }

/** The API in a process of its own, ready. */
async function startProcess(): Promise<Process> {
  proxy.silence('none')
  const [port = 0, metricsPort = 0] = await findFreePorts(2)
  const ports = { PORT: String(port), METRICS_PORT: String(metricsPort) }
  const { process: child } = startEntry('server', { ...env, ...ports })
  owned.defer(() => kill(child))
  const operatorUrl = `http://127.0.0.1:${metricsPort}`
  await waitFor(async () => {
    expect((await fetch(`${operatorUrl}/readyz`)).status).toBe(200)
  }, PATIENT)
  return { child, baseUrl: `http://127.0.0.1:${port}`, operatorUrl }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Does something that is cut off by kill -9 at that instant, then all of it in another process. */
async function cutOff<T>(
  first: Process,
  instant: Instant,
  act: (process: Process) => Promise<T>,
): Promise<{ answer: T; process: Process }> {
  const reached = proxy.arm({ ...instant, effect: 'silent' })
  const answered = act(first).then(
    () => 'answered',
    () => 'cut off',
  )
  expect(await Promise.race([answered, reached])).toBeUndefined()
  await kill(first.child)
  expect(await answered).toBe('cut off')
  const process = await startProcess()
  return { answer: await act(process), process }
}

async function confirm({ operatorUrl }: Process, path: string, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${tokens.confirmer}`, 'idempotency-key': key }
  const { status } = await fetch(`${operatorUrl}/operator/v1${path}`, { method: 'POST', headers })
  return status
}

/** A debt of 40,000.00 over one bitcoin by the terms in force, and nothing left to do for it. */
async function addDebt(): Promise<string> {
  const jobs = startJobs(api.resources)
  const { id } = await addApproved(api.tenant)
  await addDraw(api.tenant, id, '40000.00')
  await untilIdle(api.db, api.tenant.id)
  await jobs.drain()
  return id
}

const WRITTEN = /insert into "margin_policy_versions"/
const DECIDED = /INSERT INTO margin_decisions/

test.each<{ moment: string; confirming: Instant; using: Instant }>([
  {
    moment: 'after a lock',
    confirming: { at: /margin_policy', 0/, when: 'after' },
    using: { at: /margin_policy_versions/, when: 'after' },
  },
  {
    moment: 'after the change',
    confirming: { at: WRITTEN, when: 'after' },
    using: { at: DECIDED, when: 'after' },
  },
  {
    moment: 'before COMMIT',
    confirming: { at: WRITTEN, isItsCommit: true, when: 'before' },
    using: { at: DECIDED, isItsCommit: true, when: 'before' },
  },
  {
    moment: 'after COMMIT',
    confirming: { at: WRITTEN, isItsCommit: true, when: 'after' },
    using: { at: DECIDED, isItsCommit: true, when: 'after' },
  },
])(
  'a margin policy version counts once though kill -9 meets its confirmation and its first use $moment',
  { timeout: LONG_SCENARIO_MS },
  async ({ confirming, using }) => {
    const first = await startProcess()
    const effectiveFrom = addMs(new Date(), HOUR_MS)
    const body = { terms: TERMS, effective_from: effectiveFrom.toISOString(), reason: 'volatility' }
    // To another process: a proposal tries the act, and this one is to send its statements as new.
    const proposal = { token: tokens.proposer, method: 'POST', body } as const
    const { approval_id: approvalId } = (await operators.send('/margin-policy', proposal)).json()
    const path = `/approvals/${approvalId}/confirm`
    const confirmKey = randomUUID()
    const confirmed = await cutOff(first, confirming, (at) => confirm(at, path, confirmKey))
    expect(confirmed.answer).toBe(200)
    expect(await readVersions()).toEqual([{ number: 1 }])
    expect(await countActions('margin_policy.set')).toBe(1)
    expect(await countActions('approvals.confirm')).toBe(1)

    const advanceKey = randomUUID()
    const { keyId, privateKeyPem } = api.tenant
    const options = { keyId, privateKeyPem, maxAttempts: 1 }
    await kill(confirmed.process.child)
    await api.tenant.client.advanceSandboxClock((HOUR_MS + SECOND_MS) / SECOND_MS)
    // Read anew, as every process has long before a version takes effect by real time.
    await waitFor(async () => {
      const { policy } = await api.resources.termsAt(api.db, addMs(effectiveFrom, SECOND_MS))
      expect(policy.termsVersion).toBe(1)
    }, PATIENT)
    const facilityId = await addDebt()
    await api.tenant.client.setSandboxPrice('BTC', '65000')
    await cutOff(await startProcess(), using, ({ baseUrl }) =>
      createClient({ ...options, baseUrl }).advanceSandboxClock(120, {
        idempotencyKey: advanceKey,
      }),
    )
    const decisions = await listDecisions(api.db, api.tenant.id, facilityId, [1])
    expect(decisions.map(({ kind }) => kind)).toEqual(['raise'])
    expect(decisions.map(({ facts }) => readDecisionFacts(facts).policy.version)).toEqual(['1'])
    await waitFor(async () => {
      const events = (await api.tenant.send('GET', '/v1/events?limit=500')).json().items
      expect(events.filter(({ type }: { type: string }) => /^margin_/.test(type))).toMatchObject([
        { type: 'margin_warning.raised' },
      ])
    }, PATIENT)
  },
)

/** Without the service's own terms, which are number 0. */
async function readVersions() {
  const versions = api.db.selectFrom('margin_policy_versions').select('number')
  return await versions.where('number', '>', 0).execute()
}

async function countActions(action: string): Promise<number> {
  const rows = api.db.selectFrom('operator_actions').select('number').where('action', '=', action)
  return (await rows.execute()).length
}
