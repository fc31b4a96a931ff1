import { live } from '../../../console/data/live-keys.ts'
import { usePages } from '../../../console/data/pages.ts'
import { type Column, PagedTable } from '../../../console/parts/lists/data-table.tsx'
import { Empty } from '../../../console/parts/lists/empty.tsx'
import { Page, Panel } from '../../../console/parts/page.tsx'
import { ResourceId } from '../../../console/parts/resource-id.tsx'
import { Time } from '../../../console/parts/time.tsx'
import { list, type Schemas } from '../../data/operator-api.ts'

type Action = Schemas['OperatorAction']

const COLUMNS: readonly Column<Action>[] = [
  { head: 'No.', short: true, keep: 'lowest', cell: ({ number }) => number },
  { head: 'Who', cell: ({ actor }) => actor },
  { head: 'Did', cell: ({ action }) => action },
  {
    head: 'With',
    keep: 'low',
    cell: ({ subject }) =>
      subject ? <ResourceId value={subject.id} /> : <span className="quiet">–</span>,
  },
  { head: 'Why', keep: 'lowest', breaks: true, cell: ({ reason }) => reason ?? '–' },
  { head: 'At (UTC)', short: true, keep: 'low', cell: ({ at }) => <Time at={at} brief /> },
]

export function ActionsPage() {
  const pages = usePages<Action>({
    key: live('actions'),
    read: (from, signal) => list('listActions', { from, limit: 100 }, signal),
  })
  return (
    <Page title="Actions" about="Who did what, in the desk and by command, kept for good.">
      <Panel title="Newest first" flush>
        <PagedTable
          label="Actions, one a row"
          pages={pages}
          columns={COLUMNS}
          rowKey={({ number }) => String(number)}
          empty={<Empty title="Nothing yet">Signing in and every change appear here.</Empty>}
        />
      </Panel>
    </Page>
  )
}
