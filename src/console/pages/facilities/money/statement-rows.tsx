import { type Column, timeColumn } from '../../../../pages/parts/table.tsx'
import { groupDigits, Id, Money } from '../../../../pages/parts/values.tsx'
import type { Statement } from '../../../data/lending-types.ts'

type Line = Statement['lines'][number]

const TYPES: Record<Line['type'], string> = {
  interest: 'Interest',
  draw: 'Draw',
  repayment: 'Repayment',
  sale: 'Sale of collateral',
  waiver: 'Waived',
  charge_off: 'Charged off',
  recovery: 'Recovered',
  misdelivery: 'Came in another asset',
  repayment_return: 'Taken back',
  draw_return: 'Draw that came back',
  correction: 'Correction',
  refund: 'Refund',
  refund_return: 'Refund that came back',
  suspense: 'Received beyond the claim',
  suspense_return: 'To be returned',
}

export type StatementRow = {
  key: string
  title: string
  at: string
  balance: string
  line?: Line
  /** The statement that it is of. */
  of: { from: string; to: string; opening: string; closing: string }
}

/** The rows of a page, with rows for the balances that it begins or ends with. */
export function statementRows(page: Statement, cursor: string | undefined): StatementRow[] {
  const { opening, lines, closing, from, to, has_more: hasMore } = page
  const balances = { from, to, opening: opening.total, closing: closing.total }
  const begins = { key: 'opening', title: 'Opening balance', at: from, balance: opening.total }
  const ends = { key: 'closing', title: 'Closing balance', at: to, balance: closing.total }
  const rows = [
    ...(cursor === undefined ? [begins] : []),
    ...lines.map((line, at) => ({
      key: `${cursor ?? ''} ${at}`,
      title: TYPES[line.type],
      at: line.value_date,
      balance: line.balance.total,
      line,
    })),
    ...(hasMore ? [] : [ends]),
  ]
  return rows.map((row) => ({ ...row, of: balances }))
}

export const STATEMENT_COLUMNS: readonly Column<StatementRow>[] = [
  timeColumn('Value date', ({ at }) => at),
  {
    head: 'Movement',
    cell: ({ title, line }) => (line ? title : <strong>{title}</strong>),
  },
  { head: 'Of', keep: 'lowest', cell: ({ line }) => <Reference line={line} /> },
  {
    head: 'Principal',
    align: 'right',
    keep: 'low',
    cell: ({ line }) => line && <Change amount={line.principal} />,
  },
  {
    head: 'Interest',
    align: 'right',
    keep: 'low',
    cell: ({ line }) => line && <Change amount={line.interest} />,
  },
  {
    head: 'Moved',
    align: 'right',
    keep: 'lowest',
    cell: ({ line }) => {
      const moved = line?.received ?? line?.paid
      return moved && <Money {...moved} />
    },
  },
  { head: 'Balance', align: 'right', cell: ({ balance }) => <Money amount={balance} /> },
]

function Change({ amount }: { amount: string }) {
  return Number(amount) === 0 ? null : <span className="figures">{groupDigits(amount)}</span>
}

function Reference({ line }: { line: Line | undefined }) {
  const id = line?.draw_id ?? line?.repayment_id
  if (id !== undefined) return <Id value={id} />
  return line?.margin_call_number === undefined ? null : `margin call ${line.margin_call_number}`
}
