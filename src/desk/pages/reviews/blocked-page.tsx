import { Link } from '@tanstack/react-router'
import { useFilters } from '../../../console/data/filters.ts'
import { live } from '../../../console/data/live-keys.ts'
import { usePages } from '../../../console/data/pages.ts'
import { type Column, PagedTable } from '../../../console/parts/lists/data-table.tsx'
import { Empty } from '../../../console/parts/lists/empty.tsx'
import { FilterBar, FilterText } from '../../../console/parts/lists/filters.tsx'
import { Name } from '../../../console/parts/name.tsx'
import { Page, Panel } from '../../../console/parts/page.tsx'
import { Time } from '../../../console/parts/time.tsx'
import { list, type Schemas } from '../../data/operator-api.ts'
import { ReviewsTabs } from './reviews-tabs.tsx'

type BlockedBorrower = Schemas['BlockedBorrower']

const COLUMNS: readonly Column<BlockedBorrower>[] = [
  {
    head: 'Borrower',
    cell: ({ tenant_id, borrower_id }) => (
      <Link
        to="/reviews/$tenantId/$borrowerId"
        params={{ tenantId: tenant_id, borrowerId: borrower_id }}
        className="mono"
      >
        <Name value={borrower_id} tenantId={tenant_id} isShort />
      </Link>
    ),
  },
  { head: 'Tenant', keep: 'low', cell: ({ tenant_name }) => tenant_name },
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
    <Page
      title="Blocked borrowers"
      about="They get no facility and no draw. A block is set and lifted on the borrower's page."
    >
      <ReviewsTabs />
      <FilterBar>
        <FilterText
          label="Tenant"
          value={filters.tenant_id}
          placeholder="ten_…"
          onChange={(value) => setFilter('tenant_id', value)}
        />
      </FilterBar>
      <Panel title="Blocked for longest first" flush>
        <PagedTable
          label="Blocked borrowers, one a row"
          pages={pages}
          columns={COLUMNS}
          rowKey={({ borrower_id }) => borrower_id}
          empty={
            <Empty title="No borrower is blocked.">
              Open a borrower from the queue to block them, with a reason.
            </Empty>
          }
        />
      </Panel>
    </Page>
  )
}
