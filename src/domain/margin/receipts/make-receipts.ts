import { createHash } from 'node:crypto'
import { Refusal } from '../../../core/errors.ts'
import type { Sealer } from '../../../core/sealing.ts'
import type { CallOutcome } from '../../../db/schema/margin.ts'
import type { LockedFacility } from '../../facilities/locked-facility.ts'
import { loadPauses } from '../../facilities/pauses/load-pauses.ts'
import { readStatement, type Statement } from '../../facilities/statements/statement.ts'
import { type LiveCall, type Sale, selectSaleRecords } from '../call-queries.ts'
import { readDecisionFacts } from '../decisions/decision-record.ts'
import type { MarginContext } from '../evaluation/evaluate-facilities.ts'
import { loadRaises } from '../notices/raises.ts'
import type { StopReason } from '../sale-plan.ts'
import { canonicalJson } from './canonical-json.ts'
import { decodeBooking, decodePlan, type PlanRecord } from './plan-record.ts'
import { type ReceiptSale, toReceipt } from './receipt-document.ts'
import { loadReceiptKey } from './receipt-key.ts'
import { insertReceipts, selectDecisionsOf } from './receipt-queries.ts'

export type EndedCall = {
  locked: LockedFacility<MarginContext>
  call: LiveCall
  sales: readonly Sale[]
  outcome: CallOutcome
  deficitCents: bigint
  end: PlanRecord & { reason: StopReason }
}

/** Signs and stores one for each call, in the transaction that has completed it. */
export async function makeReceipts(
  { tx, tenantId, now, realNow }: MarginContext,
  ended: readonly EndedCall[],
  sealer: Sealer,
): Promise<void> {
  if (ended.length === 0) return
  const ids = ended.map(({ locked }) => locked.facility.id)
  const warnings = ended.map(({ locked, call }) => ({
    ...{ facilityId: locked.facility.id, number: call.margin_warning_number },
  }))
  const numbers = [...new Set(ended.map(({ call }) => call.number))]
  const [decisions, records, raisesOf, pausesOf, key, statements] = await Promise.all([
    selectDecisionsOf(tx, tenantId, warnings),
    selectSaleRecords(tx, tenantId, ids, numbers),
    loadRaises(tx, tenantId, ids, 'leave out'),
    loadPauses(tx, tenantId, ids, now),
    loadReceiptKey(tx, sealer, realNow),
    Promise.all(ended.map(readDebt)),
  ])
  const decisionsOf = Map.groupBy(decisions, (row) => row.facility_id)
  const recordOf = new Map(
    records.map((row) => [`${row.facility_id}/${row.call_number}/${row.number}`, row]),
  )
  const rows = ended.map(({ locked, call, sales, ...rest }, at) => {
    const { facility } = locked
    const statement = statements[at]
    if (!statement) throw new Error('a statement is missing')
    const withRecords = sales.map((sale): ReceiptSale => {
      const record = recordOf.get(`${facility.id}/${call.number}/${sale.number}`)
      const [planned, booked] = [decodePlan(record?.plan), decodeBooking(record?.booking)]
      return { ...sale, planned, booked }
    })
    const made = (decisionsOf.get(facility.id) ?? []).map(({ number, kind, facts }) => ({
      ...{ number, kind, facts: readDecisionFacts(facts) },
    }))
    const receipt = toReceipt({
      ...{ facility, call, sales: withRecords, decisions: made, statement, ...rest },
      pauses: pausesOf(facility.id),
      raises: raisesOf(facility.id, call.margin_warning_number),
    })
    const body = canonicalJson(receipt)
    const bytes = Buffer.from(body)
    return {
      tenant_id: tenantId,
      facility_id: facility.id,
      call_number: call.number,
      body,
      sha256: createHash('sha256').update(bytes).digest(),
      key_id: key.keyId,
      public_key: key.publicKey,
      signature: key.sign(bytes),
    }
  })
  await insertReceipts(tx, rows)
}

/** From the application, or for a year; of a debt with very many movements from the first decision. */
async function readDebt({ locked, call }: EndedCall): Promise<Statement> {
  const { tx, facility, now } = locked
  const reading = { db: tx, now }
  try {
    return await readStatement(reading, facility, { interest: 'period' })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return await readStatement(reading, facility, { interest: 'period', from: call.created_at })
  }
}
