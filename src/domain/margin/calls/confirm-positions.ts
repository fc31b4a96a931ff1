import { addMs, type Instant, SECOND_MS } from '../../../core/time.ts'
import type { Db } from '../../../db/database.ts'
import { askPositions, type Question } from '../../facilities/custody/ask-positions.ts'
import type { Facility } from '../../facilities/facilities.ts'
import type { Custodian } from '../../facilities/ports.ts'
import { selectMarginState } from '../../facilities/queries.ts'
import type { Confirmed } from '../case.ts'

const RETRY_REFUSED_MS = 30 * SECOND_MS

export type OrderCounts = { orders: number; settled: number }

/** `askAgainAt` is real time. */
export type ConfirmedPositions = Confirmed | { askAgainAt: Date }

export type ConfirmContext = { db: Db; custodian: Custodian }

/** A new question for each warning. */
export async function confirmForEscalation(
  context: ConfirmContext,
  facility: Facility,
  instant: Instant,
): Promise<ConfirmedPositions> {
  const { openWarning } = await selectMarginState(context.db, facility.tenantId, facility.id)
  const question: Question = { purpose: 'escalation', basis: `warning ${openWarning ?? 0}` }
  return await confirmPositions(context, facility, question, instant)
}

/** A new question after an order is stored or settled. */
export async function confirmForSale(
  context: ConfirmContext,
  facility: Facility,
  { callNumber, orders, settled }: { callNumber: number } & OrderCounts,
  instant: Instant,
): Promise<ConfirmedPositions> {
  const basis = `call ${callNumber}: ${settled} of ${orders} settled`
  return await confirmPositions(context, facility, { purpose: 'sale', basis }, instant)
}

export async function confirmPositions(
  context: ConfirmContext,
  facility: Facility,
  question: Question,
  instant: Instant,
): Promise<ConfirmedPositions> {
  const answer = await askPositions(context, facility, question, instant)
  switch (answer.status) {
    case 'done':
      return { positions: answer.positions, askedAt: answer.askedAt }
    case 'pending':
      return { askAgainAt: answer.askAgainAt }
    case 'refused':
      return { askAgainAt: addMs(instant.realNow, RETRY_REFUSED_MS) }
    default: {
      const unreachable: never = answer
      return unreachable
    }
  }
}
