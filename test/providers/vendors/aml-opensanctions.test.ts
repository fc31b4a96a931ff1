import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectTestVendors, type TestVendorOptions } from '../../support/servers/vendor-clients.ts'
import { startVendors, type Twist, type VendorServer } from '../../support/servers/vendor-server.ts'

let open: AsyncDisposableStack
let server: VendorServer
beforeEach(async () => {
  open = new AsyncDisposableStack()
  server = open.use(await startVendors())
})
afterEach(() => open.disposeAsync())

async function screen(options: TestVendorOptions = {}) {
  const { compliance } = open.use(connectTestVendors(server, options))
  if (!compliance) throw new Error('no compliance vendor is configured')
  return await compliance.aml.screen({
    tenantId: 'ten_test',
    checkId: 'chk_test',
    subject: {
      borrowerType: 'business',
      residencyCountry: 'DE',
      residencyState: undefined,
      fullName: 'Ada Lovelace',
      email: 'ada@example.com',
    },
    reference: undefined,
    now: new Date(),
  })
}

test('the signer is screened as a person, by full name and country of residence', async () => {
  expect(await screen()).toEqual({ status: 'passed' })
  expect(server.complaints).toEqual([])
  expect(server.calls[0]?.body).toEqual({
    queries: {
      subject: {
        schema: 'Person',
        properties: { name: ['Ada Lovelace'], country: ['DE'] },
      },
    },
  })
})

test.each([
  [0.69, 'passed'],
  [0.6999999, 'passed'],
  [0.7, 'review'],
  [0.95, 'review'],
  [1, 'review'],
])('a candidate with the score %s leads to %s', async (score, status) => {
  server.books.listed.set('Ada Lovelace', score)
  expect(await screen()).toMatchObject({ status })
})

test('a review shows the operator the number of candidates and the best one', async () => {
  server.books.listed.set('Ada Lovelace', 0.913)
  expect(await screen()).toEqual({
    status: 'review',
    reference: 'NK-listed',
    note: '1 possible match(es), the best NK-listed at 0.91.',
  })
})

test('a match by the service’s own verdict is reviewed, whatever its score', async () => {
  server.books.listed.set('Ada Lovelace', 0.5)
  server.books.matched.add('Ada Lovelace')
  expect(await screen()).toMatchObject({ status: 'review' })
})

test.each<[Twist, string]>([
  ['error', 'status_5xx'],
  ['garbage', 'garbage'],
  ['wrong shape', 'garbage'],
  ['truncated', 'network'],
  ['redirect', 'status_3xx'],
  ['huge', 'too_large'],
  ['hang', 'timeout'],
])('the answer "%s" passes no borrower: it is the error %s', async (twist, reason) => {
  server.next.set('aml/match', [twist])
  await expect(screen({ vendorLimits: { deadlineSeconds: 1 } })).rejects.toMatchObject({ reason })
})
