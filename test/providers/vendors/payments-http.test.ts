import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Payments } from '../../../src/domain/facilities/ports.ts'
import { connectTestVendors, IMPATIENT } from '../../support/servers/vendor-clients.ts'
import { startVendors, type Twist, type VendorServer } from '../../support/servers/vendor-server.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const DRAW = 'drw_01kah9z4t8e8tbmkq4xmf2d9vr'

let open: AsyncDisposableStack
let server: VendorServer
let payments: Payments
beforeEach(async () => {
  open = new AsyncDisposableStack()
  server = open.use(await startVendors())
  const vendors = open.use(connectTestVendors(server, { vendorLimits: IMPATIENT }))
  if (!vendors.payments) throw new Error('no payments provider is configured')
  payments = vendors.payments
})
afterEach(() => open.disposeAsync())

const TRANSFER = { status: 'done', transfer_id: 'transfer-1' }

const payoutOf = (callId: string) => ({
  ...{ tenantId: 'ten_test', callId, realNow: NOW },
  ...{ amount: { asset: 'USD' as const, units: 20_000_00n }, destination: 'account-4711' },
})
const payOut = (callId = DRAW) => payments.payOut(payoutOf(callId))
const confirm = () =>
  payments.confirmReceipt({
    tenantId: 'ten_test',
    callId: 'rep_01kah9z4t8e8tbmkq4xmf2d9vr',
    realNow: NOW,
    reference: 'wire-1',
    claimed: { asset: 'USD', units: 5_000_00n },
  })

test('a payout goes out under its id, with amount and destination', async () => {
  expect(await payOut()).toEqual({ status: 'done', reference: `paid-${DRAW}` })
  expect(server.complaints).toEqual([])
  expect(server.calls).toMatchObject([{ operation: 'payments/payouts', id: DRAW }])
  expect(server.calls[0]?.body).toEqual({
    tenant_id: 'ten_test',
    amount: { amount: '20000.00', asset: 'USD' },
    destination: 'account-4711',
  })
})

test('a payout of a refund has the id of its attempt', async () => {
  await payOut('rfd_01kah9z4t8e8tbmkq4xmf2d9vr/2')
  expect(server.calls[0]?.id).toBe('rfd_01kah9z4t8e8tbmkq4xmf2d9vr.2')
})

test.each<Twist>(['error', 'hang', 'reset', 'truncated', 'garbage', 'huge', 'redirect', 'busy'])(
  'a payout with an answer lost by "%s" is polled, and is paid once',
  async (twist) => {
    server.next.set('payments/payouts', [twist])
    await expect(payOut()).rejects.toThrow('payments, payouts')
    expect(await payOut()).toMatchObject({ status: 'done' })
    expect(server.books.payouts).toHaveLength(1)
  },
)

test('a payout that is refused returns the code and whether it may be requested again', async () => {
  server.next.set('payments/payouts', ['refused'])
  expect(await payOut()).toEqual({ status: 'refused', code: 'test_refused', retryable: true })
})

test('a payout that was made is answered as such when it is cancelled, and an unknown one is refused from then on', async () => {
  const paid = { status: 'done', reference: `paid-${DRAW}` }
  await payOut()
  expect(await payments.cancelPayOut(payoutOf(DRAW))).toEqual(paid)
  expect(server.calls[1]).toMatchObject({ operation: 'payments/cancellations', id: DRAW })
  expect(server.calls[1]?.body).toEqual(server.calls[0]?.body)
  const refund = 'rfd_01kah9z4t8e8tbmkq4xmf2d9vr/2'
  const refused = { status: 'refused', code: 'cancelled', retryable: true }
  expect(await payments.cancelPayOut(payoutOf(refund))).toEqual(refused)
  expect(await payOut(refund)).toEqual(refused)
  expect(server.books.payouts).toHaveLength(1)
  expect(server.complaints).toEqual([])
})

test('a payout without a reference does not count as paid', async () => {
  server.books.decided.set(`payments/payouts/${DRAW}`, { status: 'done' })
  await expect(payOut()).rejects.toMatchObject({ reason: 'garbage' })
})

test('a receipt is what was received under a reference, with the id of the transfer', async () => {
  server.books.received.set('wire-1', { amount: '4999.99', asset: 'USD' })
  server.books.transfers.set('wire-1', 'MT103-0815')
  const amount = { asset: 'USD', units: 4_999_99n }
  const receipt = { transferId: 'MT103-0815', amount }
  expect(await confirm()).toEqual({ status: 'done', receipt })
  expect(server.calls[0]?.body).toEqual({
    tenant_id: 'ten_test',
    reference: 'wire-1',
    claimed: { amount: '5000.00', asset: 'USD' },
  })
})

test('a receipt is nothing where the treasury reports nothing', async () => {
  server.books.received.set('wire-1', null)
  expect(await confirm()).toEqual({ status: 'done', receipt: undefined })
})

test.each([
  ['that does not say what', { status: 'done' }],
  ['of nothing', { ...TRANSFER, received: { amount: '0.00', asset: 'USD' } }],
  ['of fractions of a cent', { ...TRANSFER, received: { amount: '1.001', asset: 'USD' } }],
  ['of a number', { ...TRANSFER, received: { amount: 1, asset: 'USD' } }],
  ['of no asset', { ...TRANSFER, received: { amount: '1.00' } }],
  ['of no transfer', { status: 'done', received: { amount: '1.00', asset: 'USD' } }],
  [
    'of a transfer without a name',
    { ...TRANSFER, received: { amount: '1.00', asset: 'USD' }, transfer_id: '' },
  ],
  [
    'beyond the bounds of its asset',
    { ...TRANSFER, received: { amount: '999999999999999999.00', asset: 'USD' } },
  ],
  [
    'that is final only after 120 days',
    {
      ...{ ...TRANSFER, received: { amount: '1.00', asset: 'USD' } },
      final_at: '2027-03-20T12:00:01Z',
    },
  ],
])('a receipt %s is not applied', async (_name, answer) => {
  server.books.decided.set('payments/receipts/rep_01kah9z4t8e8tbmkq4xmf2d9vr', answer)
  await expect(confirm()).rejects.toMatchObject({ reason: 'garbage' })
})

const RECEIPT = 'payments/receipts/rep_01kah9z4t8e8tbmkq4xmf2d9vr'
const BACK = {
  status: 'returned',
  amount: { amount: '5000.00', asset: 'USD' },
  code: 'recalled',
  returned_at: '2026-11-20T11:00:00Z',
}
const read = {
  status: 'returned',
  amount: { asset: 'USD', units: 5_000_00n },
  code: 'recalled',
  returnedAt: new Date('2026-11-20T11:00:00Z'),
}

test('a receipt and a payout are answered as returned, with amount, code and instant', async () => {
  server.books.decided.set(RECEIPT, BACK)
  server.books.decided.set(`payments/payouts/${DRAW}`, BACK)
  expect(await confirm()).toEqual(read)
  expect(await payOut()).toEqual(read)
})

test.each([
  ['ahead of the call', { returned_at: '2026-11-20T12:01:01Z' }],
  ['without an instant', { returned_at: undefined }],
  ['of nothing', { amount: { amount: '0.00', asset: 'USD' } }],
  ['with a code of another form', { code: 'AC04' }],
])('a return %s is garbage', async (_, change) => {
  server.books.decided.set(RECEIPT, { ...BACK, ...change })
  await expect(confirm()).rejects.toMatchObject({ reason: 'garbage' })
})

const DAY = 'ten_test/day/20261120/0'
const list = (after?: string) =>
  payments.listDay({
    ...{ tenantId: 'ten_test', callId: DAY, realNow: NOW, day: '2026-11-20', after },
  })
const LISTED = {
  status: 'done',
  time_zone: 'America/New_York',
  transfers: [
    {
      ...{ transfer_id: 'wire-1', direction: 'out', call_id: DRAW },
      amount: { amount: '20000.00', asset: 'USD' },
    },
    {
      ...{ transfer_id: 'wire-2', direction: 'in', returns: 'wire-1', call_id: null },
      amount: { amount: '20000.00', asset: 'USD' },
    },
  ],
  balances: [{ amount: '0.00', asset: 'USD' }],
}
const say = (answer: object) =>
  server.books.decided.set(`payments/days/${DAY.replaceAll('/', '.')}`, answer)

test('a day is asked for by its name, and its transfers are signed amounts', async () => {
  say({ ...LISTED, next: 'wire-2' })
  expect(await list()).toEqual({
    ...{ status: 'done', timeZone: 'America/New_York', next: 'wire-2' },
    transfers: [
      {
        ...{ transferId: 'wire-1', callId: DRAW, returns: undefined },
        amount: { asset: 'USD', units: -20_000_00n },
      },
      {
        ...{ transferId: 'wire-2', callId: undefined, returns: 'wire-1' },
        amount: { asset: 'USD', units: 20_000_00n },
      },
    ],
    balances: [{ asset: 'USD', units: 0n }],
  })
  await list('wire-2')
  expect(server.calls.map(({ body }) => body)).toEqual([
    { tenant_id: 'ten_test', day: '2026-11-20' },
    { tenant_id: 'ten_test', day: '2026-11-20', after: 'wire-2' },
  ])
  expect(server.complaints).toEqual([])
})

test('a day that is not over is pending', async () => {
  say({ status: 'pending', retry_after_seconds: 600 })
  expect(await list()).toMatchObject({ status: 'pending' })
})

test.each([
  ['of a time zone that does not exist', { time_zone: 'Mars/Olympus' }],
  ['without its transfers', { transfers: undefined }],
  ['with a balance below nothing', { balances: [{ amount: '-1.00', asset: 'USD' }] }],
  ['with two balances of an asset', { balances: [LISTED.balances[0], LISTED.balances[0]] }],
  ['with a transfer of no direction', { transfers: [{ ...LISTED.transfers[0], direction: 'up' }] }],
  ['with a transfer without an id', { transfers: [{ ...LISTED.transfers[0], transfer_id: '' }] }],
  [
    'with a transfer of nothing',
    { transfers: [{ ...LISTED.transfers[0], amount: { amount: '0', asset: 'USD' } }] },
  ],
  [
    'of more rows than a page has',
    { transfers: Array.from({ length: 1_001 }, () => LISTED.transfers[0]) },
  ],
])('a list %s is garbage', async (_, change) => {
  say({ ...LISTED, ...change })
  await expect(list()).rejects.toMatchObject({ reason: 'garbage' })
})
