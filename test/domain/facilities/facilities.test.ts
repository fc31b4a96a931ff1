import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { beginClosing, releaseLien } from '../../../src/domain/facilities/closing/close.ts'
import { createFacility } from '../../../src/domain/facilities/facilities.ts'
import { checkLedger } from '../../../src/domain/facilities/ledger/check-ledger.ts'
import { totalDebtCents } from '../../../src/domain/facilities/ledger/debt.ts'
import { lockFacility } from '../../../src/domain/facilities/locked-facility.ts'
import type { Custodian } from '../../../src/domain/facilities/ports.ts'
import { underwriteFacility } from '../../../src/domain/facilities/underwriting/underwriting.ts'
import { setBorrowerBlock } from '../../../src/domain/onboarding/borrowers.ts'
import { setResidencyRule } from '../../../src/domain/onboarding/residency.ts'
import { createNoCustodian } from '../../../src/providers/none.ts'
import { createUnquotedPrices } from '../../../src/providers/prices-none.ts'
import { crashAtEachStep } from '../../support/lending/crashes.ts'
import { houseForFile } from '../../support/lending/houses.ts'
import {
  addDrawnFacility,
  addEligibleBorrower,
  addFacility,
  announce,
  applyFor,
  dataOf,
  draw,
  eventsOf,
  type Lending,
  openLending,
  pass,
  pushPortfolio,
  pushWithin,
  read,
  repay,
  report,
  requestClosing,
  settle,
  usd,
} from '../../support/lending/lending.ts'
import { addBorrower } from '../../support/lending/onboarding.ts'
import { untilOneWaits } from '../../support/stores/waiting-sessions.ts'

const lending = houseForFile()
beforeEach(() => {
  lending.market.set('BTC', '100000')
  lending.priceAgeMs = 0
  lending.custodian.next = []
  lending.payments.next = []
  lending.onStep = () => undefined
})

const close = (facilityId: string) => requestClosing(lending, facilityId)

const block = (borrowerId: string, reason: string | undefined) =>
  inTransaction(lending.db, (tx) => setBorrowerBlock(lending.within(tx), borrowerId, reason))

const refusal = (code: string) => expect.objectContaining({ code })

const decision = (facilityId: string) => dataOf(lending, 'facility.decisioned', facilityId)

describe('applications', () => {
  test('applications see the portfolio that is being pushed at the same moment', async () => {
    const { db } = lending
    const borrowerId = await addEligibleBorrower(lending)
    const pushed = Promise.withResolvers<void>()
    const committing = Promise.withResolvers<void>()
    const push = inTransaction(db, async (tx) => {
      const positions = [{ asset: 'BTC', units: 10n ** 8n }]
      const asOfMicros = BigInt(lending.now().getTime()) * 1_000n
      await pushWithin(tx, lending, borrowerId, { asOfMicros, positions })
      pushed.resolve()
      await committing.promise
    })
    await pushed.promise
    const application = applyFor(lending, borrowerId)
    await Promise.race([application, untilOneWaits(db)])
    // Whatever is due is done before the push commits: nothing comes later to make up for it.
    await settle(lending)
    committing.resolve()
    await push
    const { id } = await application
    await settle(lending)
    expect((await read(lending, id)).state).toBe('APPROVED')
  })

  test('applications are underwritten on a portfolio that was pushed while they committed', async () => {
    const { db } = lending
    const borrowerId = await addEligibleBorrower(lending)
    const applied = Promise.withResolvers<string>()
    const committing = Promise.withResolvers<void>()
    const application = inTransaction(db, async (tx) => {
      const wanted = { borrowerId, limitCents: 40_000_00n, custodyAccount: undefined }
      const { id } = await createFacility(lending.within(tx), wanted)
      // As if its own underwriting had been done by then: only the push can ask for it.
      await tx.deleteFrom('work').where('subject_id', '=', id).execute()
      applied.resolve(id)
      await committing.promise
    })
    const id = await applied.promise
    const push = pushPortfolio(lending, borrowerId)
    await untilOneWaits(db)
    committing.resolve()
    await Promise.all([application, push])
    await settle(lending)
    expect((await read(lending, id)).state).toBe('APPROVED')
  })

  test('applications are one at a time for a borrower, also when they race', async () => {
    const borrowerId = await addEligibleBorrower(lending)
    const asked = await Promise.allSettled(
      Array.from({ length: 8 }, () => applyFor(lending, borrowerId)),
    )
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refusals = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
    expect(new Set(refusals)).toEqual(new Set(['facility_exists']))
  })

  test('applications are open again to a borrower after the last one was cancelled', async () => {
    const borrowerId = await addEligibleBorrower(lending)
    const first = await applyFor(lending, borrowerId)
    await close(first.id)
    expect(await eventsOf(lending, first.id)).toEqual(['facility.closed'])
    expect(await read(lending, first.id)).toMatchObject({
      state: 'CLOSED',
      closeReason: 'cancelled',
    })
    expect(await applyFor(lending, borrowerId)).toMatchObject({ state: 'PENDING' })
    await settle(lending)
    expect(await decision(first.id)).toBeUndefined()
  })

  test('applications are refused to borrowers not eligible, blocked or of another tenant', async () => {
    const stranger = await addBorrower(lending.db, lending.tenantId, {}, lending.instant())
    await expect(applyFor(lending, stranger)).rejects.toEqual(refusal('borrower_not_eligible'))
    const blocked = await addEligibleBorrower(lending)
    await block(blocked, 'court order')
    await expect(applyFor(lending, blocked)).rejects.toMatchObject({
      code: 'borrower_not_eligible',
      message: 'The borrower is eligible, but gets no credit at present; ask the operator.',
    })
    await block(blocked, undefined)
    expect(await applyFor(lending, blocked)).toMatchObject({ state: 'PENDING' })
    await expect(applyFor(lending, 'bor_01k9x4m2q8e0tb7f2v5j6h8n3c')).rejects.toEqual(
      refusal('not_found'),
    )
  })
})

describe('underwriting', () => {
  async function applied(limitCents: bigint, units = 10n ** 8n) {
    const borrowerId = await addEligibleBorrower(lending)
    await pushPortfolio(lending, borrowerId, [{ asset: 'BTC', units }])
    const { id } = await applyFor(lending, borrowerId, limitCents)
    return { id, borrowerId }
  }

  test('underwriting approves a limit of half the collateral, and not a cent more', async () => {
    const most = await applied(48_500_00n)
    const over = await applied(48_500_01n)
    await settle(lending)
    expect(await decision(most.id)).toEqual({
      facility_id: most.id,
      borrower_id: most.borrowerId,
      decision: 'approved',
      limit: { amount: '48500.00', asset: 'USD' },
      rate: '0.1',
      reasons: [],
    })
    expect(await decision(over.id)).toMatchObject({
      decision: 'declined',
      reasons: ['insufficient_collateral'],
    })
    expect(await read(lending, over.id)).toMatchObject({
      state: 'DECLINED',
      declineReasons: ['insufficient_collateral'],
    })
  })

  test('underwriting declines a limit out of range, a blocked borrower, and both together', async () => {
    const small = await applied(999_99n)
    const large = await applied(5_000_000_01n, 200n * 10n ** 8n)
    const both = await applied(999_99n)
    await block(both.borrowerId, 'court order')
    await settle(lending)
    expect(await decision(small.id)).toMatchObject({ reasons: ['limit_out_of_range'] })
    expect(await decision(large.id)).toMatchObject({ reasons: ['limit_out_of_range'] })
    expect(await decision(both.id)).toMatchObject({
      reasons: ['borrower_not_eligible', 'limit_out_of_range'],
    })
  })

  test("underwriting takes rate and largest limit from the residency's rule", async () => {
    const rule = { country: 'DE', state: undefined, allowed: true }
    const set = (ratePpm: number | undefined, maxLimitCents: bigint | undefined) =>
      inTransaction(lending.db, (tx) =>
        setResidencyRule(
          tx,
          { ...rule, borrowerType: 'individual', ratePpm, maxLimitCents },
          lending.now(),
        ),
      )
    await set(123_456, 10_000_00n)
    const most = await applied(10_000_00n)
    const over = await applied(10_000_01n)
    await settle(lending)
    await set(undefined, undefined)
    expect(await decision(most.id)).toMatchObject({ decision: 'approved', rate: '0.123456' })
    expect(await decision(over.id)).toMatchObject({ reasons: ['residency_limit_exceeded'] })
  })

  test('underwriting waits for a portfolio and decides at its push', async () => {
    const borrowerId = await addEligibleBorrower(lending)
    const { id } = await applyFor(lending, borrowerId)
    await pass(lending, 3 * HOUR_MS, HOUR_MS)
    expect(await read(lending, id)).toMatchObject({ state: 'PENDING' })
    await pushPortfolio(lending, borrowerId)
    await settle(lending)
    expect(await read(lending, id)).toMatchObject({ state: 'APPROVED' })
  })

  test('underwriting wants a portfolio of the last 15 minutes', async () => {
    const borrowerId = await addEligibleBorrower(lending)
    await pushPortfolio(lending, borrowerId)
    await pass(lending, 15 * MINUTE_MS + 1)
    const { id } = await applyFor(lending, borrowerId)
    await settle(lending)
    expect(await read(lending, id)).toMatchObject({ state: 'PENDING' })
    await pushPortfolio(lending, borrowerId)
    await pass(lending, 15 * MINUTE_MS)
    expect(await read(lending, id)).toMatchObject({ state: 'APPROVED' })
  })

  test('underwriting declines portfolio_stale at 24 hours, and not before', async () => {
    const borrowerId = await addEligibleBorrower(lending)
    const { id } = await applyFor(lending, borrowerId)
    await pass(lending, DAY_MS - 1)
    expect(await read(lending, id)).toMatchObject({ state: 'PENDING' })
    await pass(lending, 1)
    expect(await decision(id)).toMatchObject({
      decision: 'declined',
      reasons: ['portfolio_stale'],
    })
  })

  test('underwriting waits for a price of collateral that has none rather than count it nothing', async () => {
    lending.market.delete('BTC')
    const { id } = await applied(40_000_00n)
    await pass(lending, MINUTE_MS)
    expect(await read(lending, id)).toMatchObject({ state: 'PENDING' })
    lending.market.set('BTC', '100000')
    await pass(lending, MINUTE_MS)
    expect(await read(lending, id)).toMatchObject({ state: 'APPROVED' })
  })

  test('underwriting decides once, though it runs many times at once', async () => {
    const { id } = await applied(40_000_00n)
    await Promise.all([settle(lending), settle(lending), settle(lending)])
    expect(await eventsOf(lending, id)).toEqual(['facility.decisioned'])
  })
})

describe('underwriting where the custodian must confirm control', () => {
  let live: Lending
  beforeAll(async () => {
    live = await openLending({ policy: { requireControl: true } })
  })
  afterAll(() => live[Symbol.asyncDispose]())

  async function applied() {
    const borrowerId = await addEligibleBorrower(live)
    await pushPortfolio(live, borrowerId)
    return { borrowerId, id: (await applyFor(live, borrowerId, 40_000_00n, 'custody-1')).id }
  }

  test('underwriting where the custodian must confirm control needs the custody account named', async () => {
    const borrowerId = await addEligibleBorrower(live)
    await expect(applyFor(live, borrowerId)).rejects.toEqual(refusal('validation_failed'))
  })

  test('underwriting where the custodian must confirm control approves once it is confirmed, declines where it is denied', async () => {
    const good = await applied()
    await settle(live)
    expect(await read(live, good.id)).toMatchObject({ state: 'APPROVED' })
    live.custodian.next = ['refused']
    const bad = await applied()
    await settle(live)
    expect(await read(live, bad.id)).toMatchObject({
      state: 'DECLINED',
      declineReasons: ['control_not_confirmed'],
    })
  })

  test('underwriting where the custodian must confirm control waits where no custodian is configured at all', async () => {
    const { id } = await applied()
    const bare = { ...live.context, custodian: createNoCustodian(), prices: createUnquotedPrices() }
    await expect(underwriteFacility(bare, live.tenantId, id)).rejects.toThrow(/no custodian/)
    expect(await read(live, id)).toMatchObject({ state: 'PENDING' })
  })

  test('underwriting where the custodian must confirm control never approves without the answer, however long that takes', async () => {
    live.custodian.isDown = true
    const { id, borrowerId } = await applied()
    await pass(live, DAY_MS - MINUTE_MS, HOUR_MS)
    await pushPortfolio(live, borrowerId)
    await pass(live, 2 * MINUTE_MS, MINUTE_MS)
    expect(await read(live, id)).toMatchObject({ state: 'PENDING' })
    live.custodian.isDown = false
    await pushPortfolio(live, borrowerId)
    await pass(live, 10 * MINUTE_MS, MINUTE_MS)
    expect(await read(live, id)).toMatchObject({ state: 'APPROVED' })
  })
})

describe('draws are refused', () => {
  test('draws are refused on a facility that is pending, and in assets that are no money', async () => {
    const borrowerId = await addEligibleBorrower(lending)
    const pending = await applyFor(lending, borrowerId)
    await expect(draw(lending, pending.id, usd(1n))).rejects.toEqual(
      refusal('facility_not_approved'),
    )
    const { id } = await addFacility(lending)
    await expect(draw(lending, id, { asset: 'BTC', units: 1n })).rejects.toEqual(
      refusal('unsupported_asset'),
    )
  })

  test('draws are refused to a blocked borrower', async () => {
    const { id, borrowerId } = await addFacility(lending)
    await block(borrowerId, 'court order')
    await expect(draw(lending, id, usd(1n))).rejects.toEqual(refusal('borrower_not_eligible'))
  })

  test('draws are refused above the limit, reservations counted, by a cent', async () => {
    const { id } = await addFacility(lending)
    await draw(lending, id, usd(39_999_99n))
    await expect(draw(lending, id, usd(2n))).rejects.toEqual(refusal('credit_limit_exceeded'))
    expect(await read(lending, id)).toMatchObject({ reservedCents: 39_999_99n })
    await draw(lending, id, usd(1n))
  })

  test('draws are refused above the loan-to-value, interest counted, by a cent', async () => {
    const { id, borrowerId } = await addFacility(lending)
    await draw(lending, id, usd(20_000_00n))
    await settle(lending)
    await pass(lending, 30 * DAY_MS, 10 * DAY_MS) // 164.39 of interest
    await pushPortfolio(lending, borrowerId)
    lending.market.set('BTC', '51546.40') // 50,000.00 counts: 25,000.00 may be owed
    await expect(draw(lending, id, usd(4_835_62n))).rejects.toEqual(refusal('draws_blocked'))
    await draw(lending, id, usd(4_835_61n))
  })

  test('draws are refused by a portfolio of more than 24 hours ago', async () => {
    const { id } = await addFacility(lending)
    await pass(lending, DAY_MS)
    await draw(lending, id, usd(1n))
    await pass(lending, 1)
    await expect(draw(lending, id, usd(1n))).rejects.toEqual(refusal('draws_blocked'))
  })

  test('draws are refused while the debt exceeds the collateral', async () => {
    const { id } = await addDrawnFacility(lending, usd(40_000_00n))
    await repay(lending, id, usd(10_000_00n))
    await settle(lending)
    lending.market.set('BTC', '30000')
    await expect(draw(lending, id, usd(1n))).rejects.toEqual(refusal('draws_blocked'))
  })

  test('draws are refused by prices older than a minute, or none', async () => {
    const { id } = await addFacility(lending)
    lending.priceAgeMs = 60_000
    await draw(lending, id, usd(1n))
    lending.priceAgeMs = 60_001
    await expect(draw(lending, id, usd(1n))).rejects.toEqual(refusal('price_unavailable'))
    lending.priceAgeMs = 0
    lending.market.delete('BTC')
    await expect(draw(lending, id, usd(1n))).rejects.toEqual(refusal('price_unavailable'))
    lending.market.delete('USDC')
    const usdcDraw = draw(lending, id, { asset: 'USDC', units: 1n })
    await expect(usdcDraw).rejects.toEqual(refusal('price_unavailable'))
    lending.market.set('USDC', '1')
  })
})

describe('repayments are refused', () => {
  test('repayments are refused before anything was paid out, in other assets, and as a cure of no open warning', async () => {
    const { id } = await addFacility(lending)
    await expect(announce(lending, id, usd(1n))).rejects.toEqual(refusal('facility_not_approved'))
    await draw(lending, id, usd(1_000_00n))
    await settle(lending)
    await expect(announce(lending, id, { asset: 'BTC', units: 1n })).rejects.toEqual(
      refusal('unsupported_asset'),
    )
    await expect(announce(lending, id, usd(1n), 1)).rejects.toEqual(
      refusal('margin_warning_not_open'),
    )
  })
})

describe('closing', () => {
  test('closing a facility is refused with debt, and with a draw or a repayment under way', async () => {
    const { id } = await addFacility(lending)
    await draw(lending, id, usd(1_000_00n))
    await expect(close(id)).rejects.toEqual(refusal('outstanding_balance'))
    await settle(lending)
    await expect(close(id)).rejects.toEqual(refusal('outstanding_balance'))
    lending.payments.isDown = true
    const payoff = await repay(lending, id, usd(1_000_00n))
    await settle(lending)
    await expect(close(id)).rejects.toEqual(refusal('outstanding_balance'))
    lending.payments.isDown = false
    await pass(lending, MINUTE_MS)
    expect(await eventsOf(lending, payoff.id)).toEqual(['repayment.applied'])
    await announce(lending, id, usd(1n))
    await expect(close(id)).rejects.toEqual(refusal('outstanding_balance'))
  })

  test('closing a facility waives a rest of 1.00, booked, and not of 1.01', async () => {
    const { id } = await addDrawnFacility(lending, usd(1_000_00n))
    await pass(lending, 30 * DAY_MS)
    const { debt } = await read(lending, id)
    const total = totalDebtCents(debt, lending.now())
    await repay(lending, id, usd(total - 1_01n))
    await settle(lending)
    await expect(close(id)).rejects.toEqual(refusal('outstanding_balance'))
    await repay(lending, id, usd(1n))
    await settle(lending)
    await close(id)
    expect(await read(lending, id)).toMatchObject({ state: 'CLOSING' })
    await settle(lending)
    expect(await read(lending, id)).toMatchObject({
      state: 'CLOSED',
      closeReason: 'repaid',
      custodianFloorCents: 0n,
      debt: { principalCents: 0n },
    })
    const waiver = await lending.db
      .selectFrom('journal')
      .select(['accounts', 'amounts'])
      .where('facility_id', '=', id)
      .where('kind', '=', 'waiver')
      .executeTakeFirstOrThrow()
    expect(waiver.accounts).toEqual(['write_offs', 'loans_receivable'])
  })

  test('closing a facility waives no more than the facility has paid in interest', async () => {
    const { id } = await addDrawnFacility(lending, usd(99n))
    await expect(close(id)).rejects.toEqual(refusal('outstanding_balance'))
    await repay(lending, id, usd(99n))
    await settle(lending)
    await close(id)
    expect(await read(lending, id)).toMatchObject({ state: 'CLOSING' })
  })

  test('closing a facility releases the lien once all that is owed back is paid, and reports it once', async () => {
    const { id } = await addDrawnFacility(lending, usd(1_000_00n))
    lending.payments.next = ['done', 'refused', 'refused']
    await repay(lending, id, usd(1_500_00n))
    await settle(lending)
    await close(id)
    await pass(lending, MINUTE_MS, MINUTE_MS)
    expect(await read(lending, id)).toMatchObject({ state: 'CLOSING', refundDueCents: 500_00n })
    expect(lending.custodian.calls.filter((call) => call.startsWith(`${id}/lien`))).toEqual([])
    await pass(lending, 3 * MINUTE_MS, MINUTE_MS)
    expect(await read(lending, id)).toMatchObject({ state: 'CLOSED', refundDueCents: 0n })
    const closed = (await eventsOf(lending, id)).filter((type) => type === 'facility.closed')
    expect(closed).toHaveLength(1)
  })

  test('closing a facility waits for the treasury to answer for what was reported, and for what that owes back', async () => {
    const { id } = await addDrawnFacility(lending, usd(1_000_00n))
    await repay(lending, id, usd(1_000_00n))
    await settle(lending)
    await close(id)
    lending.payments.isDown = true
    await repay(lending, id, usd(70_00n))
    await pass(lending, 10 * MINUTE_MS, MINUTE_MS)
    expect(await read(lending, id)).toMatchObject({ state: 'CLOSING' })
    lending.payments.isDown = false
    lending.payments.next = ['done', 'refused']
    // A receipt that failed is asked about again within a quarter of an hour.
    for (let minutes = 0; minutes < 15; minutes += 1) {
      if ((await read(lending, id)).refundDueCents === 0n) await pass(lending, MINUTE_MS)
    }
    expect(await read(lending, id)).toMatchObject({ state: 'CLOSING', refundDueCents: 70_00n })
    await pass(lending, MINUTE_MS)
    expect(await read(lending, id)).toMatchObject({ state: 'CLOSED', refundDueCents: 0n })
    expect((await eventsOf(lending, id)).at(-1)).toBe('facility.closed')
  })

  test('closing a facility is retried where a repayment is reported while the custodian is asked', async () => {
    const { id } = await addDrawnFacility(lending, usd(1_000_00n))
    await repay(lending, id, usd(1_000_00n))
    await settle(lending)
    await close(id)
    const { context, tenantId } = lending
    const custodian: Custodian = {
      ...context.custodian,
      async releaseLien(call) {
        await repay(lending, id, usd(70_00n))
        return await context.custodian.releaseLien(call)
      },
    }
    await releaseLien({ ...context, custodian }, tenantId, id)
    expect(await read(lending, id)).toMatchObject({ state: 'CLOSING' })
    await settle(lending)
    expect(await read(lending, id)).toMatchObject({ state: 'CLOSED', refundDueCents: 0n })
  })

  test('closing a facility does not wait for a repayment that was never reported; its money is paid back', async () => {
    const { id } = await addDrawnFacility(lending, usd(1_000_00n))
    await repay(lending, id, usd(1_000_00n))
    await settle(lending)
    await close(id)
    const announced = await announce(lending, id, usd(70_00n))
    await settle(lending)
    expect(await read(lending, id)).toMatchObject({ state: 'CLOSED' })
    await report(lending, announced)
    await settle(lending)
    expect(await eventsOf(lending, announced.id)).toEqual(['repayment.applied'])
    expect(await read(lending, id)).toMatchObject({ state: 'CLOSED', refundDueCents: 0n })
  })

  test('a lien that the custodian will not release yet is requested again', async () => {
    const { id } = await addDrawnFacility(lending, usd(1_000_00n))
    await repay(lending, id, usd(1_000_00n))
    await settle(lending)
    lending.custodian.next = ['refused', 'pending']
    await close(id)
    await settle(lending)
    expect(await read(lending, id)).toMatchObject({ state: 'CLOSING' })
    await pass(lending, 2 * MINUTE_MS, MINUTE_MS)
    expect(await read(lending, id)).toMatchObject({ state: 'CLOSED' })
    await expect(close(id)).rejects.toEqual(refusal('facility_not_approved'))
  })

  test('closing a facility does not begin again for one that is closing or closed', async () => {
    const { id } = await addFacility(lending)
    const beginAgain = () =>
      inTransaction(lending.db, async (tx) => {
        await beginClosing(await lockFacility(lending.within(tx), id), 'charged_off')
      })
    await close(id)
    const closing = await read(lending, id)
    await expect(beginAgain()).rejects.toThrow(/is CLOSING/)
    expect(await read(lending, id)).toEqual(closing)
    await settle(lending)
    await expect(beginAgain()).rejects.toThrow(/is CLOSED/)
  })

  test('a crash between any two steps closes it once', async () => {
    await crashAtEachStep(lending, async (crashing) => {
      const { id } = await addDrawnFacility(lending, usd(1_000_00n))
      await repay(lending, id, usd(1_000_00n))
      await settle(lending)
      await close(id)
      await crashing(() => settle(lending))
      await pass(lending, MINUTE_MS, 10_000)
      const closed = (await eventsOf(lending, id)).filter((type) => type === 'facility.closed')
      expect(closed).toHaveLength(1)
    })
  })

  test('a closed facility owes nothing, however much later it is read', async () => {
    const { id } = await addDrawnFacility(lending, usd(1_000_00n))
    await pass(lending, 30 * DAY_MS)
    const { debt } = await read(lending, id)
    await repay(lending, id, usd(totalDebtCents(debt, lending.now()) - 50n))
    await settle(lending)
    await close(id)
    await settle(lending)
    await pass(lending, 400 * DAY_MS)
    expect(totalDebtCents((await read(lending, id)).debt, lending.now())).toBe(0n)
  })
})

test('the books agree after all of this', async () => {
  expect(await checkLedger(lending.db)).toEqual([])
})
