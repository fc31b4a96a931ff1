import { Link } from '@tanstack/react-router'
import { useFilters, usePages } from '../../../pages/data/lists.ts'
import { live } from '../../../pages/data/query-client.ts'
import { ListPage } from '../../../pages/parts/list-page.tsx'
import { type Column, timeColumn } from '../../../pages/parts/table.tsx'
import { Money, Name } from '../../../pages/parts/values.tsx'
import { list, type Schemas } from '../../data/operator-api.ts'
import { TenantFilter, tenantColumn } from '../../parts/tenants.tsx'
import { ReviewsTabs } from './reviews-tabs.tsx'
import { formatWaited } from './waited.tsx'

type Application = Schemas['WaitingApplication']

const WAITS: Readonly<Record<Application['waits_for'], string>> = {
  portfolio_missing: "the tenant's first portfolio",
  portfolio_stale: 'a newer portfolio from the tenant',
  reading_missing: "the custodian's first reading",
  reading_stale: 'a newer reading by the custodian',
  attempt_failed: 'another try: the last one failed',
  control: 'the custodian to confirm control',
  price: 'a price of an asset',
  next_attempt: 'its turn, within seconds',
}

const COLUMNS: readonly Column<Application>[] = [
  {
    head: 'Facility',
    cell: ({ tenant_id, borrower_id, facility_id }) => (
      <Link
        to="/reviews/$tenantId/$borrowerId"
        params={{ tenantId: tenant_id, borrowerId: borrower_id }}
        className="mono"
      >
        <Name value={facility_id} tenantId={tenant_id} isShort />
      </Link>
    ),
  },
  tenantColumn('low'),
  { head: 'Limit', align: 'right', short: true, cell: ({ limit }) => <Money {...limit} /> },
  {
    head: 'Waits for',
    cell: ({ waits_for, error }) => (
      <>
        {WAITS[waits_for]}
        {error !== null && <div className="quiet mono">{error}</div>}
      </>
    ),
  },
  {
    head: 'Waiting',
    short: true,
    align: 'right',
    cell: ({ waited_seconds }) => formatWaited(waited_seconds),
  },
  timeColumn('Decided by', ({ decided_by }) => decided_by, 'low'),
]

export function ApplicationsPage() {
  const { filters, bind, isFiltered } = useFilters(['tenant_id'])
  const pages = usePages<Application>({
    key: live('applications', filters),
    read: (from, signal) => list('listApplications', { ...filters, from, limit: 100 }, signal),
  })
  return (
    <ListPage
      title="Applications"
      about="Facilities that are applied for and not decided. Decisions are made without a person; here is what each waits for."
      tabs={<ReviewsTabs />}
      filters={<TenantFilter {...bind('tenant_id')} />}
      order="Longest waiting first"
      label="Applications, one a row"
      pages={pages}
      columns={COLUMNS}
      rowKey={({ facility_id }) => facility_id}
      empty={[
        isFiltered ? 'No application of this tenant waits.' : 'No application waits.',
        'Most are decided within seconds. What waits longer comes here with its reason.',
      ]}
    />
  )
}
