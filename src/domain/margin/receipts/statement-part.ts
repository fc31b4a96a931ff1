import type { Outstanding } from '../../facilities/ledger/debt.ts'
import type { StatementLine } from '../../facilities/statements/fold-statement.ts'
import type { Statement } from '../../facilities/statements/statement.ts'
import type { PlainJson } from './canonical-json.ts'
import { text, time } from './receipt-parts.ts'

/** Opening and lines make the closing, to the cent. */
export function statementPart({ from, to, opening, lines, closing }: Statement): PlainJson {
  return {
    from: time(from),
    to: time(to),
    opening: balancePart(opening),
    lines: lines.map(linePart),
    closing: balancePart(closing),
  }
}

function linePart(line: StatementLine): PlainJson {
  const shared = {
    type: line.type,
    value_at: time(line.valueAt),
    balance: balancePart(line.balance),
  }
  if (line.type === 'interest') {
    return { ...shared, principal_cents: '0', interest_cents: text(line.interestCents) }
  }
  return {
    ...shared,
    source_id: line.sourceId,
    booked_at: line.bookedAt && time(line.bookedAt),
    principal_cents: text(line.principalCents),
    interest_cents: text(line.interestCents),
  }
}

function balancePart({ principalCents, interestCents }: Outstanding) {
  return { principal_cents: text(principalCents), interest_cents: text(interestCents) }
}
