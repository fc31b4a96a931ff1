import { type Column, DataTable, moneyColumn } from '../../../pages/parts/table.tsx'
import { Money, Time } from '../../../pages/parts/values.tsx'
import type { Answer } from '../../data/operator-api.ts'
import { Difference } from '../../parts/difference.tsx'

export type Preview = Answer<'previewCorrection'>

/** The line has the form of the statement. The service returns lines of every type. */
type Line = { type: string; value_date: string; principal: string; interest: string }
type ChangedLine = Line & { is: 'goes' | 'comes' }

const LINES: readonly Column<ChangedLine>[] = [
  {
    head: 'Line of the statement',
    cell: ({ is, type, value_date }) => (
      <>
        {is === 'goes' ? 'Now' : 'Then'}: {type.replaceAll('_', ' ')}
        <br />
        <Time at={value_date} />
      </>
    ),
  },
  { head: 'Principal', align: 'right', cell: ({ principal }) => <Money amount={principal} /> },
  { head: 'Interest', align: 'right', cell: ({ interest }) => <Money amount={interest} /> },
]

type Entry = Preview['entries']['added'][number]
type EntryLine = Entry['lines'][number] & { id: string; kind: string }

const ENTRIES: readonly Column<EntryLine>[] = [
  { head: 'Entry', cell: ({ kind }) => kind.replaceAll('_', ' ') },
  { head: 'Account', cell: ({ account }) => account.replaceAll('_', ' ') },
  moneyColumn('Amount', ({ amount, asset }) => ({ amount, asset })),
]

/** Shows what a correction changes: the debt, the statement's lines, and the journal, which only grows. */
export function CorrectionEffect({ preview }: { preview: Preview }) {
  const { debt, statement_lines: lines, entries } = preview
  const marked = (is: ChangedLine['is']) => (line: Record<string, unknown>) => ({
    ...(line as unknown as Line),
    is,
  })
  const changed = [...lines.before.map(marked('goes')), ...lines.after.map(marked('comes'))]
  const added = entries.added.flatMap(({ id, kind, lines: of }) =>
    of.map((line) => ({ ...line, id, kind })),
  )
  return (
    <>
      <Difference before={debt.before} after={debt.after} />
      {changed.length > 0 && (
        <DataTable
          label="Lines of the statement that change"
          columns={LINES}
          rows={changed}
          rowKey={(line) => JSON.stringify(line)}
        />
      )}
      {lines.more > 0 && <p className="quiet">{lines.more} more lines change.</p>}
      {added.length > 0 && (
        <DataTable
          label="Entries of the journal that are added"
          columns={ENTRIES}
          rows={added}
          rowKey={(line) => JSON.stringify(line)}
        />
      )}
      <p className="quiet">
        Entries of the journal: {entries.before} now, {entries.after} then. A debit is positive.
      </p>
    </>
  )
}
