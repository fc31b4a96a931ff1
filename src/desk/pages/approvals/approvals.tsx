import { useQuery } from '@tanstack/react-query'
import { live } from '../../../console/data/live-keys.ts'
import { type Column, DataTable } from '../../../console/parts/lists/data-table.tsx'
import { Empty } from '../../../console/parts/lists/empty.tsx'
import { Loading } from '../../../console/parts/loading.tsx'
import { ProblemAlert } from '../../../console/parts/notice.tsx'
import { Page, Panel } from '../../../console/parts/page.tsx'
import { ResourceId } from '../../../console/parts/resource-id.tsx'
import { Time } from '../../../console/parts/time.tsx'
import { call, type Schemas } from '../../data/operator-api.ts'

type Approval = Schemas['Approval']

const COLUMNS: readonly Column<Approval>[] = [
  { head: 'What', cell: ({ action }) => action },
  { head: 'Of', keep: 'low', cell: ({ subject }) => <ResourceId value={subject.id} /> },
  { head: 'Proposed by', cell: ({ proposed_by }) => proposed_by },
  { head: 'Until (UTC)', keep: 'low', cell: ({ expires_at }) => <Time at={expires_at} brief /> },
]

export function ApprovalsPage() {
  const approvals = useQuery({
    queryKey: live('approvals'),
    queryFn: ({ signal }) => call('listApprovals', { signal }),
  })
  return (
    <Page title="Approvals" about="What one operator has proposed and another confirms.">
      <Panel title="Waiting" flush>
        <ProblemAlert error={approvals.error} />
        {approvals.isPending && <Loading />}
        {approvals.data?.items.length === 0 && (
          <Empty title="Nothing waits">
            An act that needs a second operator appears here when the first has proposed it.
          </Empty>
        )}
        {approvals.data && approvals.data.items.length > 0 && (
          <DataTable
            label="Proposals, one a row"
            columns={COLUMNS}
            rows={approvals.data.items}
            rowKey={({ id }) => id}
          />
        )}
      </Panel>
    </Page>
  )
}
