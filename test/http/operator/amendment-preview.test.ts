import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { addMs, HOUR_MS } from '../../../src/core/time.ts'
import { showTerms } from '../../../src/domain/margin/margin-terms.ts'
import { DEFAULT_MARGIN_POLICY } from '../../../src/domain/margin/policy.ts'
import { operatorApiForFile } from '../../support/api/operators.ts'
import { insertFacilities } from '../../support/lending/facility-rows.ts'
import { createFingerprint } from '../../support/stores/fingerprint.ts'

const now = new Date()
const { api, operators } = operatorApiForFile({ env: { FOUR_EYES: 'on' }, clock: () => now })
const VERSION = 1
/** Bitcoin counts a tenth. */
const OWN = showTerms(DEFAULT_MARGIN_POLICY)
const STRICTER = { ...OWN, haircuts: { ...OWN.haircuts, BTC: '0.9' } }
let risk: string
let viewer: string
/** Bound to the service's own terms: one that the version would sell, one that it leaves as it is. */
let [high, low] = ['', '']

const borrow = (dollars: bigint) => ({
  ...{ positions: { BTC: 10n ** 8n }, principalCents: dollars * 100n },
  accruedAt: addMs(now, -HOUR_MS),
})

beforeAll(async () => {
  risk = (await operators.addOperator('risk')).token
  viewer = (await operators.addOperator('viewer')).token
  const ids = await insertFacilities(api.db, api.tenant.id, [borrow(25_000n), borrow(100n)])
  ;[high, low] = [ids[0] ?? '', ids[1] ?? '']
  await sql`UPDATE facilities SET terms_version = 0`.execute(api.db)
  await sql`INSERT INTO margin_policy_versions
      (number, terms, effective_from, note, proposed_by, signed_by, created_at)
    VALUES (${VERSION}, ${JSON.stringify(STRICTER)}, now() - interval '1 day', 'risk', 'ada',
      'grace', now() - interval '2 days')`.execute(api.db)
  // Bound to it already, and over its lines: no part of what an amendment changes.
  const bound = await insertFacilities(api.db, api.tenant.id, [borrow(30_000n)])
  await sql`UPDATE facilities SET terms_version = ${VERSION}
    WHERE facility_id = ${bound[0] ?? ''}`.execute(api.db)
})

const post = (path: string, body: object, token = risk) =>
  operators.send(path, { token, method: 'POST', body })
const ofFacility = (id: string) => `/tenants/${api.tenant.id}/facilities/${id}/amendments`

test('a preview of all older facilities says from what to what, and what the book would get of these alone', async () => {
  const fingerprint = await createFingerprint(api.db)
  const before = await fingerprint()
  const answer = await post('/amendments/preview', { version: VERSION })
  expect(answer.status).toBe(200)
  const { groups, effect, ...counts } = answer.json()
  expect(counts).toEqual({ with_notice: 2, without_notice: 0, left: 0, more_groups: 0 })
  expect(groups).toHaveLength(1)
  expect(groups[0]).toMatchObject({
    ...{ facilities: 2, with_notice: true },
    before: { version: 0, rate: '0.1', haircuts: { BTC: '0.03' } },
    after: { version: VERSION, rate: '0.1', haircuts: { BTC: '0.9' } },
  })
  expect(effect).toMatchObject({ sold: 1, sold_debt_usd: expect.stringMatching(/^25\d{3}\.\d\d$/) })
  expect(await fingerprint()).toBe(before)
})

test('a preview of one facility has its own effect; a rate changes nothing of the ladder', async () => {
  const small = (await post(`${ofFacility(low)}/preview`, { version: VERSION })).json()
  expect(small).toMatchObject({ with_notice: 1, effect: { sold: 0, sold_debt_usd: '0.00' } })
  const dearer = (await post(`${ofFacility(high)}/preview`, { rate: '0.12' })).json()
  expect(dearer).toMatchObject({
    ...{ with_notice: 1, without_notice: 0, effect: { sold: 0, worsened: 0 } },
    groups: [{ before: { rate: '0.1', version: 0 }, after: { rate: '0.12', version: 0 } }],
  })
  const cheaper = (await post(`${ofFacility(high)}/preview`, { rate: '0.08' })).json()
  expect(cheaper).toMatchObject({ with_notice: 0, without_notice: 1 })
})

test('a preview refuses what the amendment refuses', async () => {
  const refuse = (path: string, body: object, status: number, code: string, token = risk) =>
    operators.expectRefusal(path, { token, method: 'POST', body }, status, code)
  const one = `${ofFacility(high)}/preview`
  await refuse(one, {}, 422, 'validation_failed')
  await refuse(one, { version: 0 }, 422, 'validation_failed')
  await refuse(one, { version: 9 }, 404, 'not_found')
  await refuse(`${ofFacility(newId('fac'))}/preview`, { rate: '0.1' }, 404, 'not_found')
  await refuse('/amendments/preview', { version: 0 }, 422, 'validation_failed')
  await refuse('/amendments/preview', { version: VERSION }, 403, 'scope_missing', viewer)
})

test('a proposal shows what it would change now, and leaves out what compares otherwise by then', async () => {
  const proposed = await post('/amendments', { version: VERSION, reason: 'volatility' })
  const { approval_id: id } = proposed.json()
  const effectOf = async (approval: string) =>
    (await operators.send(`/approvals/${approval}/effect`, { token: viewer })).json()
  const { amendment } = await effectOf(id)
  expect(amendment).toMatchObject({ with_notice: 2, left: 0, effect: { sold: 1 } })
  await sql`UPDATE facilities SET state = 'CLOSING' WHERE facility_id = ${high}`.execute(api.db)
  expect((await effectOf(id)).amendment).toMatchObject({
    ...{ with_notice: 1, left: 1, effect: { sold: 0 } },
  })
  await sql`UPDATE facilities SET state = 'CLOSING' WHERE facility_id = ${low}`.execute(api.db)
  expect((await effectOf(id)).amendment).toMatchObject({ with_notice: 0, left: 2, groups: [] })
  const rule = { country: 'FR', borrower_type: 'business', allowed: true, reason: 'board' }
  const other = (await post('/residency', rule)).json().approval_id
  expect(await effectOf(other)).toEqual({ amendment: null })
})
