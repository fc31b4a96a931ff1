import { afterEach, beforeEach, expect, test } from 'vitest'
import { addMs } from '../../../src/core/time.ts'
import type { CheckRequest } from '../../../src/domain/onboarding/compliance.ts'
import {
  startDripping,
  startEndless,
  startHanging,
} from '../../support/servers/misbehaving-server.ts'
import {
  connectTestVendors,
  IMPATIENT,
  type TestVendorOptions,
  type TestVendors,
} from '../../support/servers/vendor-clients.ts'
import { startVendors, type Twist, type VendorServer } from '../../support/servers/vendor-server.ts'

const NOW = new Date('2026-11-20T12:00:00Z')

let open: AsyncDisposableStack
let server: VendorServer
beforeEach(async () => {
  open = new AsyncDisposableStack()
  server = open.use(await startVendors())
})
afterEach(() => open.disposeAsync())

const request: CheckRequest = {
  tenantId: 'ten_test',
  checkId: 'chk_01kah9z4t8e8tbmkq4xmf2d9vr',
  subject: {
    borrowerType: 'individual',
    residencyCountry: 'US',
    residencyState: 'CA',
    fullName: 'Ada Lovelace',
    email: 'ada@example.com',
  },
  reference: undefined,
  now: NOW,
}

function connect(options: TestVendorOptions = {}): TestVendors {
  return open.use(connectTestVendors(server, options))
}

function verify(vendors: TestVendors, rest: Partial<CheckRequest> = {}) {
  if (!vendors.compliance) throw new Error('no compliance vendor is configured')
  return vendors.compliance.identity.verify({ ...request, ...rest })
}

test('a check is requested under its own id, in path and header, signed, with the signer', async () => {
  const vendors = connect()
  expect(await verify(vendors)).toMatchObject({ status: 'passed', reference: request.checkId })
  expect(server.complaints).toEqual([])
  expect(server.calls).toMatchObject([
    {
      operation: 'kyc/checks',
      id: request.checkId,
      headers: { 'idempotency-key': request.checkId, 'content-type': 'application/json' },
    },
  ])
  expect(server.calls[0]?.body).toEqual({
    tenant_id: 'ten_test',
    type: 'kyc',
    subject: {
      full_name: 'Ada Lovelace',
      email: 'ada@example.com',
      residency_country: 'US',
      residency_state: 'CA',
    },
  })
  expect(await vendors.outcomes()).toEqual({ 'kyc checks answered': 1 })
})

test('a check of a business is one of KYB', async () => {
  const subject = { ...request.subject, borrowerType: 'business' as const }
  await verify(connect(), { subject })
  expect(server.calls[0]?.body.type).toBe('kyb')
})

test.each(['failed', 'review'] as const)(
  'a check that ends as %s is returned so',
  async (status) => {
    server.books.identities.set('Ada Lovelace', status)
    expect(await verify(connect())).toMatchObject({ status })
  },
)

test('a check with a note of several lines is decided, and the note is stored in one line', async () => {
  const note = 'Name differs:\r\n\tLovelace, A.\u0000\n'
  server.books.decided.set(`kyc/checks/${request.checkId}`, { status: 'review', note })
  const answer = await verify(connect())
  expect(answer).toMatchObject({ status: 'review', note: 'Name differs: Lovelace, A.' })
})

test('a check that is not decided yet is polled when the vendor asks for it', async () => {
  server.next.set('kyc/checks', ['pending'])
  const vendors = connect()
  expect(await verify(vendors)).toEqual({
    status: 'pending',
    reference: request.checkId,
    askAgainAt: new Date('2026-11-20T12:00:01Z'),
  })
  await verify(vendors, { reference: request.checkId })
  expect(await verify(vendors, { reference: 'theirs' })).toMatchObject({ status: 'passed' })
  const references = server.calls.map(({ body }) => body.reference)
  expect(references).toEqual([undefined, undefined, 'theirs'])
})

test.each<[Twist, string]>([
  ['error', 'status_5xx'],
  ['busy', 'status_429'],
  ['denied', 'status_4xx'],
  ['redirect', 'status_3xx'],
  ['empty', 'status_2xx'],
  ['garbage', 'garbage'],
  ['wrong shape', 'garbage'],
  ['refused', 'garbage'],
  ['truncated', 'network'],
  ['reset', 'network'],
  ['huge', 'too_large'],
  ['hang', 'timeout'],
])(
  'the answer "%s" is the error %s, and the same check is requested again',
  async (twist, reason) => {
    server.next.set('kyc/checks', [twist])
    const vendors = connect({ vendorLimits: { deadlineSeconds: 1 } })
    await expect(verify(vendors)).rejects.toMatchObject({
      reason,
      name: `VendorFailure kyc ${reason}`,
    })
    expect(await vendors.outcomes()).toEqual({ [`kyc checks ${reason}`]: 1 })
    if (twist === 'refused') return
    expect(await verify(vendors)).toMatchObject({ status: 'passed' })
    expect(new Set(server.calls.map(({ id }) => id)).size).toBe(1)
    expect(server.books.decided.size).toBe(1)
  },
)

test.each([
  ['drips for ever', startDripping, 'timeout'],
  ['never answers', startHanging, 'timeout'],
  ['sends without end', () => startEndless(), 'too_large'],
  ['fails without end', () => startEndless(500), 'status_5xx'],
])('a vendor that %s is an error', async (_name, start, reason) => {
  const bad = open.use(await start())
  const KYC_URL = `http://127.0.0.1:${bad.port}`
  const vendors = connect({ env: { KYC_URL }, vendorLimits: { deadlineSeconds: 1 } })
  await expect(verify(vendors)).rejects.toMatchObject({ reason })
  await bad.allClosed()
})

test('a vendor that is not there is an error', async () => {
  const gone = await startHanging()
  await gone[Symbol.asyncDispose]()
  const vendors = connect({ env: { KYC_URL: `http://127.0.0.1:${gone.port}` } })
  await expect(verify(vendors)).rejects.toMatchObject({ reason: 'network' })
})

const vendorLimits = { breakerFailures: 3, breakerSeconds: 10, deadlineSeconds: 1 }
const TENANTS = ['ten_a', 'ten_b']

test('the breaker of a vendor opens after failures in a row, spares the vendor, and closes when it answers again', async () => {
  let now = NOW
  const vendors = connect({ vendorLimits, clock: () => now })
  server.down.add('kyc')
  for (let call = 0; call < 3; call += 1) {
    await expect(verify(vendors)).rejects.toMatchObject({ reason: 'timeout' })
  }
  expect(await vendors.breaker('kyc')).toBe(2)
  server.down.clear()
  now = addMs(NOW, 9_999)
  await expect(verify(vendors)).rejects.toMatchObject({ reason: 'breaker_open' })
  expect(server.calls).toEqual([])
  expect(await vendors.breaker('aml')).toBe(0)
  expect(vendors.recoveries).toEqual([])

  now = addMs(NOW, 10_000)
  await verify(vendors)
  expect(await vendors.breaker('kyc')).toBe(0)
  expect(vendors.recoveries).toEqual([{ provider: 'kyc', since: NOW }])
  expect(vendors.log()).toContain('provider breaker opened')
  expect(vendors.log()).toContain('provider breaker closed')
})

test.each<Twist>(['error', 'busy', 'garbage', 'reset', 'truncated', 'huge'])(
  'the breaker of a vendor takes the answer "%s" for an outage only from a second tenant',
  async (twist) => {
    server.next.set('kyc/checks', Array(4).fill(twist))
    const vendors = connect({ vendorLimits, clock: () => NOW })
    for (let call = 0; call < 3; call += 1) await verify(vendors).catch(() => undefined)
    expect(await vendors.breaker('kyc')).toBe(0)
    await verify(vendors, { tenantId: 'ten_b' }).catch(() => undefined)
    expect(await vendors.breaker('kyc')).toBe(2)
  },
)

test('the breaker of a vendor opens when nothing listens at its address', async () => {
  const gone = await startHanging()
  await gone[Symbol.asyncDispose]()
  const KYC_URL = `http://127.0.0.1:${gone.port}`
  const vendors = connect({ env: { KYC_URL }, vendorLimits, clock: () => NOW })
  for (let call = 0; call < 3; call += 1) await verify(vendors).catch(() => undefined)
  expect(await vendors.breaker('kyc')).toBe(2)
})

test('the breaker of a vendor stays closed while the vendor answers well in between', async () => {
  server.next.set('kyc/checks', ['error', 'error', 'pending', 'error', 'error'])
  const vendors = connect({ vendorLimits })
  for (let call = 0; call < 5; call += 1) {
    await verify(vendors, { tenantId: TENANTS[call % 2] as string }).catch(() => undefined)
  }
  expect(await vendors.breaker('kyc')).toBe(0)
})

test('the breaker of a vendor ignores calls that the vendor refuses', async () => {
  server.next.set('kyc/checks', Array(5).fill('denied'))
  const vendors = connect({ vendorLimits })
  for (let call = 0; call < 5; call += 1) {
    await verify(vendors, { tenantId: TENANTS[call % 2] as string }).catch(() => undefined)
  }
  expect(await vendors.outcomes()).toEqual({ 'kyc checks status_4xx': 5 })
  expect(await vendors.breaker('kyc')).toBe(0)
})

test('errors of a vendor show no secret, nothing of its answer and no personal datum', async () => {
  const vendors = connect({ vendorLimits: IMPATIENT })
  const twists: Twist[] = [
    'error',
    'garbage',
    'wrong shape',
    'reset',
    'truncated',
    'denied',
    'hang',
  ]
  server.next.set('kyc/checks', [...twists])
  const texts: string[] = []
  for (const _twist of twists) {
    const error = await verify(vendors).catch((thrown: Error) => thrown)
    texts.push(JSON.stringify(error, Object.getOwnPropertyNames(error)))
    texts.push(String((error as Error).cause))
  }
  const { KYC_TOKEN, KYC_SIGNING_SECRET } = server.environment
  const text = texts.join('\n') + vendors.log()
  for (const secret of [
    String(KYC_TOKEN),
    String(KYC_SIGNING_SECRET),
    'Lovelace',
    'ada@example.com',
    'back soon',
    'sha256=',
  ]) {
    expect(text).not.toContain(secret)
  }
})
