import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { fromPercent, toPercent } from '../../../pages/data/figures.ts'
import { useFilters, usePages } from '../../../pages/data/lists.ts'
import { FilterBar, FilterSelect, FilterText } from '../../../pages/parts/filters.tsx'
import { Page } from '../../../pages/parts/page.tsx'
import { PagedPanel } from '../../../pages/parts/panels.tsx'
import { type Column, moneyColumn } from '../../../pages/parts/table.tsx'
import { Money, Ratio, Time } from '../../../pages/parts/values.tsx'
import { list, type Schemas } from '../../data/operator-api.ts'
import { borrowerColumn, facilityColumn, TenantFilter, tenantColumn } from '../../parts/tenants.tsx'
import classes from './book.module.css'
import { countFacilities } from './shares.tsx'

type List = Schemas['BookFacilities']
type Listed = List['items'][number]

const FIGURES = [
  { value: 'exposure', label: 'Exposure' },
  { value: 'collateral', label: 'Collateral' },
  { value: 'commitments', label: 'Undrawn' },
  { value: 'warnings', label: 'Open warnings' },
  { value: 'margin_calls', label: 'Margin calls' },
  { value: 'deficits', label: 'Deficits' },
  { value: 'stale', label: 'At old prices' },
  { value: 'interest', label: 'Interest earned' },
  { value: 'charged_off', label: 'Charged off' },
]

const NAMES = [
  ...([
    'figure',
    'tenant_id',
    'borrower_id',
    'country',
    'asset',
    'tier',
    'above_ltv',
    'to_ltv',
  ] as const),
]

const COLUMNS: readonly Column<Listed>[] = [
  facilityColumn(),
  tenantColumn('low'),
  borrowerColumn('lowest'),
  {
    head: 'Country',
    short: true,
    keep: 'low',
    cell: ({ country, borrower_blocked: isBlocked }) =>
      isBlocked ? `${country}, blocked` : country,
  },
  { head: 'Adds', align: 'right', cell: ({ amount_usd: amount }) => <Money amount={amount} /> },
  moneyColumn('Exposure', ({ exposure_usd: amount }) => amount, 'low'),
  {
    head: 'Collateral',
    align: 'right',
    keep: 'low',
    cell: ({ collateral_value_usd: amount, valuation_status: status }) => (
      <>
        <Money amount={amount} />
        {status === 'STALE' && <span className="quiet"> old prices</span>}
      </>
    ),
  },
  {
    head: 'LTV',
    align: 'right',
    short: true,
    cell: ({ ltv, state }) => (state === 'APPROVED' ? <Ratio ltv={ltv} /> : state.toLowerCase()),
  },
  {
    head: 'Tier',
    align: 'right',
    short: true,
    cell: ({ warning, margin_call_number: call }) =>
      call === null ? (warning?.tier ?? '–') : 'call',
  },
]

export function BookFacilitiesPage() {
  const { filters, bind, setFilter } = useFilters(NAMES)
  const figure = filters.figure ?? 'exposure'
  const [sums, setSums] = useState<List>()
  const pages = usePages<Listed>({
    // Not live: each page is a pass over the book.
    key: ['book-facilities', filters],
    read: async (from, signal) => {
      const page = await list('listBookFacilities', { ...filters, from, limit: 100 }, signal)
      setSums(page)
      return page
    },
  })
  const title = FIGURES.find(({ value }) => value === figure)?.label ?? 'Facilities'
  return (
    <Page
      title={title}
      crumbs={
        <Link to="/" search={filters.tenant_id ? { tenant_id: filters.tenant_id } : {}}>
          Book
        </Link>
      }
      about={
        sums && (
          <>
            {countFacilities(sums.facilities)}, <Money amount={sums.amount_usd} /> in all. Read at{' '}
            <Time at={sums.read_at} />.
          </>
        )
      }
    >
      <div className={classes.filters}>
        <FilterBar>
          <FilterSelect
            label="Figure"
            all="Exposure"
            value={figure === 'exposure' ? '' : figure}
            onChange={(value) => setFilter('figure', value)}
            options={FIGURES.slice(1)}
          />
          <TenantFilter {...bind('tenant_id')} />
          {filters.borrower_id && <FilterText label="Borrower" {...bind('borrower_id')} />}
          <FilterText
            label="Country"
            placeholder="DE"
            value={filters.country}
            onChange={(value) => setFilter('country', value.toUpperCase())}
          />
          <FilterSelect
            label="Asset"
            all="Any"
            options={['BTC', 'ETH', 'USDC', 'USD']}
            {...bind('asset')}
          />
          <FilterSelect label="Tier" all="Any" options={['1', '2', '3']} {...bind('tier')} />
          <FilterText
            label="LTV above, %"
            placeholder="70"
            value={toPercent(filters.above_ltv ?? '')}
            onChange={(value) => setFilter('above_ltv', fromPercent(value))}
          />
          <FilterText
            label="LTV up to, %"
            placeholder="75"
            value={toPercent(filters.to_ltv ?? '')}
            onChange={(value) => setFilter('to_ltv', fromPercent(value))}
          />
        </FilterBar>
      </div>
      <PagedPanel
        title="Largest part first"
        label="Facilities, one a row"
        pages={pages}
        columns={COLUMNS}
        rowKey={({ facility_id: id }) => id}
        empty={[
          'No facility is in this list',
          <>
            Choose another figure, or fewer filters. The <Link to="/">book</Link> has them all.
          </>,
        ]}
      />
    </Page>
  )
}
