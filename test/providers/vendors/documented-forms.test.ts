import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readText } from '../../deploy/read-text.ts'
import { connectTestVendors, type TestVendors } from '../../support/servers/vendor-clients.ts'
import { startVendors, type VendorServer } from '../../support/servers/vendor-server.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const FACILITY = 'fac_01kah9z4t8e8tbmkq4xmf2d9vr'
const CHECK = 'chk_01kah9z4t8e8tbmkq4xmf2d9vr'

let open: AsyncDisposableStack
let server: VendorServer
let vendors: TestVendors
beforeEach(async () => {
  open = new AsyncDisposableStack()
  server = open.use(await startVendors(() => NOW))
  const noBreaker = { breakerFailures: 1_000 }
  vendors = open.use(connectTestVendors(server, { vendorLimits: noBreaker, clock: () => NOW }))
})
afterEach(() => open.disposeAsync())

type Answer = { [member: string]: unknown; positions?: object[] }
type Documented = {
  /** The key that the vendor finds its answer by. */
  call: string
  answer: Answer
  ask: () => Promise<unknown> | undefined
}

const callOf = (callId: string) => {
  const call = { tenantId: 'ten_test', callId: `${FACILITY}/${callId}`, realNow: NOW }
  return { ...call, account: 'acc-1', facilityId: FACILITY, borrowerId: 'bor_test' }
}

const sale = {
  call: `custodian/sales/${FACILITY}.call.1.1`,
  ask: () =>
    vendors.custodian?.sell({
      ...callOf('call/1/1'),
      order: { asset: 'BTC', units: 50_000_000n, inKind: false },
      placeBy: new Date('2026-11-20T12:01:00Z'),
    }),
}

const payout = {
  call: 'payments/payouts/drw_test',
  ask: () =>
    vendors.payments?.payOut({
      ...callOf(''),
      callId: 'drw_test',
      amount: { asset: 'USD', units: 100_00n },
      destination: 'account-1',
    }),
}

/** An answer of each kind that the page names, with every member in its form. */
const DOCUMENTED: Record<string, Documented> = {
  refused: { ...sale, answer: { status: 'refused', code: 'no_funds', retryable: true } },
  pending: { ...sale, answer: { status: 'pending', retry_after_seconds: 30 } },
  returned: {
    ...payout,
    answer: {
      status: 'returned',
      amount: { amount: '100.00', asset: 'USD' },
      code: 'recalled',
      returned_at: '2026-11-20T12:00:00.000Z',
    },
  },
  sales: {
    ...sale,
    answer: {
      status: 'done',
      filled_quantity: '0.5',
      proceeds_usd: '50000.00',
      costs_usd: '500.00',
      executed_at: '2026-11-20T12:00:00.000Z',
    },
  },
  positions: {
    call: `custodian/positions/${FACILITY}.reading.1`,
    answer: { status: 'done', positions: [{ asset: 'SOL', quantity: '1' }] },
    ask: () => vendors.custodian?.positions(callOf('reading/1')),
  },
  payouts: { ...payout, answer: { status: 'done', reference: 'wire-1' } },
  receipts: {
    call: 'payments/receipts/rep_test.0',
    answer: {
      status: 'done',
      received: { amount: '4975.00', asset: 'USD' },
      transfer_id: 'transfer-1',
    },
    ask: () =>
      vendors.payments?.confirmReceipt({
        ...callOf(''),
        callId: 'rep_test/0',
        reference: 'wire-1',
        claimed: { asset: 'USD', units: 5_000_00n },
      }),
  },
  checks: {
    call: `kyc/checks/${CHECK}`,
    answer: { status: 'review', reference: 'case-1', note: 'Looks odd.' },
    ask: () =>
      vendors.compliance?.identity.verify({
        tenantId: 'ten_test',
        checkId: CHECK,
        subject: {
          borrowerType: 'individual',
          residencyCountry: 'DE',
          residencyState: undefined,
          fullName: 'Ada Lovelace',
          email: 'ada@example.com',
        },
        reference: undefined,
        now: NOW,
      }),
  },
}

const quoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)

/** The table of forms as the page has it. */
function readForms() {
  const [, section = ''] =
    /### Forms\n([\s\S]+?)\n###? /.exec(readText('docs/provider-contract.md')) ?? []
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [, kinds, member, required, , taken, garbage] = line.split(/ ?\| ?/)
      return {
        kind: quoted(kinds)[0] ?? '',
        member: quoted(member)[0] ?? '',
        isRequired: required !== 'no',
        taken: quoted(taken),
        garbage: quoted(garbage),
      }
    })
}

/** The answer with another value of a member, of its first row where it is a list; or without it. */
function withMember(answer: Answer, member: string, value: unknown): Answer {
  if (!answer.positions) return { ...answer, [member]: value }
  return { ...answer, positions: [{ ...answer.positions[0], [member]: value }] }
}

const forms = readForms()

test('the forms of every kind of answer are documented', () => {
  expect(new Set(forms.map(({ kind }) => kind))).toEqual(new Set(Object.keys(DOCUMENTED)))
})

describe.each(forms)('$member of $kind', ({ kind, member, isRequired, taken, garbage }) => {
  const say = async (value: unknown) => {
    const { call, answer, ask } = DOCUMENTED[kind] as Documented
    server.books.decided.set(call, withMember(answer, member, value))
    return await ask()
  }

  test('the member is read in the documented forms, and in no other', async () => {
    expect(taken.length).toBeGreaterThan(0)
    expect(garbage.length).toBeGreaterThan(0)
    for (const example of taken) expect(await say(JSON.parse(example)), example).toBeDefined()
    for (const example of garbage) {
      await expect(say(JSON.parse(example)), example).rejects.toMatchObject({ reason: 'garbage' })
    }
  })

  test('the member may be missing where the page allows it', async () => {
    if (isRequired) {
      await expect(say(undefined)).rejects.toMatchObject({ reason: 'garbage' })
      return
    }
    expect(await say(undefined)).toEqual(await say(null))
  })
})
