import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { foldReference } from '../../../src/core/external-reference.ts'
import { addMs } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { checkLedger } from '../../../src/domain/facilities/ledger/check-ledger.ts'
import {
  confirmRepayment,
  settleReceipt,
} from '../../../src/domain/repayments/confirm-repayment.ts'
import { refuseClaim } from '../../../src/domain/repayments/contested.ts'
import { getRepayment, type Repayment } from '../../../src/domain/repayments/repayments.ts'
import { CONFIRM_REPAYMENT } from '../../../src/domain/repayments/report-execution.ts'
import { crashAtEachStep } from '../../support/lending/crashes.ts'
import { findViolations } from '../../support/lending/find-violations.ts'
import { houseForFile } from '../../support/lending/houses.ts'
import {
  addDrawnFacility,
  announce,
  eventsOf,
  read,
  repay,
  report,
  settle,
  usd,
} from '../../support/lending/lending.ts'

const lending = houseForFile()
afterEach(async () => {
  expect(await findViolations(lending.db)).toEqual([])
  expect(await checkLedger(lending.db)).toEqual([])
})

const FIVE = usd(5_000_00n)

/** Two repayments, by default of two facilities, with references that both lead to one transfer. */
async function repayTwice(transferId: string, isOneFacility = false): Promise<Repayment[]> {
  const first = await addDrawnFacility(lending, usd(20_000_00n))
  const second = isOneFacility ? first : await addDrawnFacility(lending, usd(20_000_00n))
  lending.transfers.set(`${transferId}-a`, transferId).set(`${transferId}-b`, transferId)
  const earlier = await repay(lending, first.id, FIVE, `${transferId}-a`)
  // What is due first is confirmed first.
  await lending.db
    .updateTable('work')
    .set({ due_at: addMs(lending.now(), -1) })
    .where('topic', '=', CONFIRM_REPAYMENT)
    .where('subject_id', '=', earlier.id)
    .execute()
  return [earlier, await repay(lending, second.id, FIVE, `${transferId}-b`)]
}

const statusOf = async ({ facilityId, id }: Repayment) => {
  const { status, failure } = await getRepayment(lending.db, lending.tenantId, facilityId, id)
  return failure ?? status
}
const statusesOf = async (repayments: Repayment[]) => Promise.all(repayments.map(statusOf))

async function refuse({ id }: Repayment): Promise<void> {
  await inTransaction(lending.db, (tx) => refuseClaim(lending.within(tx), id))
}

async function principalOf({ facilityId }: Repayment): Promise<bigint> {
  return (await read(lending, facilityId)).debt.principalCents
}

describe('a transfer that was confirmed for a repayment', () => {
  test('a transfer confirmed for one repayment pays nothing to another, under any reference', async () => {
    const [first, second] = (await repayTwice('mt103-1', true)) as [Repayment, Repayment]
    await settle(lending)
    expect(await eventsOf(lending, first.id)).toEqual(['repayment.applied'])
    expect(await eventsOf(lending, second.id)).toEqual([])
    expect(await principalOf(first)).toBe(15_000_00n)
    expect(await getRepayment(lending.db, lending.tenantId, second.facilityId, second.id)).toEqual(
      expect.objectContaining({ status: 'REPORTED', confirmed: undefined }),
    )
  })

  test('a repayment that named a used transfer can be reported again once it is refused, under its own transfer', async () => {
    const [, second] = (await repayTwice('mt103-2')) as [Repayment, Repayment]
    await settle(lending)
    await refuse(second)
    lending.transfers.set('mt103-2-c', 'mt103-2')
    await report(lending, second, 'mt103-2-c')
    await settle(lending)
    await refuse(second)
    await report(lending, second, 'mt103-2-own')
    await settle(lending)
    expect(await eventsOf(lending, second.id)).toEqual([
      'repayment.failed not_received',
      'repayment.failed not_received',
      'repayment.applied',
    ])
    expect(await principalOf(second)).toBe(15_000_00n)
  })

  test('a transfer is refunded once where it came in another asset', async () => {
    for (const reference of ['mt103-3-a', 'mt103-3-b']) {
      lending.received.set(reference, { asset: 'BTC', units: 1_000n })
    }
    const repayments = await repayTwice('mt103-3')
    await settle(lending)
    expect(await statusesOf(repayments)).toEqual(['asset_mismatch', 'REPORTED'])
    const refunds = await lending.db
      .selectFrom('refunds')
      .select('source_id')
      .where('asset', '=', 'BTC')
      .execute()
    expect(refunds).toEqual([{ source_id: repayments[0]?.id }])
  })

  test('two transfers are different where their ids differ by a letter in another case', async () => {
    const facility = await addDrawnFacility(lending, usd(20_000_00n))
    lending.transfers.set('one', 'base58-a').set('two', 'base58-A')
    await repay(lending, facility.id, FIVE, 'one')
    const second = await repay(lending, facility.id, FIVE, 'two')
    await settle(lending)
    expect(await statusOf(second)).toBe('APPLIED')
    expect(await principalOf(second)).toBe(10_000_00n)
  })
})

describe('two repayments that name one transfer', () => {
  test.each([
    ['of two facilities', false],
    ['of one facility', true],
  ])(
    'two repayments %s that name one transfer and are settled at once get one payment',
    async (name, isOneFacility) => {
      const { context, tenantId } = lending
      for (let round = 0; round < 5; round += 1) {
        const transferId = `race ${name} ${round}`
        const repayments = await repayTwice(transferId, isOneFacility)
        const receipt = { transferId, amount: FIVE }
        // Each answer comes twice besides.
        await Promise.all(
          [...repayments, ...repayments].map((repayment) =>
            settleReceipt(context, tenantId, repayment, receipt),
          ),
        )
        expect((await statusesOf(repayments)).sort()).toEqual(['APPLIED', 'REPORTED'])
        const principals = await Promise.all(repayments.map(principalOf))
        expect(principals).toContain(15_000_00n)
        if (!isOneFacility) expect(principals).toContain(20_000_00n)
      }
    },
  )

  test('two repayments that name one transfer get one payment, at whatever step of either the process dies', async () => {
    const { context, tenantId } = lending
    await crashAtEachStep(lending, async (crashing, crashAt) => {
      const [first, second] = (await repayTwice(`crash ${crashAt}`)) as [Repayment, Repayment]
      await crashing(async () => {
        await confirmRepayment(context, tenantId, second.id)
        await confirmRepayment(context, tenantId, first.id)
      }).catch(() => undefined)
      lending.onStep = () => undefined
      await settle(lending)
      const statuses = await statusesOf([first, second])
      expect(statuses.sort()).toEqual(['APPLIED', 'REPORTED'])
    })
  })
})

describe('a reference', () => {
  test('a reference is refused for another repayment in any case, and stored as it was given', async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    const first = await repay(lending, id, FIVE, 'Straße-1')
    expect(first.reference).toBe('Straße-1')
    for (const same of ['straße-1', 'STRASSE-1', 'Stra\u1e9ee-1']) {
      const second = await announce(lending, id, FIVE)
      await expect(report(lending, second, same)).rejects.toMatchObject({
        code: 'duplicate_reference',
      })
    }
    await settle(lending)
  })

  test('a reference of a repayment may be given again for it in another case', async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    lending.received.set('late-wire', undefined)
    const repayment = await repay(lending, id, FIVE, 'late-wire')
    await settle(lending)
    await report(lending, repayment, 'LATE-wire')
    await settle(lending)
    expect(await statusOf(repayment)).toBe('APPLIED')
  })

  test('a reference in two cases, reported at once for two repayments, is accepted once', async () => {
    const facilities = [
      await addDrawnFacility(lending, usd(20_000_00n)),
      await addDrawnFacility(lending, usd(20_000_00n)),
    ]
    const announced = await Promise.all(facilities.map(({ id }) => announce(lending, id, FIVE)))
    const sent = await Promise.allSettled(
      announced.map((repayment, at) => report(lending, repayment, ['Same-Wire', 'SAME-wire'][at])),
    )
    expect(sent.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await settle(lending)
  })
})

test('references that the database treats as equal in any case are equal here', async () => {
  const { rows } = await sql<{ character: string; folded: string }>`
    SELECT chr(code) AS character,
      normalize(casefold(normalize(chr(code), NFD) COLLATE pg_unicode_fast), NFC) AS folded
    FROM generate_series(1, ${0x10_ffff}::int) code
    WHERE code NOT BETWEEN ${0xd800}::int AND ${0xdfff}::int
      AND casefold(chr(code) COLLATE pg_unicode_fast) <> chr(code)`.execute(lending.db)
  expect(rows.length).toBeGreaterThan(1_000)
  for (const { character, folded } of rows) {
    expect(foldReference(character)).toBe(foldReference(folded))
  }
})
