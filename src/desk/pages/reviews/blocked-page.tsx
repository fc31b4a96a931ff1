import { useFilters, usePages } from '../../../pages/data/lists.ts'
import { live } from '../../../pages/data/query-client.ts'
import { ListPage } from '../../../pages/parts/list-page.tsx'
import { type Column, timeColumn } from '../../../pages/parts/table.tsx'
import { list, type Schemas } from '../../data/operator-api.ts'
import { borrowerColumn, TenantFilter, tenantColumn } from '../../parts/tenants.tsx'
import { ReviewsTabs } from './reviews-tabs.tsx'

type BlockedBorrower = Schemas['BlockedBorrower']

const COLUMNS: readonly Column<BlockedBorrower>[] = [
  borrowerColumn(),
  tenantColumn('low'),
  { head: 'Reason', cell: ({ reason }) => reason },
  {
    head: 'Blocked by',
    keep: 'low',
    cell: ({ blocked_by }) => blocked_by ?? <span className="quiet">not on record</span>,
  },
  timeColumn('Since', ({ blocked_since }) => blocked_since),
]

export function BlockedPage() {
  const { filters, bind } = useFilters(['tenant_id'])
  const pages = usePages<BlockedBorrower>({
    key: live('blocked', filters),
    read: (from, signal) => list('listBlockedBorrowers', { ...filters, from, limit: 100 }, signal),
  })
  return (
    <ListPage
      title="Blocked borrowers"
      about="They get no facility and no draw. A block is set and lifted on the borrower's page."
      tabs={<ReviewsTabs />}
      filters={<TenantFilter {...bind('tenant_id')} />}
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
