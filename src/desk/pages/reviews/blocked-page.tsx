import { useFilters, usePages } from '../../../pages/data/lists.ts'
import { live } from '../../../pages/data/query-client.ts'
import type { Column } from '../../../pages/parts/table.tsx'
import { Time } from '../../../pages/parts/values.tsx'
import { list, type Schemas } from '../../data/operator-api.ts'
import { DeskList } from '../../parts/desk-list.tsx'
import { BorrowerLink, TenantFilter, TenantLink } from '../../parts/tenants.tsx'
import { ReviewsTabs } from './reviews-tabs.tsx'

type BlockedBorrower = Schemas['BlockedBorrower']

const COLUMNS: readonly Column<BlockedBorrower>[] = [
  {
    head: 'Borrower',
    cell: ({ tenant_id, borrower_id }) => (
      <BorrowerLink tenantId={tenant_id} borrowerId={borrower_id} />
    ),
  },
  { head: 'Tenant', keep: 'low', cell: ({ tenant_id: id }) => <TenantLink id={id} /> },
  { head: 'Reason', cell: ({ reason }) => reason },
  {
    head: 'Blocked by',
    keep: 'low',
    cell: ({ blocked_by }) => blocked_by ?? <span className="quiet">not on record</span>,
  },
  {
    head: 'Since (UTC)',
    short: true,
    cell: ({ blocked_since }) => <Time at={blocked_since} brief />,
  },
]

export function BlockedPage() {
  const { filters, setFilter } = useFilters(['tenant_id'])
  const pages = usePages<BlockedBorrower>({
    key: live('blocked', filters),
    read: (from, signal) => list('listBlockedBorrowers', { ...filters, from, limit: 100 }, signal),
  })
  return (
    <DeskList
      title="Blocked borrowers"
      about="They get no facility and no draw. A block is set and lifted on the borrower's page."
      tabs={<ReviewsTabs />}
      filters={
        <TenantFilter
          value={filters.tenant_id}
          onChange={(value) => setFilter('tenant_id', value)}
        />
      }
      order="Blocked for longest first"
      label="Blocked borrowers, one a row"
      pages={pages}
      columns={COLUMNS}
      rowKey={({ borrower_id }) => borrower_id}
      empty={[
        'No borrower is blocked.',
        'Open a borrower from the queue to block them, with a reason.',
      ]}
    />
  )
}
