import { useFilters } from '../../../pages/data/lists.ts'
import { CallStatus } from '../../../pages/lending/values.tsx'
import { FilterSelect } from '../../../pages/parts/filters.tsx'
import { ListPage } from '../../../pages/parts/list-page.tsx'
import { type Column, moneyColumn, timeColumn } from '../../../pages/parts/table.tsx'
import { groupDigits } from '../../../pages/parts/values.tsx'
import { type DeskCall, useCalls } from '../../data/margin.ts'
import { TenantFilter, tenantColumn } from '../../parts/tenants.tsx'
import { CallLink } from './margin-links.tsx'
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
  moneyColumn('Owed now', ({ debt_usd: debt }) => debt),
  moneyColumn('Deficit', ({ deficit_usd: deficit }) => deficit, 'low'),
  timeColumn('Began', ({ created_at: at }) => at, 'low'),
  timeColumn('Ended', ({ completed_at: at }) => at, 'lowest'),
  tenantColumn('low'),
]

export function CallsPage() {
  const { filters, bind } = useFilters(NAMES)
  const isEnded = filters.status === 'ended'
  const pages = useCalls(filters)
  return (
    <ListPage
      title="Margin calls"
      about="Sales of collateral after a warning, of all tenants, newest first."
      tabs={<MarginTabs />}
      filters={
        <>
          <FilterSelect
            label="Show"
            options={[{ value: 'ended', label: 'Ended' }]}
            all="Running"
            {...bind('status')}
          />
          <TenantFilter {...bind('tenant_id')} />
        </>
      }
      order={isEnded ? 'Ended' : 'Running'}
      label="Margin calls, one a row"
      pages={pages}
      columns={COLUMNS}
      rowKey={({ facility_id: id, number }) => `${id}/${number}`}
      empty={[
        isEnded ? 'No margin call has ended' : 'No margin call is running',
        `A call begins when a warning escalates. Choose ${isEnded ? 'Running' : 'Ended'} to see the others.`,
      ]}
    />
  )
}
