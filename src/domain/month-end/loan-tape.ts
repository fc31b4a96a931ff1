import { formatFixed, formatUsd } from '../../core/money.ts'
import type { Db } from '../../db/database.ts'
import { decodeRates } from '../facilities/corrections/rates.ts'
import { selectPostedSince, selectTape } from './month-end-queries.ts'

export const TAPE_COLUMNS = [
  ...['tenant_id', 'id', 'external_id', 'borrower_id', 'state', 'opened_at', 'term', 'rate'],
  ...['requested_amount', 'fee', 'currency', 'principal', 'interest', 'refunds_owed', 'recovered'],
  ...['closed_at', 'close_reason'],
] as const

/** A loan has no term and no fee, which is a value too. */
const NONE = 'none'

export type TapeRow = {
  facilityId: string
  principalCents: bigint
  interestCents: bigint
  refundsCents: bigint
  recoveredCents: bigint
  cells: string[]
}

const PAGE = 2_000

type FacilityRow = Awaited<ReturnType<typeof selectTape>>[number]

/** Every loan as of an instant: what the facility shows now, less what was posted since. So a facility that
 * disagrees with the journal makes the tape disagree with the trial balance. */
export async function* readTape(db: Db, tenantId: string, end: Date): AsyncGenerator<TapeRow[]> {
  let after = ''
  for (;;) {
    const rows = await selectTape(db, tenantId, { end, after, limit: PAGE })
    const ids = rows.map((row) => row.facility_id)
    const since = await selectPostedSince(db, tenantId, ids, end)
    const posted = new Map(since.map((row) => [`${row.facility_id} ${row.account}`, row.amount]))
    const postedOf = (id: string, account: string) => posted.get(`${id} ${account}`) ?? 0n
    yield rows.map((row) => toRow(row, { end, postedOf }))
    after = ids.at(-1) ?? ''
    if (rows.length < PAGE) return
  }
}

function toRow(
  row: FacilityRow,
  { end, postedOf }: { end: Date; postedOf: (id: string, account: string) => bigint },
): TapeRow {
  const id = row.facility_id
  const principalCents = row.principal_cents - postedOf(id, 'loans_receivable')
  const owedNow = row.interest_booked_cents - row.interest_paid_cents
  const interestCents = owedNow - postedOf(id, 'interest_receivable')
  const refundsCents = row.refund_due_cents + postedOf(id, 'refunds_payable')
  const recoveredCents = row.recovered_cents + postedOf(id, 'recoveries')
  const isClosed = row.closed_at !== null && row.closed_at < end
  const cells = [
    ...[row.tenant_id, id, row.external_id ?? '', row.borrower_id],
    isClosed ? 'CLOSED' : row.state === 'CLOSED' ? 'APPROVED' : row.state,
    row.created_at.toISOString(),
    NONE,
    formatFixed(rateAt(row, end), 6),
    ...[formatUsd(row.limit_cents), NONE, 'USD'],
    ...[principalCents, interestCents, refundsCents, recoveredCents].map(formatUsd),
    isClosed ? (row.closed_at?.toISOString() ?? '') : '',
    isClosed ? (row.close_reason ?? '') : '',
  ]
  return {
    ...{ facilityId: id, principalCents, interestCents, refundsCents, recoveredCents, cells },
  }
}

/** The rate that was in force. */
function rateAt({ rate_ppm, earlier_rates }: FacilityRow, at: Date): bigint {
  const earlier = decodeRates(earlier_rates).find(({ until }) => at <= until)
  return earlier?.ratePpm ?? BigInt(rate_ppm)
}
