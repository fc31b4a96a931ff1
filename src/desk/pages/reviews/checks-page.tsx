import { Link } from '@tanstack/react-router'
import { useFilters, usePages } from '../../../pages/data/lists.ts'
import { live } from '../../../pages/data/query-client.ts'
import { FilterSelect } from '../../../pages/parts/filters.tsx'
import { ListPage } from '../../../pages/parts/list-page.tsx'
import { type Column, timeColumn } from '../../../pages/parts/table.tsx'
import { list, type Schemas } from '../../data/operator-api.ts'
import { TenantFilter, tenantColumn } from '../../parts/tenants.tsx'
import { CHECK_KINDS, nameCheck } from './check-names.ts'
import { ReviewsTabs } from './reviews-tabs.tsx'
import { formatWaited } from './waited.tsx'

type Review = Schemas['Review']

const COLUMNS: readonly Column<Review>[] = [
  {
    head: 'Check',
    cell: ({ tenant_id, borrower_id, kind }) => (
      <Link
        to="/reviews/$tenantId/$borrowerId"
        params={{ tenantId: tenant_id, borrowerId: borrower_id }}
      >
        {nameCheck(kind)}
      </Link>
    ),
  },
  tenantColumn(),
  { head: 'Borrower', keep: 'low', cell: ({ borrower_type }) => borrower_type },
  { head: 'Lives in', keep: 'low', short: true, cell: ({ residency }) => residency },
  {
    head: 'Waiting',
    short: true,
    align: 'right',
    cell: ({ waited_seconds }) => formatWaited(waited_seconds),
  },
  timeColumn('Since', ({ waiting_since }) => waiting_since, 'low'),
]

export function ChecksPage() {
  const { filters, bind, isFiltered } = useFilters(['tenant_id', 'kind'])
  const pages = usePages<Review>({
    key: live('reviews', filters),
    read: (from, signal) => list('listReviews', { ...filters, from, limit: 100 }, signal),
  })
  return (
    <ListPage
      title="Reviews"
      about="Checks of all tenants that wait for a person's decision. Who signed is shown on a borrower's page, when a reviewer asks for it."
      tabs={<ReviewsTabs />}
      filters={
        <>
          <TenantFilter {...bind('tenant_id')} />
          <FilterSelect label="Check" options={CHECK_KINDS} {...bind('kind')} />
        </>
      }
      order="Longest waiting first"
      label="Checks, one a row"
      pages={pages}
      columns={COLUMNS}
      rowKey={({ check_id }) => check_id}
      empty={
        isFiltered
          ? ['No check matches.', 'Choose other filters, or none.']
          : [
              'No check waits.',
              'A check comes here when a provider leaves it to a person, or when a tenant has not attested its own.',
            ]
      }
    />
  )
}
