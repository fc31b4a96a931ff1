import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Custodian } from '../../../src/domain/facilities/ports.ts'
import { connectTestVendors, IMPATIENT } from '../../support/servers/vendor-clients.ts'
import { startVendors, type Twist, type VendorServer } from '../../support/servers/vendor-server.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const FACILITY = 'fac_01kah9z4t8e8tbmkq4xmf2d9vr'
const ONE_BTC = 100_000_000n

let open: AsyncDisposableStack
let server: VendorServer
let custodian: Custodian
beforeEach(async () => {
  open = new AsyncDisposableStack()
  server = open.use(await startVendors(() => NOW))
  const vendors = open.use(
    connectTestVendors(server, { vendorLimits: IMPATIENT, clock: () => NOW }),
  )
  if (!vendors.custodian) throw new Error('no custodian is configured')
  custodian = vendors.custodian
  server.books.prices.set('BTC', '100000')
  server.books.holdings.set('acc-1', new Map([['BTC', 2n * ONE_BTC]]))
})
afterEach(() => open.disposeAsync())

const callOf = (callId: string, account: string | undefined = 'acc-1') => {
  const call = { tenantId: 'ten_test', callId: `${FACILITY}/${callId}`, realNow: NOW }
  return { ...call, account, facilityId: FACILITY, borrowerId: 'bor_test' }
}
const floorOf = (sequence: bigint, floorCents: bigint) => {
  return { ...callOf(`floor/${sequence}`), sequence, floorCents }
}
const saleOf = (callId: string, order: { asset: string; units: bigint; inKind: boolean }) => {
  return { ...callOf(callId), order, placeBy: new Date('2026-11-20T12:01:00Z') }
}
const HALF_BTC = { asset: 'BTC', units: ONE_BTC / 2n, inKind: false }

/** Puts words into the custodian's mouth for one call. */
function say(operation: string, id: string, answer: object): void {
  server.books.decided.set(`custodian/${operation}/${FACILITY}.${id}`, answer)
}

describe('what is asked', () => {
  test('a floor request names account, facility, borrower, sequence and dollars', async () => {
    expect(await custodian.setFloor(floorOf(3n, 28_657_55n))).toEqual({ status: 'done' })
    expect(server.calls).toMatchObject([
      { operation: 'custodian/floors', id: `${FACILITY}.floor.3` },
    ])
    expect(server.calls[0]?.body).toEqual({
      tenant_id: 'ten_test',
      account: 'acc-1',
      facility_id: FACILITY,
      borrower_id: 'bor_test',
      sequence: 3,
      floor_usd: '28657.55',
    })
    expect(server.complaints).toEqual([])
  })

  test('a release is numbered among the floors, and no late floor undoes it', async () => {
    await custodian.setFloor(floorOf(1n, 100_00n))
    const release = { ...callOf('lien/3'), sequence: 3n }
    expect(await custodian.releaseLien(release)).toEqual({ status: 'done' })
    await custodian.setFloor(floorOf(2n, 200_00n))
    expect(server.books.floors.get('acc-1')).toEqual({ sequence: 3n, floorUsd: '0.00' })
  })

  test('a release that was done is answered as such when it is cancelled, and an unknown one is refused from then on', async () => {
    const first = { ...callOf('lien/3'), sequence: 3n }
    const second = { ...callOf('lien/4'), sequence: 4n }
    await custodian.releaseLien(first)
    expect(await custodian.cancelRelease(first)).toEqual({ status: 'done' })
    expect(server.calls[1]).toMatchObject({ operation: 'custodian/release_cancellations' })
    expect(server.calls[1]?.body).toEqual(server.calls[0]?.body)
    const refused = { status: 'refused', code: 'cancelled', retryable: true }
    expect(await custodian.cancelRelease(second)).toEqual(refused)
    expect(await custodian.releaseLien(second)).toEqual(refused)
    expect(server.complaints).toEqual([])
  })

  test('requests ask for the control of an account, and for its positions', async () => {
    expect(await custodian.confirmControl(callOf('control'))).toEqual({ status: 'done' })
    expect(await custodian.positions(callOf('positions/1'))).toEqual({
      status: 'done',
      positions: [{ asset: 'BTC', units: 2n * ONE_BTC }],
    })
  })

  test('control is requested for a facility and its borrower, so that no account secures two', async () => {
    await custodian.confirmControl(callOf('control'))
    expect(server.calls[0]?.body).toEqual({
      tenant_id: 'ten_test',
      account: 'acc-1',
      facility_id: FACILITY,
      borrower_id: 'bor_test',
    })
    const pledged = { status: 'refused', code: 'pledged', retryable: true }
    const facilityId = 'fac_01kah9z4t8e8tbmkq4xmf2d9vs'
    const another = { ...callOf(''), callId: `${facilityId}/control`, facilityId }
    const strangers = [
      { ...another, borrowerId: 'bor_other' },
      { ...another, callId: `${facilityId}/control/2`, tenantId: 'ten_other' },
    ]
    for (const stranger of strangers) {
      expect(await custodian.confirmControl(stranger)).toEqual(pledged)
    }
    await custodian.releaseLien({ ...callOf('lien/1'), sequence: 1n })
    const later = { ...another, callId: `${facilityId}/control/3`, borrowerId: 'bor_other' }
    expect(await custodian.confirmControl(later)).toEqual({ status: 'done' })
  })

  test('nothing is requested for a facility without an account', async () => {
    const call = { ...callOf('control'), account: undefined }
    const refused = { status: 'refused', code: 'no_account', retryable: false }
    expect(await custodian.confirmControl(call)).toEqual(refused)
    expect(server.calls).toEqual([])
  })
})

describe('readings of many accounts', () => {
  const call = { tenantId: 'ten_test', callId: 'rdg_test', realNow: NOW }
  const accountOf = (facilityId: string, account: string | undefined) => {
    return { facilityId, account, borrowerId: 'bor_test' }
  }
  const BTC_HELD = { status: 'done', positions: [{ asset: 'BTC', units: 2n * ONE_BTC }] }
  const answer = (accounts: unknown[]) =>
    server.books.decided.set('custodian/readings/rdg_test', { status: 'done', accounts })

  test('readings of many accounts are one call that names each with its facility and borrower', async () => {
    server.books.holdings.set('acc-2', new Map([['USD', 5_00n]]))
    const accounts = [accountOf('fac_1', 'acc-1'), accountOf('fac_2', 'acc-2')]
    expect(await custodian.readings({ ...call, accounts })).toEqual(
      new Map([
        ['fac_1', expect.objectContaining(BTC_HELD)],
        ['fac_2', expect.objectContaining({ positions: [{ asset: 'USD', units: 5_00n }] })],
      ]),
    )
    expect(server.calls).toHaveLength(1)
    expect(server.calls[0]).toMatchObject({
      operation: 'custodian/readings',
      id: 'rdg_test',
      body: {
        tenant_id: 'ten_test',
        accounts: [
          { account: 'acc-1', facility_id: 'fac_1', borrower_id: 'bor_test' },
          { account: 'acc-2', facility_id: 'fac_2', borrower_id: 'bor_test' },
        ],
      },
    })
  })

  test('readings of many accounts refuse a facility without an account and do not ask about it', async () => {
    const accounts = [accountOf('fac_1', undefined)]
    const readings = await custodian.readings({ ...call, accounts })
    expect(readings).toEqual(new Map([['fac_1', { status: 'refused' }]]))
    expect(server.calls).toEqual([])
  })

  test('readings of many accounts leave one unanswered that is pending, malformed, missing or named twice', async () => {
    const held = { status: 'done', positions: [{ asset: 'BTC', quantity: '2' }] }
    answer([
      { facility_id: 'fac_ok', ...held },
      { facility_id: 'fac_pending', status: 'pending' },
      {
        facility_id: 'fac_malformed',
        status: 'done',
        positions: [{ asset: 'btc', quantity: '2' }],
      },
      { facility_id: 'fac_twice', ...held },
      { facility_id: 'fac_twice', ...held },
      { facility_id: 'fac_refused', status: 'refused', code: 'unknown', retryable: false },
      { facility_id: 'fac_never_asked', ...held },
      'garbage',
    ])
    const ids = ['ok', 'pending', 'malformed', 'twice', 'missing', 'refused']
    const accounts = ids.map((id) => accountOf(`fac_${id}`, `acc-${id}`))
    const readings = await custodian.readings({ ...call, accounts })
    expect([...readings].map(([id, { status }]) => `${id} ${status}`).sort()).toEqual([
      'fac_malformed unanswered',
      'fac_missing unanswered',
      'fac_ok done',
      'fac_pending unanswered',
      'fac_refused refused',
      'fac_twice unanswered',
    ])
  })

  test('readings of many accounts accept an answer of a megabyte', async () => {
    const positions = Array.from({ length: 40 }, (_, at) => ({ asset: `A${at}`, quantity: '1' }))
    const accounts = Array.from({ length: 500 }, (_, at) => accountOf(`fac_${at}`, `acc-${at}`))
    const rows = accounts.map(({ facilityId: id }) => ({
      facility_id: id,
      status: 'done',
      positions,
    }))
    answer(rows)
    expect(JSON.stringify(rows).length).toBeGreaterThan(600_000)
    const readings = await custodian.readings({ ...call, accounts })
    expect([...readings.values()].every(({ status }) => status === 'done')).toBe(true)
    expect(readings.size).toBe(500)
  })

  test('readings of many accounts are an error where the whole answer is refused or malformed', async () => {
    server.books.decided.set('custodian/readings/rdg_test', { status: 'pending' })
    const accounts = [accountOf('fac_1', 'acc-1')]
    await expect(custodian.readings({ ...call, accounts })).rejects.toMatchObject({
      reason: 'garbage',
    })
  })
})

describe('a sale', () => {
  test('a sale is placed under its id until an instant, and reports its proceeds', async () => {
    expect(await custodian.sell(saleOf('call/1/1', HALF_BTC))).toEqual({
      status: 'done',
      units: ONE_BTC / 2n,
      proceedsCents: 50_000_00n,
      costsCents: 500_00n,
      executedAt: NOW,
    })
    expect(server.calls[0]).toMatchObject({
      operation: 'custodian/sales',
      id: `${FACILITY}.call.1.1`,
      body: {
        account: 'acc-1',
        facility_id: FACILITY,
        borrower_id: 'bor_test',
        asset: 'BTC',
        quantity: '0.5',
        in_kind: false,
        place_by: '2026-11-20T12:01:00.000Z',
      },
    })
  })

  test('a sale in kind is credited at the service’s price, whatever value the custodian reports', async () => {
    server.books.holdings.set('acc-1', new Map([['USDC', 1_000_000_000n]]))
    const order = { asset: 'USDC', units: 500_000_000n, inKind: true }
    expect(await custodian.sell(saleOf('call/1/1', order))).toEqual({
      status: 'done',
      units: 500_000_000n,
      proceedsCents: 495_00n,
      costsCents: 0n,
      executedAt: undefined,
    })
  })

  test.each<Twist>(['error', 'hang', 'reset', 'truncated', 'garbage', 'huge', 'redirect', 'busy'])(
    'a sale with an answer lost by "%s" is polled, and happens once',
    async (twist) => {
      server.next.set('custodian/sales', [twist])
      const sale = saleOf('call/1/1', HALF_BTC)
      await expect(custodian.sell(sale)).rejects.toThrow('custodian, sales')
      expect(await custodian.sell(sale)).toMatchObject({ status: 'done', units: ONE_BTC / 2n })
      expect(server.books.sales).toHaveLength(1)
    },
  )

  test('a sale that comes late is refused', async () => {
    const sale = { ...saleOf('call/1/1', HALF_BTC), placeBy: new Date('2026-11-20T11:59:59Z') }
    const refused = { status: 'refused', code: 'too_late', retryable: true }
    expect(await custodian.sell(sale)).toEqual(refused)
  })

  test('a sale that is cancelled before it arrived never happens', async () => {
    const sale = saleOf('call/1/1', HALF_BTC)
    expect(await custodian.cancelSale(sale)).toMatchObject({ status: 'refused' })
    expect(await custodian.sell(sale)).toMatchObject({ status: 'refused', code: 'cancelled' })
    expect(server.books.sales).toEqual([])
  })

  test('a sale that is cancelled after it was executed is reported as it was', async () => {
    const sale = saleOf('call/1/1', HALF_BTC)
    const executed = await custodian.sell(sale)
    expect(await custodian.cancelSale(sale)).toEqual(executed)
  })

  test('a sale of more than was ordered is reported as it was', async () => {
    const money = { proceeds_usd: '50000.01', costs_usd: '500.01' }
    say('sales', 'call.1.1', { status: 'done', filled_quantity: '0.50000001', ...money })
    expect(await custodian.sell(saleOf('call/1/1', HALF_BTC))).toMatchObject({
      status: 'done',
      units: ONE_BTC / 2n + 1n,
      proceedsCents: 50_000_01n,
    })
  })

  test('a sale in progress is polled when the custodian asks for it', async () => {
    server.next.set('custodian/sales', ['pending'])
    expect(await custodian.sell(saleOf('call/1/1', HALF_BTC))).toEqual({
      status: 'pending',
      askAgainAt: new Date('2026-11-20T12:00:01Z'),
    })
  })
})

describe('an answer that makes no sense is not applied', () => {
  const done = { status: 'done', filled_quantity: '0.5', proceeds_usd: '1.00', costs_usd: '0.01' }
  test.each([
    ['proceeds of nothing', { ...done, filled_quantity: '0' }],
    ['less than the smallest unit', { ...done, filled_quantity: '0.123456789' }],
    ['a negative quantity', { ...done, filled_quantity: '-0.5' }],
    ['a quantity that is a number', { ...done, filled_quantity: 0.5 }],
    ['no proceeds', { status: 'done', filled_quantity: '0.5', costs_usd: '0.01' }],
    ['fractions of a cent', { ...done, proceeds_usd: '1.001' }],
    ['costs below nothing', { ...done, costs_usd: '-1.00' }],
    ['an execution in the future', { ...done, executed_at: '2026-11-20T12:01:01Z' }],
    ['an execution at no instant', { ...done, executed_at: '2026-02-30T12:00:00Z' }],
    ['a refusal without a reason', { status: 'refused', retryable: true }],
    ['a refusal with an invalid code', { status: 'refused', code: 'No!', retryable: true }],
    ['a pause of a day', { status: 'pending', retry_after_seconds: 86_400 }],
    ['nothing at all', {}],
  ])('a sale with an invalid answer is not applied: %s', async (_name, answer) => {
    say('sales', 'call.1.1', answer)
    await expect(custodian.sell(saleOf('call/1/1', HALF_BTC))).rejects.toMatchObject({
      reason: 'garbage',
    })
  })

  const held = { asset: 'BTC', quantity: '1' }
  test.each([
    ['an asset named twice', [held, held]],
    ['an asset without a code', [{ ...held, asset: 'bit coin' }]],
    ['collateral in another spelling', [{ ...held, asset: 'btc' }]],
    ['a debt in an asset that is no collateral', [held, { asset: 'stETH', quantity: '-1' }]],
    ['less than the smallest unit', [{ ...held, quantity: '0.123456789' }]],
    ['a number', [{ ...held, quantity: 1 }]],
    ['no list', held],
  ])('positions with %s are not applied', async (_name, positions) => {
    say('positions', 'positions.1', { status: 'done', positions })
    await expect(custodian.positions(callOf('positions/1'))).rejects.toMatchObject({
      reason: 'garbage',
    })
  })
})

test('positions in assets of any code are read, and stored beside the collateral', async () => {
  const rows = [
    { asset: 'BTC', quantity: '1' },
    { asset: 'stETH', quantity: '0.5' },
    { asset: '__proto__', quantity: '2' },
  ]
  say('positions', 'positions.1', { status: 'done', positions: rows })
  expect(await custodian.positions(callOf('positions/1'))).toEqual({
    status: 'done',
    positions: [
      { asset: 'BTC', units: ONE_BTC },
      { asset: 'stETH', units: 5n * 10n ** 17n },
      { asset: '__proto__', units: 2n * 10n ** 18n },
    ],
  })
})

describe('everything that is pledged', () => {
  const callId = 'ten_test/accounts/20261120/0'
  const list = (after?: string) =>
    custodian.accounts({ tenantId: 'ten_test', callId, realNow: NOW, after })
  const accounts = ['fac_1', 'fac_2'].map((facility_id) => ({
    ...{ facility_id, floor_usd: '28657.55' },
    positions: [{ asset: 'BTC', quantity: '1.5' }],
  }))
  const answer = (change: object) =>
    server.books.decided.set(`custodian/accounts/${callId.replaceAll('/', '.')}`, {
      ...{ status: 'done', accounts, ...change },
    })

  test('accounts are listed with their floors and positions, a page at a time', async () => {
    answer({ next: 'fac_2' })
    const [positions, floorCents] = [[{ asset: 'BTC', units: 150_000_000n }], 28_657_55n]
    expect(await list('fac_0')).toEqual({
      ...{ status: 'done', next: 'fac_2' },
      accounts: ['fac_1', 'fac_2'].map((facilityId) => ({ facilityId, floorCents, positions })),
    })
    expect(server.calls.map(({ body }) => body)).toEqual([
      { tenant_id: 'ten_test', after: 'fac_0' },
    ])
    answer({ accounts: [{ ...accounts[0], floor_usd: null }] })
    expect(await list()).toMatchObject({ accounts: [{ floorCents: undefined }] })
  })

  test.each([
    ['out of order', { accounts: accounts.toReversed() }],
    ['with an account twice', { accounts: [accounts[0], accounts[0]] }],
    ['whose next page begins elsewhere', { next: 'fac_9' }],
    ['without positions', { accounts: [{ facility_id: 'fac_1' }] }],
  ])('a list %s is garbage', async (_, change) => {
    answer(change)
    await expect(list()).rejects.toMatchObject({ reason: 'garbage' })
  })
})
