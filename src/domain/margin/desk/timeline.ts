import type { CursorCodec } from '../../../core/cursor.ts'
import { formatAmount, formatQuantity, formatUsd } from '../../../core/money.ts'
import { cutPage, type Page, type PageRequest, readPosition } from '../../../core/page.ts'
import type { Db } from '../../../db/database.ts'
import { type FacilityKey, getFacility } from '../../facilities/facilities.ts'
import { type Repayment, toRepayment } from '../../repayments/repayments.ts'
import { selectSales } from '../call-queries.ts'
import { listDecisions } from '../decisions/decisions.ts'
import { type ExplainedDecision, explainDecision } from '../decisions/explain-decision.ts'
import { type DeskCall, type SaleOrder, toDeskCall } from './desk-calls.ts'
import {
  selectCallsNumbered,
  selectTimeline,
  selectTimelineRepayments,
  type TimelineKey,
} from './desk-queries.ts'

type RepaymentSource = (typeof REPAYMENT_SOURCES)[number]

const REPAYMENT_SOURCES = [
  'repayment_requested',
  'repayment_reported',
  'repayment_confirmed',
  'repayment_returned',
] as const satisfies TimelineKey['source'][]

/** What happened to a facility's margin, in words and with its record. */
export type TimelineEntry = { at: Date; summary: string } & (
  | { source: 'decision'; warningNumber: number; decision: ExplainedDecision }
  | { source: RepaymentSource; repayment: Repayment }
  | { source: 'call_started' | 'call_ended'; call: DeskCall }
  | { source: 'order_placed' | 'order_filled'; callNumber: number; order: SaleOrder }
)

/** Newest first. Refuses `not_found`, `cursor_invalid`. */
export async function readTimeline(
  db: Db,
  { tenantId, facilityId }: FacilityKey,
  request: PageRequest,
  cursors: CursorCodec,
): Promise<Page<TimelineEntry>> {
  await getFacility(db, tenantId, facilityId)
  const context = `timeline/${tenantId}/${facilityId}`
  const position = readPosition({ request, cursors, context })?.split(' ')
  const [at = '', rank, subject = ''] = position ?? []
  const before = position && { at: new Date(at), rank: Number(rank), subject }
  const stretch = { before, limit: request.limit + 1 }
  const keys = await selectTimeline(db, tenantId, facilityId, stretch)
  const { items, hasMore } = cutPage(keys, request.limit)
  const last = items.at(-1)
  const nextCursor =
    last && hasMore
      ? cursors.encode(`${last.at.toISOString()} ${last.rank} ${last.subject}`, context)
      : undefined
  return { items: await toEntries(db, { tenantId, facilityId }, items), nextCursor, hasMore }
}

/** The same, the newest so many. Refuses `not_found`. */
export async function readTimelineEntries(
  db: Db,
  { tenantId, facilityId }: FacilityKey,
  limit: number,
): Promise<TimelineEntry[]> {
  await getFacility(db, tenantId, facilityId)
  const keys = await selectTimeline(db, tenantId, facilityId, { before: undefined, limit })
  return await toEntries(db, { tenantId, facilityId }, keys)
}

async function toEntries(
  db: Db,
  of: FacilityKey,
  keys: readonly TimelineKey[],
): Promise<TimelineEntry[]> {
  const records = await loadRecords(db, of, keys)
  return keys.flatMap((key) => toEntry(key, records) ?? [])
}

type Records = {
  decisionOf: ReadonlyMap<string, ExplainedDecision>
  repaymentOf: ReadonlyMap<string, Repayment>
  callOf: ReadonlyMap<number, DeskCall>
}

async function loadRecords(
  db: Db,
  { tenantId, facilityId }: FacilityKey,
  keys: readonly TimelineKey[],
): Promise<Records> {
  const keysOf = Map.groupBy(keys, ({ source }) => source)
  const all = (...sources: TimelineKey['source'][]) =>
    sources.flatMap((source) => keysOf.get(source) ?? [])
  const numbersOf = (some: readonly TimelineKey[]) => [...new Set(some.map(({ number }) => number))]

  const decisionOf = new Map<string, ExplainedDecision>()
  const warnings = numbersOf(all('decision'))
  for (const decision of await listDecisions(db, tenantId, facilityId, warnings)) {
    decisionOf.set(`${decision.warningNumber}/${decision.number}`, explainDecision(decision))
  }
  const repaid = all(...REPAYMENT_SOURCES)
  const ids = [...new Set(repaid.map(({ subject }) => subject))]
  const repayments = ids.length === 0 ? [] : await selectTimelineRepayments(db, tenantId, ids)
  const numbers = numbersOf(all('call_started', 'order_placed', 'order_filled', 'call_ended'))
  return {
    decisionOf,
    repaymentOf: new Map(repayments.map((row) => [row.repayment_id, toRepayment(row)])),
    callOf: await loadCalls(db, { tenantId, facilityId }, numbers),
  }
}

async function loadCalls(
  db: Db,
  { tenantId, facilityId }: FacilityKey,
  numbers: readonly number[],
): Promise<Map<number, DeskCall>> {
  if (numbers.length === 0) return new Map()
  const rows = await selectCallsNumbered(db, tenantId, facilityId, numbers)
  const sales = await selectSales(db, tenantId, [facilityId], numbers)
  const salesOf = Map.groupBy(sales, (sale) => sale.call_number)
  return new Map(rows.map((row) => [row.number, toDeskCall(row, salesOf.get(row.number) ?? [])]))
}

function toEntry(key: TimelineKey, records: Records): TimelineEntry | undefined {
  const { at, source, number, part } = key
  switch (source) {
    case 'decision': {
      const decision = records.decisionOf.get(`${number}/${part}`)
      if (!decision) return undefined
      return { at, source, warningNumber: number, decision, summary: decision.summary }
    }
    case 'repayment_requested':
    case 'repayment_reported':
    case 'repayment_confirmed':
    case 'repayment_returned': {
      const repayment = records.repaymentOf.get(key.subject)
      return repayment && { at, source, repayment, summary: describeRepayment(source, repayment) }
    }
    case 'call_started':
    case 'call_ended': {
      const call = records.callOf.get(number)
      return call && { at, source, call, summary: describeCall(source, call) }
    }
    case 'order_placed':
    case 'order_filled': {
      const order = records.callOf.get(number)?.orders.find((one) => one.number === part)
      return (
        order && { at, source, callNumber: number, order, summary: describeOrder(source, order) }
      )
    }
    default: {
      const unreachable: never = source
      return unreachable
    }
  }
}

function describeRepayment(
  source: RepaymentSource,
  { amount, delivered, confirmed, failure, marginWarningNumber, reportedAt, returned }: Repayment,
): string {
  const text = (given: Repayment['amount']) => Object.values(formatAmount(given)).join(' ')
  const cure = marginWarningNumber === undefined ? '' : ` to cure warning ${marginWarningNumber}`
  const failed = failure === undefined ? '' : ` It failed: ${failure.replaceAll('_', ' ')}.`
  switch (source) {
    case 'repayment_requested':
      return `A repayment of ${text(amount)} was requested${cure}.${reportedAt ? '' : failed}`
    case 'repayment_reported':
      return `The repayment of ${text(delivered ?? amount)} was reported${cure}.${failed}`
    case 'repayment_confirmed':
      return `The treasury confirmed ${text(confirmed ?? amount)}${cure}.`
    case 'repayment_returned':
      return `${text(confirmed ?? amount)} went back to the payer: ${returned?.code.replaceAll('_', ' ')}.`
    default: {
      const unreachable: never = source
      return unreachable
    }
  }
}

const OUTCOMES = {
  partial: 'as much was sold as makes the loan safe again',
  full: 'everything that the debt needed was sold',
  not_needed: 'nothing had to be sold',
  deficit: 'everything was sold, and a debt was left',
} as const

function describeCall(source: 'call_started' | 'call_ended', call: DeskCall): string {
  const name = `Margin call ${call.number}`
  if (source === 'call_started') return `${name} began, after warning ${call.marginWarningNumber}.`
  const deficit = call.deficitCents > 0n ? `: ${formatUsd(call.deficitCents)} USD` : ''
  return `${name} ended: ${call.outcome ? OUTCOMES[call.outcome] : 'its outcome is not known'}${deficit}.`
}

function describeOrder(source: 'order_placed' | 'order_filled', order: SaleOrder): string {
  const { asset, units, fill } = order
  const ordered = `${formatQuantity({ asset, units })} ${asset}`
  if (source === 'order_filled' && fill) {
    const filled = `${formatQuantity({ asset, units: fill.units })} ${asset}`
    return `${filled} brought ${formatUsd(fill.proceedsCents)} USD at costs of ${formatUsd(fill.costsCents)} USD.`
  }
  const refused = order.status === 'REFUSED' ? ' The custodian refused it.' : ''
  return `${order.inKind ? 'Taken as it is' : 'Ordered to be sold'}: ${ordered}.${refused}`
}
