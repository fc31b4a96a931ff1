import { beforeAll, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { outstandingAt } from '../../../src/domain/facilities/ledger/debt.ts'
import { correctFacility } from '../../../src/domain/margin/correct-facility.ts'
import { holdFacility } from '../../../src/domain/margin/hold-facility.ts'
import {
  CORRECT_FACILITY,
  type StoredCorrection,
  tryCorrection,
} from '../../../src/domain/operators/acts/correction-acts.ts'
import { getApproval } from '../../../src/domain/operators/approvals/approvals.ts'
import { houseForFile } from '../../support/lending/houses.ts'
import { addDrawnFacility, pass, read, repay, settle, usd } from '../../support/lending/lending.ts'
import { expectSound } from '../../support/lending/margin.ts'
import { type Actor, openDesk } from './desk.ts'

const lending = houseForFile()
const desk = openDesk({
  get db() {
    return lending.db
  },
  now: () => lending.now(),
  get context() {
    return lending.context
  },
})
let risk: Actor
let second: Actor
let reviewer: Actor
beforeAll(async () => {
  risk = await desk.addOperator('risk', 'risk')
  second = await desk.addOperator('second', 'risk')
  reviewer = await desk.addOperator('reviewer', 'reviewer')
})

const refused = (code: string) => expect.objectContaining({ code })

/** 10,000.00 for 73 days: 200.00 of interest. */
async function addOwing(): Promise<string> {
  const { id } = await addDrawnFacility(lending, usd(10_000_00n))
  await pass(lending, 73 * DAY_MS)
  return id
}

const WAIVE: StoredCorrection = { kind: 'waive_interest', cents: '5000' }

const propose = (facilityId: string, correction = WAIVE) => {
  const request = { tenantId: lending.tenantId, facilityId, correction }
  return desk.propose(risk, CORRECT_FACILITY, request)
}

const owedBy = async (id: string) =>
  outstandingAt((await read(lending, id)).debt, lending.now()).totalCents

test('one operator proposes with a preview, another confirms, and interest that runs between ends nothing', async () => {
  const id = await addOwing()
  const approval = await propose(id)
  expect(await owedBy(id)).toBe(10_200_00n)
  expect(await getApproval(lending.db, approval, lending.now())).toMatchObject({
    before: { state: 'APPROVED', principal_usd: '10000.00', rate: '0.1' },
    after: { correction: 'waive_interest', amount: { amount: '50.00', asset: 'USD' } },
    preview: {
      preview: {
        debt: { before: { total_usd: '10200.00' }, after: { total_usd: '10150.00' } },
        statement_lines: { before: [], after: [{ type: 'correction', interest: '-50.00' }] },
        entries: {
          added: expect.arrayContaining([expect.objectContaining({ kind: 'waive_interest' })]),
        },
      },
    },
  })
  await expect(desk.confirm(risk, approval)).rejects.toEqual(refused('scope_missing'))
  await expect(desk.confirm(reviewer, approval)).rejects.toEqual(refused('scope_missing'))
  await pass(lending, 2 * DAY_MS, DAY_MS)
  const before = await owedBy(id)
  await desk.confirm(second, approval)
  expect(await owedBy(id)).toBe(before - 50_00n)
  const [recorded] = await desk.actionsOn(id)
  expect(recorded).toMatchObject({
    action: 'facilities.correct',
    after: { correction: 'waive_interest', correction_id: expect.stringMatching(/^cor_/) },
  })
  await expectSound(lending, id)
})

const CHANGES: [string, (id: string) => Promise<unknown>][] = [
  ['money that comes in', async (id) => (await repay(lending, id, usd(1_00n))) && settle(lending)],
  [
    'another correction',
    (id) =>
      inTransaction(lending.db, (tx) =>
        correctFacility(
          lending.within(tx),
          id,
          { kind: 'rate', ratePpm: 90_000n, from: lending.now() },
          'answer',
        ),
      ),
  ],
  [
    'a hold',
    (id) =>
      inTransaction(lending.db, (tx) =>
        holdFacility(lending.within(tx), id, { kind: 'dispute', reason: 'letter' }),
      ),
  ],
  ['three days', () => pass(lending, 3 * DAY_MS, DAY_MS)],
]

test.each(CHANGES)('a proposal is ended by %s, and changes nothing', async (_, change) => {
  const id = await addOwing()
  const approval = await propose(id)
  await change(id)
  const before = await owedBy(id)
  await expect(desk.confirm(second, approval)).rejects.toEqual(refused('approval_not_open'))
  expect(await owedBy(id)).toBe(before)
  await expectSound(lending, id)
})

test('a proposal that asks for more than is owed at its confirmation is refused then', async () => {
  const id = await addOwing()
  await expect(propose(id, { kind: 'credit', cents: '1000001' })).rejects.toEqual(
    refused('validation_failed'),
  )
  await expect(propose(id, { kind: 'rate', ratePpm: 50_000 })).rejects.toMatchObject({
    message: expect.stringContaining('from is required'),
  })
})

test('a preview shows what would change, and changes nothing', async () => {
  const id = await addOwing()
  const correction = { kind: 'credit', cents: 100_00n } as const
  const preview = await desk.act(risk, async (acting) => ({
    result: await tryCorrection(acting, { tenantId: lending.tenantId, facilityId: id, correction }),
    act: undefined,
  }))
  expect(preview).toMatchObject({
    debt: { before: { principal_usd: '10000.00' }, after: { principal_usd: '9900.00' } },
    entries: { added: expect.arrayContaining([expect.objectContaining({ kind: 'credit' })]) },
  })
  expect(await owedBy(id)).toBe(10_200_00n)
  expect(await desk.actionsOn(id)).toEqual([])
})

test('a proposal sent twice waits once', async () => {
  const id = await addOwing()
  const first = await propose(id)
  lending.advance(MINUTE_MS)
  expect(await propose(id)).toBe(first)
  lending.advance(HOUR_MS)
})
