import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '../../../src/db/database.ts'
import { DEFAULT_MARGIN_TERMS } from '../../../src/domain/margin/policy.ts'
import { compareBook } from '../../../src/domain/margin/stress/stress.ts'
import { createSingleRun } from '../../../src/http/operator/single-run.ts'
import { createDatabaseCli } from '../../cli/database-cli.ts'
import { operatorApiForFile } from '../../support/api/operators.ts'
import { insertFacilities } from '../../support/lending/facility-rows.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { removeTenants } from '../../support/stores/remove-tenants.ts'
import { untilOneWaits } from '../../support/stores/waiting-sessions.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const BTC = 10n ** 8n

let cli: ReturnType<typeof createDatabaseCli>
let token = ''
const { api, operators } = operatorApiForFile({ clock: () => NOW })
beforeAll(async () => {
  token = (await operators.addOperator('viewer')).token
  cli = createDatabaseCli(api.resources.config.databaseUrl)
})

let first = ''
let second = ''
beforeEach(async () => {
  await removeTenants(api.db)
  first = await openTenant(api.db, NOW)
  second = await openTenant(api.db, NOW)
  const owing = (principalCents: bigint) => ({
    ...{ positions: { BTC }, principalCents, accruedAt: NOW },
  })
  await insertFacilities(api.db, first, [owing(42_000_00n), owing(48_000_00n), owing(50_000_00n)])
  await insertFacilities(api.db, second, [owing(70_000_00n)])
})

const stress = (body: object) => operators.send('/margin/stress', { token, method: 'POST', body })

describe('a stress', () => {
  test('shows the book of today beside the stressed one, both as the command computes them', async () => {
    const answer = await stress({ prices: [{ asset: 'BTC', change_percent: '-40' }] })
    expect(answer.status).toBe(200)
    const { today, stressed } = answer.json()
    expect(today.total).toMatchObject({
      ...{ facilities: 4, escalated_as_critical: 0, warned_by_tier: { 1: 1, 2: 0, 3: 0 } },
    })
    expect(stressed.total).toMatchObject({
      ...{ facilities: 4, escalated_as_critical: 2, warned_by_tier: { 1: 1, 2: 0, 3: 1 } },
      sold_at_once: { deficits: 1, deficit_usd: '11200.00', gross_usd: '100291.16' },
    })
    expect(stressed.tenants.map((one: { tenant_id: string }) => one.tenant_id).sort()).toEqual(
      [first, second].sort(),
    )
    expect(today).toEqual(await cli.read('margin stress', { now: NOW }))
    expect(stressed).toEqual(await cli.read('margin stress --prices BTC=-40%', { now: NOW }))
  })

  test('takes new prices and other terms, each left out at will', async () => {
    const priced = (await stress({ prices: [{ asset: 'BTC', price_usd: '60000' }] })).json()
    const moved = (await stress({ prices: [{ asset: 'BTC', change_percent: '-40' }] })).json()
    expect(priced.stressed.total).toEqual(moved.stressed.total)

    const { today, stressed } = (await stress({})).json()
    expect(stressed).toEqual(today)

    const policy = { haircuts: { BTC: '0.40' } }
    const termed = (await stress({ policy })).json()
    expect(termed.today).toEqual(today)
    expect(termed.stressed.total).toMatchObject({
      ...{ collateral_value_usd: '240000.00', escalated_as_critical: 2 },
    })
    // With no version stored, all loans are bound to the service's own terms, version 0.
    const own = (await stress({ policy_version: 0 })).json()
    expect(own.stressed).toEqual(today)
    expect((await stress({ policy_version: 0, policy })).json().stressed).toEqual(termed.stressed)
    const sent = { token, method: 'POST' as const, body: { policy_version: 4_711 } }
    await operators.expectRefusal('/margin/stress', sent, 404, 'not_found')
  })

  test.each([
    [{ prices: [{ asset: 'BTC' }] }, '/prices/0', 'mismatch'],
    [
      { prices: [{ asset: 'BTC', change_percent: '-100' }] },
      '/prices/0/change_percent',
      'out_of_range',
    ],
    [
      { prices: [{ asset: 'BTC', change_percent: 'x' }] },
      '/prices/0/change_percent',
      'wrong_format',
    ],
    [{ prices: [{ asset: 'DOGE', price_usd: '1' }] }, '/prices/0/asset', 'unknown_value'],
    [{ prices: [0, 1].map(() => ({ asset: 'BTC', price_usd: '1' })) }, '/prices', 'duplicate'],
    [{ policy: { tiers: [] } }, '/policy/tiers', 'too_short'],
    [{ policy_version: -1 }, '/policy_version', 'out_of_range'],
    [{ policy: { cure_ltv: '6 %' } }, '/policy/cure_ltv', 'wrong_format'],
  ])('refuses %j and names the member', async (body, pointer, code) => {
    const sent = { token, method: 'POST' as const, body }
    const answer = await operators.expectRefusal('/margin/stress', sent, 422, 'validation_failed')
    expect(answer.json().errors).toMatchObject([{ pointer, code }])
  })

  test.each([
    [{ cure_ltv: '0.75' }, 'floor_ltv (0.7) must be above cure_ltv (0.75).'],
    [{ floor_ltv: '0.72' }, 'the first tier (0.7) must be at least floor_ltv (0.72).'],
    [{ dust_usd: '0' }, 'Lower target_ltv or raise dust_usd.'],
  ])('refuses terms that contradict each other: %j', async (policy, reason) => {
    const sent = { token, method: 'POST' as const, body: { policy } }
    const answer = await operators.expectRefusal('/margin/stress', sent, 422, 'validation_failed')
    expect(answer.json().detail).toContain(reason)
  })

  test('is refused while another runs, and runs again once that has ended', async () => {
    const running = await inTransaction(api.db, async (tx) => {
      await sql`LOCK TABLE facilities IN ACCESS EXCLUSIVE MODE`.execute(tx)
      const answering = stress({})
      await untilOneWaits(api.db)
      const sent = { token, method: 'POST' as const, body: {} }
      const refused = await operators.expectRefusal('/margin/stress', sent, 429, 'rate_limited')
      expect(refused.headers['retry-after']).toBe('5')
      return { answering }
    })
    expect((await running.answering).status).toBe(200)
    expect((await stress({})).status).toBe(200)
  })

  test('is cancelled when a pass takes too long, with an answer that says so', async () => {
    const { prices, clockFor } = api.resources
    const terms = { all: DEFAULT_MARGIN_TERMS }
    const runAlone = createSingleRun(1)
    await inTransaction(api.db, async (tx) => {
      await sql`LOCK TABLE facilities IN ACCESS EXCLUSIVE MODE`.execute(tx)
      const source = { prices, clockFor, isShared: false }
      const compared = runAlone(() =>
        compareBook(api.resources.db, source, { today: terms, terms, shocks: [] }, 1),
      )
      await expect(compared).rejects.toMatchObject({
        ...{ code: 'unavailable', message: 'It took more than 1 seconds and was cancelled.' },
      })
    })
    expect(await runAlone(async () => 'next')).toBe('next')
  })
})
