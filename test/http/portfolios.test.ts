import { expect, test } from 'vitest'
import { addMs } from '../../src/core/time.ts'
import { apiForFile, createTestBorrower, type TestKey } from '../support/api/api.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import { readPortfolio } from '../support/lending/read-portfolio.ts'

const api = apiForFile()

const BTC = { asset: 'BTC', quantity: '1.5' }
const now = () => api.resources.clock()

/** As a client writes it: microseconds, `ago` of them before now. */
function asOf(ago = 0): string {
  const micros = BigInt(now().getTime()) * 1_000n - BigInt(ago)
  const text = new Date(Number(micros / 1_000n)).toISOString()
  return `${text.slice(0, -1)}${String(micros % 1_000n).padStart(3, '0')}Z`
}

const toMillis = (timestamp: string) => `${timestamp.slice(0, 23)}Z`

function push(borrowerId: string, body: unknown, key: TestKey = api.tenant) {
  return key.send('PUT', `/v1/borrowers/${borrowerId}/portfolio`, { body })
}

const read = (borrowerId: string) => readPortfolio(api.db, api.tenant.id, borrowerId)

test('the newest as_of stays, to the microsecond, and each answer names it', async () => {
  const borrowerId = await createTestBorrower(api.tenant)
  const [newest, older] = [asOf(), asOf(1_000_001)]
  const first = await push(borrowerId, { as_of: newest, positions: [BTC] })
  expect(first.status).toBe(200)
  expect(first.json()).toEqual({ applied: true, as_of: toMillis(newest) })
  const late = await push(borrowerId, { as_of: older, positions: [] })
  expect(late.status).toBe(200)
  expect(late.json()).toEqual({ applied: false, as_of: toMillis(newest) })
  expect(await read(borrowerId)).toMatchObject({
    positions: [{ asset: 'BTC', units: 150_000_000n }],
  })
})

test('a push with an Idempotency-Key is not recorded: under one key two snapshots are both stored', async () => {
  const borrowerId = await createTestBorrower(api.tenant)
  const idempotencyKey = '0b0f4f9a-3d0e-4b7e-9a51-6f0d9b1f2c3d'
  const target = `/v1/borrowers/${borrowerId}/portfolio`
  for (const ago of [2_000_000, 1_000_000]) {
    const body = { as_of: asOf(ago), positions: [BTC] }
    const answer = await api.tenant.send('PUT', target, { body, idempotencyKey })
    expect(answer.json()).toMatchObject({ applied: true })
    expect(answer.headers['idempotent-replayed']).toBeUndefined()
  }
})

test('assets that the service does not know are stored, count nothing, and are named in each answer', async () => {
  const borrowerId = await createTestBorrower(api.tenant)
  const codes = ['BTX', 'ETH', 'CONSTRUCTOR']
  const positions = [BTC, ...codes.map((asset) => ({ asset, quantity: '1' }))]
  const unknown_assets = ['BTX', 'CONSTRUCTOR']
  const as_of = asOf()
  const first = await push(borrowerId, { as_of, positions })
  expect(first.json()).toEqual({ applied: true, as_of: toMillis(as_of), unknown_assets })
  const older = await push(borrowerId, { as_of: asOf(2_000_000), positions })
  expect(older.json()).toMatchObject({ applied: false, unknown_assets })
  expect((await push(borrowerId, { as_of, positions })).json()).toMatchObject({ unknown_assets })
})

test('a snapshot of more than 60 s ahead is refused', async () => {
  const borrowerId = await createTestBorrower(api.tenant)
  const ahead = { as_of: addMs(now(), 120_000).toISOString(), positions: [BTC] }
  const { detail } = expectProblem(await push(borrowerId, ahead), 422, 'as_of_in_future')
  const pattern = /^The as_of is more than 60 s ahead of the clock of this tenant, now (\S+)\. /
  const clock = Date.parse(pattern.exec(detail)?.[1] ?? '')
  expect(Math.abs(clock - now().getTime())).toBeLessThan(60_000)
  expect(await read(borrowerId)).toBeUndefined()
})

const filler = (length: number) =>
  Array.from({ length }, (_, index) => ({ asset: `X${index}`, quantity: '1' }))
test.each([
  ['/as_of', { as_of: '2026-11-20 12:00', positions: [] }],
  ['/as_of', { as_of: '2026-11-20T12:00:00.0000000Z', positions: [] }],
  ['/positions', { positions: filler(201) }],
  ['/positions/1/asset', { positions: [BTC, { asset: 'BTC', quantity: '2' }] }],
  ['/positions/0/asset', { positions: [{ asset: 'btc', quantity: '1' }] }],
  ['/positions/0/asset', { positions: [{ asset: 'X'.repeat(17), quantity: '1' }] }],
  ['/positions/0/quantity', { positions: [{ asset: 'BTC', quantity: '0.000000001' }] }],
  ['/positions/0/quantity', { positions: [{ asset: 'USD', quantity: '1.001' }] }],
  ['/positions/0/quantity', { positions: [{ asset: 'BTC', quantity: '-1' }] }],
  ['/positions/0/quantity', { positions: [{ asset: 'BTC', quantity: '1e3' }] }],
  ['/positions/0/quantity', { positions: [{ asset: 'BTC', quantity: '01' }] }],
  ['/positions/0/quantity', { positions: [{ asset: 'BTC', quantity: 1 }] }],
  ['/positions/0/note', { positions: [{ ...BTC, note: 'x' }] }],
  ['/source', { positions: [BTC], source: 'x' }],
])(
  'a pushed portfolio with a fault at %s is refused and stores nothing',
  async (pointer, given) => {
    const borrowerId = await createTestBorrower(api.tenant)
    const answer = await push(borrowerId, { as_of: asOf(), ...given })
    const { errors = [] } = expectProblem(answer, 422, 'validation_failed')
    expect(errors.map((error) => error.pointer)).toContain(pointer)
    expect(await read(borrowerId)).toBeUndefined()
  },
)

test('200 rows, a quantity of zero and the longest numbers there are can be pushed', async () => {
  const borrowerId = await createTestBorrower(api.tenant)
  const most = `${'9'.repeat(18)}.${'9'.repeat(18)}`
  const positions = [
    ...filler(198),
    { asset: 'A'.repeat(16), quantity: most },
    { asset: 'BTC', quantity: '0' },
  ]
  const answer = await push(borrowerId, { as_of: asOf(), positions })
  expect(answer.json()).toMatchObject({ applied: true })
  const stored = await read(borrowerId)
  expect(stored?.positions).toHaveLength(200)
  expect(stored?.positions[0]).toEqual({ asset: 'A'.repeat(16), units: 10n ** 36n - 1n })
})

test('pushing a portfolio alone accepts bodies of up to 256 KiB', async () => {
  const borrowerId = await createTestBorrower(api.tenant)
  const ofLength = (length: number) => {
    const text = JSON.stringify({ as_of: asOf(), positions: [BTC] })
    return text.padEnd(length, ' ')
  }
  expect((await push(borrowerId, ofLength(256 * 1024))).json()).toMatchObject({ applied: true })
  expectProblem(await push(borrowerId, ofLength(256 * 1024 + 1)), 413, 'body_too_large')
  const body = JSON.stringify({ type: 'individual' }).padEnd(64 * 1024 + 1, ' ')
  expectProblem(await api.tenant.send('POST', '/v1/borrowers', { body }), 413, 'body_too_large')
})

const get = (borrowerId: string, key: TestKey = api.tenant) =>
  key.send('GET', `/v1/borrowers/${borrowerId}/portfolio`)

test('reading the newest portfolio shows the newest snapshot as pushed, with when it arrived', async () => {
  const borrowerId = await createTestBorrower(api.tenant)
  const [older, newest] = [asOf(2_000_000), asOf()]
  await push(borrowerId, { as_of: older, positions: [] })
  const eth = { asset: 'ETH', quantity: '0.000000000000000001' }
  await push(borrowerId, {
    as_of: newest,
    positions: [eth, BTC, { asset: 'USD', quantity: '5' }],
  })
  expect((await get(borrowerId)).json()).toEqual({
    as_of: toMillis(newest),
    received_at: expect.stringMatching(/^20.*Z$/),
    positions: [BTC, eth, { asset: 'USD', quantity: '5.00' }],
  })
})

test('reading the newest portfolio is not found before the first push, and for an unknown borrower', async () => {
  const borrowerId = await createTestBorrower(api.tenant)
  expectProblem(await get(borrowerId), 404, 'not_found')
  expectProblem(await get('bor_01k9x4m2q8e0tb7f2v5j6h8n3c'), 404, 'not_found')
})
