import { Link } from '@tanstack/react-router'
import { useFilters } from '../../../pages/data/lists.ts'
import { FilterBar, FilterSelect, FilterTime } from '../../../pages/parts/filters.tsx'
import { Page } from '../../../pages/parts/page.tsx'
import { PagedPanel } from '../../../pages/parts/panels.tsx'
import { type Column, moneyColumn, timeColumn } from '../../../pages/parts/table.tsx'
import { Ratio, Status } from '../../../pages/parts/values.tsx'
import { type OpenWarning, useOpenWarnings } from '../../data/margin.ts'
import { TenantFilter, tenantColumn } from '../../parts/tenants.tsx'
import { Countdown } from './countdown.tsx'
import { WarningLink } from './margin-links.tsx'
import { MarginTabs } from './margin-tabs.tsx'

const NAMES = ['tenant_id', 'tier', 'due_before', 'unnoticed'] as const

const TIERS = [
  { value: '1', label: 'Tier 1' },
  { value: '2', label: 'Tier 2' },
  { value: '3', label: 'Tier 3' },
]

/** Nothing proves, 15 minutes after a raise, that the borrower was told. */
const UNNOTICED = [{ value: 'true', label: 'Without notice' }]

const pathOf = ({ tenant_id: tenantId, facility_id: facilityId }: OpenWarning) => ({
  tenantId,
  facilityId,
})

const COLUMNS: readonly Column<OpenWarning>[] = [
  {
    head: 'Warning',
    cell: (warning) => <WarningLink {...pathOf(warning)} number={warning.number} isListed />,
  },
  { head: 'Tier', align: 'right', short: true, cell: ({ tier }) => tier },
  { head: 'Time to cure', short: true, cell: (warning) => <Countdown warning={warning} /> },
  moneyColumn('Cured by', ({ cure_amount_usd: amount }) => amount),
  { head: 'Under way', short: true, keep: 'low', cell: (warning) => <UnderWay of={warning} /> },
  {
    head: 'LTV',
    align: 'right',
    short: true,
    keep: 'low',
    cell: ({ latest_ltv: ltv }) => (ltv === undefined ? '–' : <Ratio ltv={ltv} />),
  },
  moneyColumn('Debt', ({ debt_usd: debt }) => debt, 'low'),
  timeColumn('Custodian read', ({ custodian }) => custodian?.read_at, 'lowest'),
  tenantColumn('low'),
]

/** What the borrower reported or pushed, and no one has confirmed. */
function UnderWay({ of: { reported, claimed } }: { of: OpenWarning }) {
  if (reported.length === 0 && !claimed) return <span className="quiet">–</span>
  const what = [reported.length > 0 && 'repayment', claimed && 'collateral'].filter(Boolean)
  return <Status tone="calm">{what.join(', ')}</Status>
}

export function MarginPage() {
  const { filters, bind, isFiltered } = useFilters(NAMES)
  const pages = useOpenWarnings(filters)
  return (
    <Page
      title="Margin"
      about="Open warnings of all tenants, the earliest deadline first. On the sandbox each tenant has a clock of its own."
    >
      <MarginTabs />
      <FilterBar>
        <FilterSelect label="Tier" options={TIERS} {...bind('tier')} />
        <FilterTime label="Due before" {...bind('due_before')} />
        <FilterSelect label="Notice" options={UNNOTICED} {...bind('unnoticed')} />
        <TenantFilter {...bind('tenant_id')} />
      </FilterBar>
      <PagedPanel
        title="Open warnings"
        label="Open warnings, one a row"
        pages={pages}
        columns={COLUMNS}
        rowKey={({ facility_id: id, number }) => `${id}/${number}`}
        empty={
          isFiltered
            ? ['No open warning passes the filters', 'Remove one to see more.']
            : [
                'No warning is open',
                <>
                  What came before is under <Link to="/margin/calls">margin calls</Link>. What would
                  warn is under <Link to="/margin/stress">stress</Link>.
                </>,
              ]
        }
      />
    </Page>
  )
}
