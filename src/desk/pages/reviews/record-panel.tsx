import { usePages } from '../../../pages/data/lists.ts'
import { live } from '../../../pages/data/query-client.ts'
import { PagedPanel } from '../../../pages/parts/panels.tsx'
import { type Column, timeColumn } from '../../../pages/parts/table.tsx'
import { list, type Schemas } from '../../data/operator-api.ts'

type Action = Schemas['OperatorAction']

const COLUMNS: readonly Column<Action>[] = [
  { head: 'Who', cell: ({ actor }) => actor },
  { head: 'Did', cell: ({ action }) => action },
  { head: 'Why', keep: 'low', breaks: true, cell: ({ reason }) => reason ?? '–' },
  timeColumn('At', ({ at }) => at, 'low'),
]

/** What operators did about the borrower. */
export function RecordPanel({ borrowerId }: { borrowerId: string }) {
  const pages = usePages<Action>({
    key: live('actions', borrowerId),
    read: (from, signal) =>
      list('listActions', { subject_id: borrowerId, from, limit: 20 }, signal),
  })
  return (
    <PagedPanel
      title="Record"
      label="Acts about the borrower, one a row"
      pages={pages}
      columns={COLUMNS}
      rowKey={({ number }) => String(number)}
      empty={[
        'No operator did anything yet.',
        'Showing who signed, decisions and blocks appear here.',
      ]}
    />
  )
}
