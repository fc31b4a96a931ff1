import { spawnSync } from 'node:child_process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startJobs } from '../../src/jobs/start-jobs.ts'
import { createResources } from '../../src/process/resources.ts'
import { startTracing } from '../../src/telemetry/tracing.ts'
import { createTestBorrower, startTestApi } from '../support/api/api.ts'
import { addApproved, addDraw } from '../support/lending/lending-api.ts'
import { waitFor } from '../support/process/patience.ts'
import { type CollectedSpan, type Collector, startCollector } from '../support/servers/collector.ts'
import { startReceiver } from '../support/servers/endpoint.ts'

const SIGNER = {
  full_name: 'Canary Wintergreen',
  email: 'canary.wintergreen@example.com',
  ip_address: '198.51.100.77',
}

let open: AsyncDisposableStack
let collector: Collector
beforeEach(async () => {
  open = new AsyncDisposableStack()
  collector = open.use(await startCollector())
})
afterEach(() => open.disposeAsync())

const settings = (traceRatio = 1) => ({
  stack: 'sandbox' as const,
  otlpEndpoint: collector.url,
  otlpHeaders: {},
  traceRatio,
})

/** The API and a worker, each with traces of its own as two processes have; `end` has all of them sent. */
async function startService(traceRatio = 1) {
  const service = open.use(new AsyncDisposableStack())
  const api = service.use(
    await startTestApi({ tracing: await startTracing(settings(traceRatio), 'api') }),
  )
  const worker = createResources(api.resources.config, {
    tracing: await startTracing(settings(traceRatio), 'worker'),
  })
  service.defer(() => worker.dispose())
  const jobs = startJobs(worker)
  service.defer(() => jobs.drain())
  const receiver = open.use(await startReceiver())
  await api.tenant.send('POST', '/v1/webhooks/secrets')
  const body = { url: receiver.url }
  const { id: webhookId } = (await api.tenant.send('POST', '/v1/webhooks', { body })).json()
  return { api, receiver, webhookId, end: () => service.disposeAsync() }
}

const received = (receiver: { seen: unknown[] }, count: number) =>
  waitFor(() => expect(receiver.seen).toHaveLength(count))

const find = (name: string, rest: object = {}): CollectedSpan => {
  const found = collector.spans.find((span) => {
    const wanted = Object.entries(rest)
    return span.name === name && wanted.every(([key, value]) => span.attributes[key] === value)
  })
  if (!found) throw new Error(`no span ${name} among ${collector.spans.map((span) => span.name)}`)
  return found
}

const parentOf = ({ traceId, parentSpanId }: CollectedSpan) =>
  collector.spans.find((span) => span.traceId === traceId && span.spanId === parentSpanId)

/** The names from a span up to the root of its trace. */
function pathOf(span: CollectedSpan | undefined): string[] {
  return span ? [`${span.service}: ${span.name}`, ...pathOf(parentOf(span))] : []
}

test('a trace leads from the request through the work it requested to the delivery', async () => {
  const { api, receiver, end } = await startService()
  const borrowerId = await createTestBorrower(api.tenant)
  // Both ask for the same work, which goes into the trace of who asked last before it began.
  await waitFor(async () => {
    expect(await api.db.selectFrom('work').selectAll().execute()).toEqual([])
  })
  const body = { ...SIGNER, signed_at: new Date().toISOString() }
  const contract = { contract_type: 'master_loan_agreement', contract_version: '2026-01' }
  await api.tenant.send('POST', `/v1/borrowers/${borrowerId}/signatures`, {
    body: { ...body, ...contract },
  })
  await received(receiver, 1)
  await end()

  const delivery = find('deliver', { 'http.response.status_code': 204 })
  expect(pathOf(delivery)).toEqual([
    'lending-worker: deliver',
    'lending-worker: transaction',
    'lending-worker: work evaluate-borrower',
    'lending-api: transaction',
    'lending-api: request',
  ])
  const request = find('request', { 'http.route': '/v1/borrowers/:borrower_id/signatures' })
  expect(delivery.traceId).toBe(request.traceId)
  expect(request.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.response.status_code': 202,
    'svc.tenant_id': api.tenant.id,
  })
  // One trace a request, and nothing of what passes through the service.
  const requests = collector.spans.filter(({ name }) => name === 'request')
  expect(new Set(requests.map(({ traceId }) => traceId)).size).toBe(requests.length)
  for (const secret of [...Object.values(SIGNER), 'whsec_', receiver.url]) {
    expect(collector.text()).not.toContain(secret)
  }
})

test('a trace has the calls to providers and the deliveries of each step of a draw', async () => {
  const { api, receiver, end } = await startService()
  const { id } = await addApproved(api.tenant)
  await addDraw(api.tenant, id, '1000.00')
  await received(receiver, 4)
  await end()

  const draw = find('request', { 'http.route': '/v1/facilities/:facility_id/draws' })
  const ofDraw = collector.spans.filter(({ traceId }) => traceId === draw.traceId)
  const names = ofDraw.map(({ name }) => name)
  expect(names).toContain('work release-draw')
  expect(names).toContain('custodian setFloor')
  expect(names.filter((name) => name.startsWith('payments '))).toHaveLength(1)
  expect(names.filter((name) => name === 'deliver')).toHaveLength(2)
  expect(ofDraw.filter(({ failed }) => failed)).toEqual([])
})

test('a trace begins at the request, whatever trace the tenant names as its parent', async () => {
  const { api, end } = await startService()
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`
  await api.tenant.send('GET', '/v1/documents', { headers: { traceparent } })
  await end()
  const request = find('request', { 'http.route': '/v1/documents' })
  expect(request.traceId).not.toBe('a'.repeat(32))
  expect(request.parentSpanId).toBeUndefined()
})

test('a trace shows a delivery that failed, and one of a request that was refused', async () => {
  const { api, receiver, webhookId, end } = await startService()
  await receiver[Symbol.asyncDispose]()
  const data = { facility_id: 'fac_1' }
  const body = { webhook_id: webhookId, event_type: 'facility.closed', data }
  await api.tenant.send('GET', '/v1/borrowers/bor_unknown')
  await api.tenant.send('POST', '/v1/webhooks/simulate', { body })
  await end()
  expect(find('request', { 'svc.refusal': 'not_found' })).toMatchObject({
    failed: false,
    attributes: { 'http.response.status_code': 404 },
  })
  expect(find('deliver')).toMatchObject({
    failed: true,
    attributes: { 'error.type': 'connect' },
  })
})

test('a request that is not sampled leaves no part of its trace anywhere', async () => {
  const { api, receiver, end } = await startService(0)
  await addApproved(api.tenant)
  await received(receiver, 2)
  await end()
  expect(collector.spans).toEqual([])
})

test('the collector gets the configured headers', async () => {
  const otlpHeaders = { authorization: 'Bearer token' }
  const tracing = await startTracing({ ...settings(), otlpHeaders }, 'api')
  await tracing?.span('alone', {}, async () => undefined)
  await tracing?.close()
  expect(collector.headers()).toMatchObject(otlpHeaders)
})

test('a collector that is away changes no answer', async () => {
  const url = collector.url
  await collector[Symbol.asyncDispose]()
  const tracing = await startTracing({ ...settings(), otlpEndpoint: url }, 'api')
  const api = open.use(await startTestApi({ tracing }))
  expect((await api.tenant.send('GET', '/v1/documents')).status).toBe(200)
})

test('without a collector nothing of OpenTelemetry is loaded except the types that metrics need', async () => {
  expect(await startTracing({ ...settings(), otlpEndpoint: undefined }, 'api')).toBeUndefined()
  const script = `
    const { startTracing } = await import('./src/telemetry/tracing.ts')
    await import('./src/app.ts')
    await import('./src/process/resources.ts')
    await import('./src/jobs/start-jobs.ts')
    await startTracing({ otlpEndpoint: undefined, traceRatio: 1, stack: 'sandbox' }, 'api')
    const { Session } = await import('node:inspector/promises')
    const session = new Session()
    session.connect()
    const urls = []
    session.on('Debugger.scriptParsed', ({ params }) => urls.push(params.url))
    await session.post('Debugger.enable')
    console.log(urls.some((url) => url.includes('fastify')), urls.filter((url) => /@opentelemetry\\/(?!api\\/)/.test(url)).length)`
  const shown = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  })
  expect(shown).toMatchObject({ stdout: 'true 0\n', stderr: '' })
})
