import { afterAll, afterEach, expect, test, vi } from 'vitest'

// A build whose own terms name no ether: a row of the table of assets is all that differs.
vi.resetModules()
const { ASSETS } = await import('../../src/core/assets.ts')
Object.assign(ASSETS.ETH, { haircutPpm: undefined })
const { addMs, HOUR_MS, MINUTE_MS } = await import('../../src/core/time.ts')
const { inTransaction } = await import('../../src/db/database.ts')
const { isMore } = await import('../../src/domain/collateral/position-sources.ts')
const { DEFAULT_MARGIN_POLICY } = await import('../../src/domain/margin/policy.ts')
const { applyTerms, changedTerms } = await import('../../src/domain/margin/margin-terms.ts')
const { storeVersion } = await import('../../src/domain/margin/versions/change-versions.ts')
const { fixTerms } = await import('../../src/domain/margin/versions/terms-at.ts')
const { viewFacility } = await import('../../src/domain/margin/facility-view.ts')
const { loadCase } = await import('../../src/domain/margin/load-cases.ts')
const { levelsOf } = await import('../../src/domain/margin/foresight/levels.ts')
const { listBook } = await import('../../src/domain/margin/book/list-book.ts')
const { createCursorCodec } = await import('../../src/core/cursor.ts')
const { toFacilityBody } = await import('../../src/http/routes/facility-schemas.ts')
const { stressInput } = await import('../../src/http/operator/routes/stress.ts')
const { readShocks } = await import('../../src/cli/margin/price-shocks.ts')
const { heldAsset } = await import('../../src/providers/vendors/answers.ts')
const { houseForEachTest } = await import('../support/lending/houses.ts')
const lending = await import('../support/lending/lending.ts')
const margin = await import('../support/lending/margin.ts')
const { testKey } = await import('../support/stores/sealer.ts')

afterAll(() => vi.resetModules())
const house = houseForEachTest()
afterEach(async () => {
  await house.db.updateTable('facilities').set({ terms_version: null }).execute()
  await house.db.deleteFrom('margin_policy_versions').execute()
})

const ETHER = 10n ** 18n
const eth = (whole: bigint) => [{ asset: 'ETH', units: whole * ETHER }]
const fix = (haircuts: [string, bigint][]) => {
  const marginPolicy = {
    ...DEFAULT_MARGIN_POLICY,
    haircuts: new Map([...DEFAULT_MARGIN_POLICY.haircuts, ...haircuts]),
  }
  return fixTerms(house.db, { policy: house.policy, marginPolicy }, house.now())
}

async function readTerms() {
  house.terms = await house.context.termsAt(house.db, house.now())
  Object.assign(house.context, house.terms)
}

async function addLoan(positions: readonly { asset: string; units: bigint }[]) {
  const { id, borrowerId } = await lending.addFacility(house, {
    limitCents: 15_000_00n,
    positions,
  })
  await lending.draw(house, id, lending.usd(15_000_00n))
  await lending.settle(house)
  return { id, borrowerId }
}

/** Of this build's own terms, which name no ether. */
async function dropEther(): Promise<void> {
  await inTransaction(house.db, (tx) =>
    storeVersion(
      tx,
      { policy: DEFAULT_MARGIN_POLICY, effectiveFrom: addMs(house.now(), HOUR_MS) },
      { note: 'risk', proposedBy: 'ada', signedBy: 'grace', now: house.now() },
    ),
  )
  house.advance(HOUR_MS)
  await readTerms()
}

const view = async (id: string) =>
  await viewFacility(house.db, house.context, await lending.read(house, id), house.now())

const bodyOf = async (id: string) => toFacilityBody(await view(id))

test('an asset that newer terms drop is valued, levelled, stressed, listed and warned for the loans whose version names it', async () => {
  await fix([['ETH', 50_000n]])
  await readTerms()
  const { id } = await addLoan(eth(10n))
  await dropEther()
  const both = [...eth(10n), ...margin.btc(margin.ONE_BTC)]
  const { id: newer } = await addLoan(both)

  expect(await bodyOf(id)).toMatchObject({
    collateral_value_usd: '38000.00',
    terms: { version: 0, haircuts: { ETH: '0.05' } },
  })
  const body = await bodyOf(newer)
  expect(body).toMatchObject({ collateral_value_usd: '97000.00', terms: { version: 1 } })
  expect(body.terms?.haircuts).not.toHaveProperty('ETH')

  const { db, context, tenantId } = house
  const reading = { ...context, db, tenantId, now: house.now() }
  const levels = levelsOf(await loadCase(reading, await lending.read(house, id)), house.now())
  expect(levels[0]?.prices).toMatchObject([{ asset: 'ETH' }])
  expect(readShocks('ETH=-50%')).toHaveLength(1)
  const stressed = { prices: [{ asset: 'ETH', change_percent: '-50' }] }
  expect(stressInput.safeParse(stressed).success).toBe(true)
  const listed = await listBook(
    db,
    { prices: house.prices, stack: 'live', termsAt: context.termsAt },
    { figure: 'exposure', asset: 'ETH', tenantId, at: house.now() },
    { request: { limit: 10 }, cursors: createCursorCodec([testKey('test')]) },
  )
  expect(listed.items.map(({ facilityId }) => facilityId)).toEqual([id])

  house.market.set('ETH', '2000')
  await margin.tick(house, MINUTE_MS)
  expect(await margin.readWarnings(house, id)).toMatchObject([{ status: 'OPEN', tier: 2 }])
  expect(await margin.readWarnings(house, newer)).toEqual([])
  await margin.expectSound(house, id)
})

test('a push of more of it is asked about, as of any collateral', async () => {
  await fix([['ETH', 50_000n]])
  await readTerms()
  const { borrowerId } = await addLoan(eth(10n))
  house.advance(MINUTE_MS)
  await lending.pushPortfolio(house, borrowerId, eth(20n))
  const { least } = await house.db
    .selectFrom('portfolios')
    .select('least')
    .where('borrower_id', '=', borrowerId)
    .executeTakeFirstOrThrow()
  expect(least).toEqual({ ETH: String(10n * ETHER) })
  expect(isMore(eth(20n), eth(10n))).toBe(true)
  expect(heldAsset.safeParse('eth').success).toBe(false)
})

test('collateral that this build cannot price decides nothing, and says so, while a loan is bound to its name', async () => {
  // By a newer build, which has a price.
  await expect(fix([['SOL', 200_000n]])).rejects.toThrow()
  await readTerms()
  const { id, borrowerId } = await addLoan(margin.btc(margin.ONE_BTC))
  const held = [...margin.btc(margin.ONE_BTC), { asset: 'SOL', units: ETHER }]
  house.advance(MINUTE_MS)
  await lending.pushPortfolio(house, borrowerId, held)
  await lending.settle(house)
  await expect(fix([])).rejects.toThrow('version 0 of the margin policy names SOL')
  await margin.holdPrice(house, '15000')
  expect(await margin.readWarnings(house, id)).toEqual([])
  expect(await view(id)).toMatchObject({ isStale: true })
  await dropEther()
  await house.db.updateTable('facilities').set({ terms_version: 1 }).execute()
  await expect(fix([])).resolves.toBeUndefined()
  await margin.holdPrice(house, '14999')
  expect(await margin.readWarnings(house, id)).toHaveLength(1)
})

test('a version names no ether where its haircut is null, and dollars always', () => {
  const base = { ...DEFAULT_MARGIN_POLICY, haircuts: new Map([['ETH', 50_000n]]) }
  const dropped = applyTerms(changedTerms.parse({ haircuts: { ETH: null, USDC: '0.02' } }), base)
  expect([...dropped.haircuts]).toEqual([['USDC', 20_000n]])
  expect(changedTerms.safeParse({ haircuts: { USD: null } }).success).toBe(false)
})
