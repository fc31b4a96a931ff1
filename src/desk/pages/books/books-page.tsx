import { useQuery } from '@tanstack/react-query'
import { useFilters } from '../../../pages/data/lists.ts'
import { live } from '../../../pages/data/query-client.ts'
import { FilterBar, FilterSelect } from '../../../pages/parts/filters.tsx'
import { Empty, Loading, Page, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { type Column, DataTable, moneyColumn } from '../../../pages/parts/table.tsx'
import { type Answer, call } from '../../data/operator-api.ts'
import { TenantFilter } from '../../parts/tenants.tsx'
import { FilesPanel } from './files-panel.tsx'
import { endOf, FilterMonth, lastMonth } from './month.tsx'
import { MonthsPanel } from './months-panel.tsx'

type Balance = Answer<'getTrialBalance'>['items'][number]
type Total = Answer<'getTrialBalance'>['totals'][number]

const COLUMNS: readonly Column<Balance>[] = [
  { head: 'Number', short: true, cell: ({ number }) => number },
  { head: 'Account', cell: ({ title }) => title },
  moneyColumn('Debit', ({ debit, asset }) => ({ amount: debit, asset }), 'low'),
  moneyColumn('Credit', ({ credit, asset }) => ({ amount: credit, asset }), 'low'),
  moneyColumn('Balance', ({ balance, asset }) => ({ amount: balance, asset })),
]

const TOTALS: readonly Column<Total>[] = [
  { head: 'Total of', cell: ({ asset }) => asset },
  moneyColumn('Debit', ({ debit, asset }) => ({ amount: debit, asset })),
  moneyColumn('Credit', ({ credit, asset }) => ({ amount: credit, asset })),
]

/** Figures are of the chosen month's end, by default of the last month that has ended. */
export function BooksPage() {
  const { filters, setFilter } = useFilters(['tenant_id', 'month', 'by'])
  const { tenant_id: tenantId, month = lastMonth(new Date()), by } = filters
  return (
    <Page
      title="Books"
      about="The general ledger: balances, the end of a month, and what accountants and auditors are given. A balance is a debit where it is positive."
    >
      <FilterBar>
        <TenantFilter value={tenantId} onChange={(value) => setFilter('tenant_id', value)} />
        <FilterMonth value={month} onChange={(value) => setFilter('month', value)} />
        <FilterSelect
          label="Date that decides"
          value={by}
          all="Posting"
          options={[{ value: 'value', label: 'Value' }]}
          onChange={(value) => setFilter('by', value)}
        />
      </FilterBar>
      <TrialBalance key={`${tenantId} ${month} ${by}`} {...{ tenantId, month, by }} />
      <FilesPanel key={`${tenantId} ${month}`} tenantId={tenantId} month={month} />
      <MonthsPanel tenantId={tenantId} month={month} />
    </Page>
  )
}

type BalanceProps = { tenantId: string | undefined; month: string; by: string | undefined }

function TrialBalance({ tenantId, month, by }: BalanceProps) {
  const at = endOf(month)
  const { data, error, isPending } = useQuery({
    queryKey: live('trial-balance', tenantId, month, by),
    queryFn: ({ signal }) =>
      call('getTrialBalance', {
        query: {
          ...{ at, by: by === 'value' ? 'value' : 'posting' },
          ...(tenantId && { tenant_id: tenantId }),
        },
        signal,
      }),
    staleTime: 60_000,
  })
  return (
    <Panel title={`Trial balance to the end of ${month}`} flush>
      <ProblemAlert error={error} />
      {isPending && <Loading />}
      {data?.items.length === 0 && (
        <Empty title="Nothing was booked">
          The first draw makes the first entry. Choose a later month, or another tenant.
        </Empty>
      )}
      {data && data.items.length > 0 && (
        <>
          <DataTable
            label="Accounts, one a row"
            columns={COLUMNS}
            rows={data.items}
            rowKey={({ account, asset }) => `${account} ${asset}`}
          />
          <DataTable
            label="Totals, an asset a row"
            columns={TOTALS}
            rows={data.totals}
            rowKey={({ asset }) => asset}
          />
        </>
      )}
    </Panel>
  )
}
