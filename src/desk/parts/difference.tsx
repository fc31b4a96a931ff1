import { type Column, DataTable } from '../../pages/parts/table.tsx'
import { Money, Time } from '../../pages/parts/values.tsx'
import { type Change, listChanges, type State, type Value } from '../data/difference.ts'

const BEFORE: Column<Change> = {
  head: 'Before',
  breaks: true,
  cell: ({ from }) => <Shown value={from} />,
}
const COLUMNS: readonly Column<Change>[] = [
  { head: 'Term', cell: ({ term }) => term },
  {
    head: 'After',
    breaks: true,
    cell: ({ to }) => (
      <strong>
        <Shown value={to} />
      </strong>
    ),
  },
]

/** Shows each change in words, with the old and the new value, and counts the terms that stay as they are. */
export function Difference({ before, after }: { before: State; after: State }) {
  const all = listChanges(before, after)
  const changes = all.filter(({ isSame }) => !isSame)
  const same = all.length - changes.length
  const [term, then] = COLUMNS
  return (
    <div>
      {changes.length > 0 && (
        <DataTable
          label="What changes"
          columns={before === null || !term || !then ? COLUMNS : [term, BEFORE, then]}
          rows={changes}
          rowKey={(change) => change.term}
        />
      )}
      {changes.length === 0 && <p className="quiet">Nothing changes.</p>}
      {same > 0 && changes.length > 0 && (
        <p className="quiet">
          {same === 1 ? 'One other stays as it is.' : `${same} others stay as they are.`}
        </p>
      )}
    </div>
  )
}

function Shown({ value }: { value: Value | null }) {
  if (value === null) return '–'
  if (value.as === 'usd') return <Money amount={value.text} />
  return value.as === 'instant' ? <Time at={value.text} /> : value.text
}
