import { formatDecimal, formatQuantity, formatUsd } from '../../core/money.ts'
import { addMs, DAY_MS, laterOf } from '../../core/time.ts'
import type { Tx } from '../../db/database.ts'
import { deficitOf } from '../facilities/closing/recover.ts'
import {
  type EntryLine,
  selectEntriesBeside,
  selectEntryIds,
} from '../facilities/corrections/correction-queries.ts'
import type { Correction } from '../facilities/corrections/corrections.ts'
import { type Facility, getFacility } from '../facilities/facilities.ts'
import { outstandingAt } from '../facilities/ledger/debt.ts'
import { readStatement } from '../facilities/statements/statement.ts'
import { toStatementBody } from '../facilities/statements/statement-document.ts'
import {
  type Corrected,
  type CorrectingContext,
  correctFacility,
  type Proof,
} from './correct-facility.ts'

/** More lines or entries are left out, and counted. */
const MOST_SHOWN = 100

/** Of the statement that is compared: what a change of an earlier day does is in its opening. */
const LONGEST_DAYS = 365
const LONGEST_UNDO_DAYS = 31

export type CorrectionPreview = ReturnType<typeof compare>

/** Books a correction and returns what it has changed: of the debt, of the statement's lines, and of the
 * journal, which only grows. Refuses as `correctFacility` does. */
export async function correctAndCompare(
  context: CorrectingContext,
  facilityId: string,
  correction: Correction,
  proof: Proof,
): Promise<{ corrected: Corrected; preview: CorrectionPreview }> {
  const { tx, tenantId, now } = context
  const facility = await getFacility(tx, tenantId, facilityId)
  const known = await selectEntryIds(tx, tenantId, facilityId)
  const since = changesSince(correction, now)
  const before = await look({ tx, now, since }, facility)
  const corrected = await correctFacility(context, facilityId, correction, proof)
  const after = await look({ tx, now, since }, await getFacility(tx, tenantId, facilityId))
  const entries = await selectEntriesBeside(tx, tenantId, facilityId, known)
  return { corrected, preview: compare(before, after, { known: known.length, entries }) }
}

/** Nothing earlier changes. */
function changesSince(correction: Correction, now: Date): Date {
  const earliest = addMs(now, -LONGEST_DAYS * DAY_MS)
  if (correction.kind === 'rate') return laterOf(addMs(correction.from, -1), earliest)
  return addMs(now, -LONGEST_UNDO_DAYS * DAY_MS)
}

async function look({ tx, now, since }: { tx: Tx; now: Date; since: Date }, facility: Facility) {
  const from = laterOf(since, addMs(facility.createdAt, -DAY_MS))
  const terms = { from, interest: 'period' } as const
  const statement = await readStatement({ db: tx, now }, facility, terms)
  return { facility, debt: showDebt(facility, now), lines: toStatementBody(statement).lines }
}

type Look = Awaited<ReturnType<typeof look>>

function compare(
  before: Look,
  after: Look,
  { known, entries }: { known: number; entries: readonly EntryLine[] },
) {
  const textOf = (line: Look['lines'][number]) => JSON.stringify(line)
  const [earlier, later] = [before, after].map(({ lines }) => new Set(lines.map(textOf)))
  const gone = before.lines.filter((line) => !later?.has(textOf(line)))
  const come = after.lines.filter((line) => !earlier?.has(textOf(line)))
  const booked = [...Map.groupBy(entries, ({ entry_id: id }) => id)].map(([id, lines]) => ({
    id,
    kind: lines[0]?.kind ?? '',
    value_date: lines[0]?.value_at.toISOString() ?? '',
    lines: lines.map(({ account, asset, amount }) => ({
      ...{ account, asset, amount: formatQuantity({ asset, units: amount }) },
    })),
  }))
  return {
    debt: { before: before.debt, after: after.debt },
    statement_lines: {
      before: gone.slice(0, MOST_SHOWN),
      after: come.slice(0, MOST_SHOWN),
      more: Math.max(0, gone.length - MOST_SHOWN) + Math.max(0, come.length - MOST_SHOWN),
    },
    entries: {
      before: known,
      after: known + booked.length,
      added: booked.slice(0, MOST_SHOWN),
    },
  }
}

function showDebt(facility: Facility, now: Date) {
  const { principalCents, interestCents, totalCents } = outstandingAt(facility.debt, now)
  const { state, debt, refundDueCents, chargedOff } = facility
  const deficit = deficitOf(facility)
  return {
    state,
    principal_usd: formatUsd(principalCents),
    interest_usd: formatUsd(interestCents),
    total_usd: formatUsd(totalCents),
    rate: formatDecimal(debt.ratePpm, 6),
    refund_due_usd: formatUsd(refundDueCents),
    deficit_usd: chargedOff ? formatUsd(deficit.principalCents + deficit.interestCents) : null,
  }
}
