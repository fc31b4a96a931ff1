import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { addMs, MINUTE_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { checkLedger } from '../../../src/domain/facilities/ledger/check-ledger.ts'
import { lockFacility } from '../../../src/domain/facilities/locked-facility.ts'
import { settleReceipt } from '../../../src/domain/repayments/confirm-repayment.ts'
import { getRepayment, type Repayment } from '../../../src/domain/repayments/repayments.ts'
import { CONFIRM_REPAYMENT } from '../../../src/domain/repayments/report-execution.ts'
import { requestWork } from '../../../src/domain/work/work.ts'
import {
  addEvents,
  answered,
  claimAt,
  readDeliveries,
  recordAt,
} from '../../support/deliveries/deliveries.ts'
import { insertWebhookRow } from '../../support/deliveries/insert-webhook.ts'
import { findViolations } from '../../support/lending/find-violations.ts'
import {
  addDrawnFacility,
  addEligibleBorrower,
  applyFor,
  type Lending,
  openHousesInOneDatabase,
  read,
  repay,
  settle,
  usd,
} from '../../support/lending/lending.ts'

// What a build writes on the schema of today that knows no claim of a transfer, no value date, no
// suspense and no instant of the last act: during an upgrade, or after going back to it.

const openHouse = openHousesInOneDatabase()
const FIVE = usd(5_000_00n)

const now = ({ db, tenantId }: Lending, { facilityId, id }: Repayment) =>
  getRepayment(db, tenantId, facilityId, id)

/** A newer process acts on the facility now, or by a clock that is ahead. */
async function act(house: Lending, facilityId: string, aheadMs = 0): Promise<void> {
  const at = addMs(house.now(), aheadMs)
  await inTransaction(house.db, (tx) =>
    lockFacility({ ...house.within(tx), now: at, realNow: at }, facilityId),
  )
}

test('an older build decides and closes a facility on which a newer one has acted', async () => {
  const house = await openHouse()
  const { db, tenantId } = house
  const { id } = await applyFor(house, await addEligibleBorrower(house))
  await act(house, id)
  house.advance(MINUTE_MS)
  const at = house.now()
  await sql`UPDATE facilities SET state = 'APPROVED', decisioned_at = ${at}, updated_at = ${at}
    WHERE tenant_id = ${tenantId} AND facility_id = ${id} AND state = 'PENDING'`.execute(db)
  await act(house, id, MINUTE_MS)
  await sql`UPDATE facilities SET state = 'CLOSED', close_reason = 'repaid', closed_at = ${at},
      custodian_floor_cents = 0, updated_at = ${at}
    WHERE tenant_id = ${tenantId} AND facility_id = ${id} AND state = 'APPROVED'`.execute(db)
  expect(await read(house, id)).toMatchObject({ state: 'CLOSED', closeReason: 'repaid' })
})

test('a newer worker applies what an older API has stored', async () => {
  const house = await openHouse()
  const { db, tenantId } = house
  const { id: facilityId } = await addDrawnFacility(house, usd(20_000_00n))
  const at = house.now()
  const id = newId('rep')
  await sql`INSERT INTO repayments (tenant_id, repayment_id, facility_id, margin_warning_number,
      inferred, status, asset, amount_units, requested_at)
    VALUES (${tenantId}, ${id}, ${facilityId}, NULL, false, 'PENDING', 'USD', 500000, ${at})`.execute(
    db,
  )
  await sql`INSERT INTO repayment_references (tenant_id, reference, folded, repayment_id)
    VALUES (${tenantId}, 'wire-1', 'WIRE-1', ${id})`.execute(db)
  await sql`UPDATE repayments SET status = 'REPORTED', failure_code = NULL, inquiry = 1,
      delivered_units = 500000, reference = 'wire-1', reported_at = ${at}, hold_lost_ms = 0,
      outages_until = NULL
    WHERE tenant_id = ${tenantId} AND repayment_id = ${id} AND status = 'PENDING'`.execute(db)
  const work = { tenantId, topic: CONFIRM_REPAYMENT, subjectId: id }
  await inTransaction(db, (tx) => requestWork(tx, work, at))
  await settle(house)
  expect(await getRepayment(db, tenantId, facilityId, id)).toMatchObject({
    ...{ status: 'APPLIED', confirmed: FIVE, valueAt: at, inSuspense: undefined },
  })
  expect(await findViolations(db, tenantId)).toEqual([])
})

/** The statement of the page that claims what an older worker has confirmed. */
function claimMissing(): string {
  const page = readFileSync(new URL('../../../docs/upgrades.md', import.meta.url), 'utf8')
  const [statement = ''] = /INSERT INTO transfer_claims[^;]*/.exec(page) ?? []
  return statement
}

test('a transfer that an older worker has confirmed is reported until it is claimed, and pays no other tenant then', async () => {
  const [house, other] = [await openHouse(), await openHouse()]
  const first = await addDrawnFacility(house, usd(20_000_00n))
  const second = await addDrawnFacility(other, usd(20_000_00n))
  const paid = await repay(house, first.id, FIVE, 'mt103 of an older worker')
  house.transfers.set('mt103 of an older worker', 'mt103-older')
  await settle(house)
  const { db, tenantId } = house
  await sql`DELETE FROM transfer_claims WHERE transfer_id = 'mt103-older'`.execute(db)
  await sql`UPDATE repayments SET value_at = NULL WHERE tenant_id = ${tenantId}`.execute(db)
  expect(await findViolations(db, tenantId)).toMatchObject([
    { check: 'transfers-once', detail: `is confirmed for ${paid.id} and not claimed by it` },
  ])
  await sql.raw(claimMissing()).execute(db)
  expect(await findViolations(db, tenantId)).toEqual([])
  const claim = await repay(other, second.id, FIVE, 'the same transfer')
  const receipt = { transferId: 'mt103-older', amount: FIVE }
  await settleReceipt(other.context, other.tenantId, claim, receipt)
  expect(await now(other, claim)).toMatchObject({
    ...{ status: 'REPORTED', contestedTransfer: 'mt103-older' },
  })
  expect(await now(house, paid)).toMatchObject({ status: 'APPLIED', valueAt: undefined })
  expect(await checkLedger(db)).toEqual([])
})

test('a newer worker delivers what an older API has written, and lists what that has cancelled', async () => {
  const { db, tenantId } = await openHouse()
  const webhookId = await insertWebhookRow({ db }, tenantId, 'https://example.com/')
  await addEvents(db, tenantId, 3)
  await sql`UPDATE deliveries SET next_attempt_at = recorded_at, due_at = recorded_at
    WHERE webhook_id = ${webhookId}`.execute(db)
  const webhook = { tenantId, webhookId }
  const now = addMs(new Date(), MINUTE_MS)
  const claimed = await claimAt(db, webhook, { limit: 2, deadlineMs: 15_000, now })
  const attempts = claimed.map((delivery, at) => ({
    ...{ delivery, endedAt: now },
    outcome: answered(at === 0 ? 200 : 500),
  }))
  await recordAt(db, webhook, attempts, now)
  const read = async () =>
    (await readDeliveries(db, webhookId)).map((row) => [row.state, row.listed_as, row.due_at])
  const retryAt = addMs(now, MINUTE_MS)
  expect((await read()).slice(0, 2)).toEqual([
    ['delivered', null, null],
    ['pending', 'pending', retryAt],
  ])

  await sql`UPDATE deliveries SET state = 'cancelled', next_attempt_at = NULL, due_at = NULL
    WHERE webhook_id = ${webhookId} AND state = 'pending'`.execute(db)
  expect((await read()).slice(1)).toEqual([
    ['cancelled', 'cancelled', null],
    ['cancelled', 'cancelled', null],
  ])
})
