import { beforeEach, expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { reconcileNext } from '../../../src/domain/reconciliation/reconcile.ts'
import { createSandboxCustodian } from '../../../src/providers/sandbox/custodian-sandbox.ts'
import { createSandboxPayments } from '../../../src/providers/sandbox/payments-sandbox.ts'
import { returnSandboxCall } from '../../../src/providers/sandbox/sandbox-call.ts'
import { setSandboxHolding } from '../../../src/providers/sandbox/sandbox-holdings.ts'
import {
  makeSandboxBreak,
  type SandboxBreakKind,
} from '../../../src/providers/sandbox/sandbox-transfers.ts'
import { houseForEachTest } from '../../support/lending/houses.ts'
import {
  addDrawnFacility,
  draw,
  pass,
  pushPortfolio,
  repay,
  settle,
  usd,
} from '../../support/lending/lending.ts'
import { addBorrowed, holdPrice } from '../../support/lending/margin.ts'
import { callBack } from '../../support/lending/returns.ts'

const lending = houseForEachTest()

beforeEach(() => {
  const { db, context, prices } = lending
  const { clockFor } = context
  context.payments = createSandboxPayments(db, clockFor)
  context.custodian = createSandboxCustodian(db, prices, clockFor)
})

async function passDays(days: number): Promise<void> {
  const { db, payments, custodian, instant } = lending.context
  const context = { db, payments, custodian, instant, isSandbox: true }
  for (let day = 0; day < days; day += 1) {
    await pass(lending, DAY_MS)
    while (await reconcileNext(context, lending.tenantId));
  }
}

async function begin(): Promise<void> {
  const [day, due_at] = [lending.now().toISOString().slice(0, 10), lending.now()]
  await lending.db
    .insertInto('reconciliations')
    .values({
      ...{ tenant_id: lending.tenantId, first_day: day, next_day: day, time_zone: 'UTC', due_at },
    })
    .execute()
}

const breaks = async () => {
  const rows = await lending.db
    .selectFrom('reconciliation_breaks')
    .select(['kind', 'item_id'])
    .where('tenant_id', '=', lending.tenantId)
    .where('resolved_at', 'is', null)
    .execute()
  return rows.map((row) => `${row.kind} ${row.item_id}`).sort()
}

const makeBreak = async (kind: SandboxBreakKind, subject?: string) =>
  await inTransaction(lending.db, (tx) =>
    makeSandboxBreak(tx, lending.tenantId, { kind, subject }, lending.now()),
  )

test('the sandbox pays, receives, returns and sells without a break, and its balances follow', async () => {
  await begin()
  const { id } = await addDrawnFacility(lending, usd(10_000_00n))
  const { id: repaymentId } = await repay(lending, id, usd(300_00n), 'wire-1+over')
  await settle(lending)
  const { id: drawId } = await draw(lending, id, usd(70_00n))
  await settle(lending)
  await addBorrowed(lending)
  await holdPrice(lending, '50000')
  await pass(lending, 10 * MINUTE_MS, MINUTE_MS)
  await passDays(2)
  for (const callId of [`${repaymentId}/1`, drawId]) {
    const call = { tenantId: lending.tenantId, callId, realNow: lending.now() }
    const code = { code: 'recalled' }
    expect(await inTransaction(lending.db, (tx) => returnSandboxCall(tx, call, code))).toBe(true)
    await callBack(lending, callId.split('/')[0] ?? '')
  }
  await passDays(4)
  expect(await breaks()).toEqual([])
  const rows = await lending.db
    .selectFrom('listed_transfers')
    .select(['transfer_id', 'returns'])
    .where('tenant_id', '=', lending.tenantId)
    .execute()
  expect(rows.length).toBeGreaterThanOrEqual(7)
  expect(rows.filter((row) => row.returns !== null)).toHaveLength(2)
})

test('each break that the sandbox makes is found, and so is collateral that it does not hold', async () => {
  await begin()
  const { id, borrowerId } = await addDrawnFacility(lending, usd(10_000_00n))
  const subjects: string[] = []
  for (let n = 0; n < 3; n += 1) {
    subjects.push((await draw(lending, id, usd(100_00n))).id)
    await settle(lending)
  }
  const [gone = '', more = '', late = ''] = subjects
  const unknown = await makeBreak('missing_here')
  await makeBreak('missing_there', gone)
  await makeBreak('other_amount', more)
  expect(await makeBreak('other_day', late)).toMatchObject({ day: '2026-11-22' })
  expect(await makeBreak('other_day', 'drw_unknown')).toBeUndefined()
  const { db, tenantId } = lending
  await pushPortfolio(lending, borrowerId)
  await inTransaction(db, (tx) =>
    setSandboxHolding(
      tx,
      { tenantId, borrowerId },
      { positions: [{ asset: 'BTC', units: 1n }], lateSeconds: 0 },
      lending.now(),
    ),
  )
  await passDays(6)
  expect(await breaks()).toEqual(
    [
      `missing_here ${unknown?.transferId}`,
      `missing_there ${gone}`,
      `other_amount ${more}`,
      `other_day ${late}`,
      `other_amount ${id}/BTC`,
    ].sort(),
  )
})
