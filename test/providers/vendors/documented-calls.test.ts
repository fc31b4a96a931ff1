import { afterEach, beforeEach, expect, test } from 'vitest'
import { readText } from '../../deploy/read-text.ts'
import { connectTestVendors, type TestVendors } from '../../support/servers/vendor-clients.ts'
import { startVendors, type VendorServer } from '../../support/servers/vendor-server.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const TENANT = 'ten_01kah9z4t8e8tbmkq4xmf2d9vr'

let open: AsyncDisposableStack
let server: VendorServer
let vendors: TestVendors
beforeEach(async () => {
  open = new AsyncDisposableStack()
  server = open.use(await startVendors(() => NOW))
  vendors = open.use(connectTestVendors(server, { clock: () => NOW }))
})
afterEach(() => open.disposeAsync())

/** The path, the request's body and the answer's, as the page shows them under a heading. */
function readExample(file: string, heading: string) {
  const page = readText(file)
  const [, section = ''] = new RegExp(`## ${heading}\n([\\s\\S]+?)\n## `).exec(page) ?? []
  const [, operation = '', id = ''] = /PUT \{\w+_URL\}\/(\w+)\/([\w.]+)`/.exec(section) ?? []
  const [body, answer] = [...section.matchAll(/```json\n([\s\S]+?)```/g)].map(([, json = '']) =>
    JSON.parse(json),
  )
  return { operation, id, body, answer }
}

test('the request and the answer of a sale are as documented', async () => {
  const { operation, id, body, answer } = readExample(
    'docs/provider-custodian.md',
    'A sale, in full',
  )
  server.books.decided.set(`custodian/${operation}/${id}`, answer)
  const sold = await vendors.custodian?.sell({
    tenantId: TENANT,
    callId: id.replaceAll('.', '/'),
    realNow: NOW,
    account: 'custody-0815',
    facilityId: 'fac_01kah9z4t8e8tbmkq4xmf2d9vr',
    borrowerId: 'bor_01kah9z4t8e8tbmkq4xmf2d9vr',
    order: { asset: 'BTC', units: 50_000_000n, inKind: false },
    placeBy: new Date('2026-11-20T12:01:00Z'),
  })
  expect(server.calls).toMatchObject([{ operation: `custodian/${operation}`, id }])
  expect(server.calls[0]?.body).toEqual(body)
  expect(sold).toEqual({
    status: 'done',
    units: 50_000_000n,
    proceedsCents: 50_000_00n,
    costsCents: 500_00n,
    executedAt: NOW,
  })
})

test('the request and the answer of a receipt are as documented', async () => {
  const { operation, id, body, answer } = readExample(
    'docs/provider-payments.md',
    'A receipt, in full',
  )
  server.books.decided.set(`payments/${operation}/${id}`, answer)
  const received = await vendors.payments?.confirmReceipt({
    tenantId: TENANT,
    callId: id.replaceAll('.', '/'),
    realNow: new Date('2026-11-25T14:05:00Z'),
    reference: 'wire-20261125-0001',
    claimed: { asset: 'USD', units: 5_000_00n },
  })
  expect(server.calls).toMatchObject([{ operation: `payments/${operation}`, id }])
  expect(server.calls[0]?.body).toEqual(body)
  expect(received).toEqual({
    status: 'done',
    receipt: {
      transferId: '20261125MMQFMP0B000123',
      amount: { asset: 'USD', units: 4_975_00n },
      receivedAt: new Date('2026-11-25T14:03:00Z'),
    },
  })
})

test('the list of a day is read as documented', async () => {
  const { operation, id, body, answer } = readExample(
    'docs/provider-payments.md',
    'The list of a day',
  )
  server.books.decided.set(`payments/${operation}/${id}`, answer)
  const listed = await vendors.payments?.listDay({
    ...{ tenantId: TENANT, callId: id.replaceAll('.', '/'), realNow: NOW },
    ...{ day: '2026-11-25', after: undefined },
  })
  expect(server.calls).toMatchObject([{ operation: `payments/${operation}`, id }])
  expect(server.calls[0]?.body).toEqual(body)
  expect(listed).toMatchObject({
    ...{ status: 'done', timeZone: 'America/New_York' },
    transfers: [{ amount: { asset: 'USD', units: 4_975_00n } }],
    balances: [{ asset: 'USD', units: 904_975_00n }],
  })
})
