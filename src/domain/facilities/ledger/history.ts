import type { Db } from '../../../db/database.ts'
import type { DebtChange, DebtEvent, Step } from './debt-account.ts'
import { type HistoryRow, selectHistory } from './journal-queries.ts'
import type { BookedEntry } from './replay.ts'

const TAKEN_BACK = 'return/'
const BOUNCED = 'bounced/'

/** Every entry about the debt. Refunds of what never was for it, in suspense or in another asset, are
 * left out. */
export async function loadHistory(
  db: Db,
  tenantId: string,
  facilityId: string,
): Promise<BookedEntry[]> {
  const rows = await selectHistory(db, tenantId, facilityId)
  const takenBack = new Set(
    rows.flatMap(({ entry_id: id }) =>
      id.startsWith(TAKEN_BACK) ? id.slice(TAKEN_BACK.length) : [],
    ),
  )
  return rows.map((row) => {
    const step = toStep(row)
    const event = takenBack.has(row.entry_id) ? undefined : toEvent(row, step)
    return { id: row.entry_id, step, event }
  })
}

/** Of the entry that takes another back. */
export function takenBackId(id: string): string {
  return `${TAKEN_BACK}${id}`
}

/** Of the entry of a payout that came back. */
export function bouncedId(payoutId: string): string {
  return `${BOUNCED}${payoutId}`
}

function toStep(row: HistoryRow): Step {
  return {
    valueAt: row.value_at,
    ...(row.kind.startsWith('charge_off') && { isChargeOff: true }),
    accruedCents: row.accrued,
    interestCents: row.interest,
    principalCents: row.principal,
    refundCents: row.refund,
    recoveredCents: row.recovered,
  }
}

function toEvent({ entry_id: id, kind }: HistoryRow, step: Step): DebtEvent | undefined {
  const change = toChange(id, kind, step)
  return change && { id, valueAt: step.valueAt, ...change }
}

function toChange(id: string, kind: string, step: Step): DebtChange | undefined {
  const { interestCents, principalCents, refundCents, recoveredCents } = step
  const cents = interestCents + principalCents + refundCents + recoveredCents
  switch (kind) {
    case 'draw':
      return { kind, cents: -cents }
    case 'repayment':
    case 'sale':
    case 'proceeds':
      return { kind: 'receipt', cents }
    case 'recovery':
    case 'draw_return':
      return { kind, cents }
    case 'draw_recovery':
      return { kind: 'recovery', cents }
    case 'refund':
    case 'payout':
      return { kind: 'payout', cents: -cents }
    case 'refund_return':
      return { kind: 'payout_return', payoutId: id.slice(BOUNCED.length), cents }
    case 'waive_interest':
    case 'credit':
      return { kind, cents }
    case 'waiver':
    case 'charge_off':
      return { kind }
    default:
      return undefined
  }
}
