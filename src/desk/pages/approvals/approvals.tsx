import { Link } from '@tanstack/react-router'
import { useFilters, usePages } from '../../../pages/data/lists.ts'
import { live } from '../../../pages/data/query-client.ts'
import { FilterSelect } from '../../../pages/parts/filters.tsx'
import { ListPage } from '../../../pages/parts/list-page.tsx'
import type { Column } from '../../../pages/parts/table.tsx'
import { Ago, ResourceId, Status } from '../../../pages/parts/values.tsx'
import { list, type Schemas } from '../../data/operator-api.ts'
import { APPROVAL_STATES, actInWords } from '../../parts/words.ts'
import { ApprovalDrawer } from './approval-drawer.tsx'
import { TONES } from './tones.ts'

type Approval = Schemas['Approval']

export function ApprovalsPage() {
  const { filters, bind, setFilter } = useFilters(['status', 'id'])
  const pages = usePages<Approval>({
    key: live('approvals', filters.status),
    read: (from, signal) =>
      list('listApprovals', { from, limit: 100, status: filters.status }, signal),
  })
  const columns: readonly Column<Approval>[] = [
    {
      head: 'What',
      cell: ({ id, action }) => (
        <Link to="/approvals" search={{ ...filters, id }}>
          {actInWords(action)}
        </Link>
      ),
    },
    {
      head: 'Of',
      keep: 'low',
      cell: ({ subject, tenant_id }) => <ResourceId value={subject.id} tenantId={tenant_id} />,
    },
    { head: 'Proposed by', keep: 'low', cell: ({ proposed_by }) => proposed_by },
    { head: 'Why', keep: 'lowest', breaks: true, cell: ({ reason }) => reason },
    {
      head: 'State',
      short: true,
      cell: ({ status }) => <Status tone={TONES[status]}>{APPROVAL_STATES[status]}</Status>,
    },
    { head: 'Until', keep: 'low', cell: ({ expires_at }) => <Ago at={expires_at} /> },
  ]
  return (
    <ListPage
      title="Approvals"
      about="What one operator has proposed and another confirms. Who proposes may withdraw, and never confirms."
      filters={
        <FilterSelect
          label="Show"
          all="Waiting"
          options={[{ value: 'all', label: 'Decided and expired too' }]}
          {...bind('status')}
        />
      }
      order={filters.status === 'all' ? 'Newest first' : 'Soonest to expire first'}
      label="Proposals, one a row"
      pages={pages}
      columns={columns}
      rowKey={({ id }) => id}
      empty={[
        'Nothing waits',
        'An act that needs a second operator appears here when the first has proposed it.',
      ]}
    >
      <ApprovalDrawer id={filters.id} onClose={() => setFilter('id', '')} />
    </ListPage>
  )
}
