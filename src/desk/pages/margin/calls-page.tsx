import { useFilters } from '../../../console/data/filters.ts'
import { CallStatus } from '../../../console/parts/lending/lending-status.tsx'
import { type Column, PagedTable } from '../../../console/parts/lists/data-table.tsx'
import { Empty } from '../../../console/parts/lists/empty.tsx'
import { FilterBar, FilterSelect, FilterText } from '../../../console/parts/lists/filters.tsx'
import { groupDigits, Money } from '../../../console/parts/money.tsx'
import { Page, Panel } from '../../../console/parts/page.tsx'
import { Time } from '../../../console/parts/time.tsx'
import { type DeskCall, useCalls } from '../../data/margin.ts'
import { CallLink, TenantId } from './margin-links.tsx'
import { MarginTabs } from './margin-tabs.tsx'

const NAMES = ['tenant_id', 'status'] as const

const pathOf = ({ tenant_id: tenantId, facility_id: facilityId }: DeskCall) => ({
  tenantId,
  facilityId,
})

const COLUMNS: readonly Column<DeskCall>[] = [
  { head: 'Call', cell: (call) => <CallLink {...pathOf(call)} number={call.number} isListed /> },
  { head: 'Status', short: true, cell: ({ status }) => <CallStatus of={status} /> },
  {
    head: 'Sold',
    align: 'right',
    cell: ({ sold }) =>
      sold.map(({ asset, quantity }) => `${groupDigits(quantity)} ${asset}`).join(', ') || '–',
  },
  {
    head: 'Orders',
    align: 'right',
    short: true,
    keep: 'low',
    cell: ({ orders }) => `${orders.filter(({ fill }) => fill).length} of ${orders.length} filled`,
  },
  {
    head: 'Debt left',
    align: 'right',
    keep: 'low',
    cell: ({ deficit_usd: deficit }) => <Money amount={deficit} />,
  },
  {
    head: 'Began (UTC)',
    short: true,
    keep: 'low',
    cell: ({ created_at: at }) => <Time at={at} brief />,
  },
  {
    head: 'Ended (UTC)',
    short: true,
    keep: 'lowest',
    cell: ({ completed_at: at }) => <Time at={at} brief />,
  },
  {
    head: 'Tenant',
    short: true,
    keep: 'low',
    cell: ({ tenant_id: tenantId }) => <TenantId value={tenantId} />,
  },
]

export function CallsPage() {
  const { filters, setFilter } = useFilters(NAMES)
  const isEnded = filters.status === 'ended'
  const pages = useCalls(filters)
  return (
    <Page
      title="Margin calls"
      about="Sales of collateral after a warning, of all tenants, newest first."
    >
      <MarginTabs />
      <FilterBar>
        <FilterSelect
          label="Show"
          value={filters.status}
          onChange={(status) => setFilter('status', status)}
          options={[{ value: 'ended', label: 'Ended' }]}
          all="Running"
        />
        <FilterText
          label="Tenant"
          value={filters.tenant_id}
          placeholder="ten_…"
          onChange={(id) => setFilter('tenant_id', id)}
        />
      </FilterBar>
      <Panel title={isEnded ? 'Ended' : 'Running'} flush>
        <PagedTable
          label="Margin calls, one a row"
          pages={pages}
          columns={COLUMNS}
          rowKey={({ facility_id: id, number }) => `${id}/${number}`}
          empty={
            <Empty title={isEnded ? 'No margin call has ended' : 'No margin call is running'}>
              A call begins when a warning escalates. Choose {isEnded ? 'Running' : 'Ended'} to see
              the others.
            </Empty>
          }
        />
      </Panel>
    </Page>
  )
}
