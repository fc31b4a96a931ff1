import { Empty, Panel } from '../../../pages/parts/page.tsx'
import { type Column, DataTable, moneyColumn } from '../../../pages/parts/table.tsx'
import { groupDigits, Money } from '../../../pages/parts/values.tsx'
import type { Comparison, Stress, StressSums } from '../../data/stress.ts'
import { TenantLink } from '../../parts/tenants.tsx'
import { FIGURES, type Figure } from './figures.ts'

type ComparisonProps = {
  comparison: Comparison
  /** Others are being computed. */
  isOld: boolean
}

/** The book of today beside the stressed one. */
export function ComparisonTables({ comparison: { today, stressed }, isOld }: ComparisonProps) {
  return (
    <div aria-busy={isOld} style={{ display: 'contents' }}>
      <Panel
        title="The book"
        flush
        actions={
          <span className="quiet">{isOld ? 'computing…' : `Prices: ${stressed.prices}`}</span>
        }
      >
        <DataTable
          label="Today beside the stressed book"
          columns={bookColumns(today.total, stressed.total)}
          rows={FIGURES}
          rowKey={({ name }) => name}
        />
      </Panel>
      <Panel title="What would be sold" flush>
        <SalesTable stressed={stressed} />
      </Panel>
      <Panel title="By tenant" flush>
        <GroupTable
          label="Stressed, by tenant"
          head="Tenant"
          rows={worstFirst(stressed.tenants).map((sums) => ({ ...sums, key: sums.tenant_id }))}
          show={(key) => <TenantLink id={key} />}
        />
      </Panel>
      <Panel title="By main collateral" flush>
        <GroupTable
          label="Stressed, by main collateral"
          head="Asset"
          rows={stressed.main_collateral.map((sums) => ({ ...sums, key: sums.asset ?? 'none' }))}
          show={(key) => key}
        />
      </Panel>
    </div>
  )
}

function bookColumns(today: StressSums, stressed: StressSums): readonly Column<Figure>[] {
  return [
    { head: 'Figure', cell: ({ name }) => name },
    { head: 'Today', align: 'right', cell: (figure) => show(figure, today) },
    {
      head: 'Stressed',
      align: 'right',
      cell: (figure) => {
        const isOther = figure.of(today) !== figure.of(stressed)
        return isOther ? <strong>{show(figure, stressed)}</strong> : show(figure, stressed)
      },
    },
  ]
}

const show = ({ isMoney, of }: Figure, sums: StressSums) =>
  isMoney ? <Money amount={of(sums)} /> : groupDigits(of(sums))

type Sale = Stress['sold'][number]
type SaleRow = { asset: string; atOnce: Sale | undefined; ifUncured: Sale | undefined }

const SALES: readonly Column<SaleRow>[] = [
  { head: 'Asset', cell: ({ asset }) => asset },
  { head: 'At once', align: 'right', cell: ({ atOnce }) => quantityOf(atOnce) },
  { head: 'For', align: 'right', cell: ({ atOnce }) => grossOf(atOnce) },
  {
    head: 'If none cures',
    align: 'right',
    keep: 'low',
    cell: ({ ifUncured }) => quantityOf(ifUncured),
  },
  { head: 'For then', align: 'right', keep: 'low', cell: ({ ifUncured }) => grossOf(ifUncured) },
]

const quantityOf = (sale: Sale | undefined) => (sale ? groupDigits(sale.quantity) : '–')
const grossOf = (sale: Sale | undefined) => (sale ? <Money amount={sale.gross_usd} /> : '–')

function SalesTable({ stressed: { sold, sold_if_uncured: later } }: { stressed: Stress }) {
  const assets = [...new Set([...sold, ...later].map(({ asset }) => asset))].sort()
  if (assets.length === 0) {
    return <Empty title="Nothing would be sold">No loan would escalate at these prices.</Empty>
  }
  const find = (sales: readonly Sale[], asset: string) => sales.find((one) => one.asset === asset)
  return (
    <DataTable
      label="What would be sold, an asset a row"
      columns={SALES}
      rows={assets.map((asset) => ({
        asset,
        atOnce: find(sold, asset),
        ifUncured: find(later, asset),
      }))}
      rowKey={({ asset }) => asset}
    />
  )
}

type GroupRow = StressSums & { key: string }

type GroupProps = {
  label: string
  head: string
  rows: readonly GroupRow[]
  show: (key: string) => React.ReactNode
}

function GroupTable({ label, head, rows, show: showKey }: GroupProps) {
  const columns: readonly Column<GroupRow>[] = [
    { head, cell: ({ key }) => showKey(key) },
    { head: 'Facilities', align: 'right', keep: 'low', cell: ({ facilities }) => facilities },
    {
      head: 'Warned',
      align: 'right',
      short: true,
      keep: 'low',
      cell: ({ warned_by_tier: warned }) => warned[1] + warned[2] + warned[3],
    },
    {
      head: 'Escalated',
      align: 'right',
      short: true,
      cell: (sums) => sums.escalated_as_critical + sums.escalated_by_deadline,
    },
    moneyColumn('Sold at once', ({ sold_at_once: sold }) => sold.gross_usd, 'low'),
    moneyColumn('Deficit', ({ sold_at_once: sold }) => sold.deficit_usd),
  ]
  if (rows.length === 0) return <Empty title="The book is empty">There is no loan.</Empty>
  return <DataTable label={label} columns={columns} rows={rows} rowKey={({ key }) => key} />
}

/** Those that lose most come first. */
function worstFirst<Row extends StressSums>(rows: readonly Row[]): Row[] {
  const lossOf = ({ sold_at_once: sold, if_uncured: later }: Row) =>
    Number(sold.deficit_usd) + Number(later.deficit_usd)
  const soldOf = ({ sold_at_once: sold }: Row) => Number(sold.gross_usd)
  return rows.toSorted((a, b) => lossOf(b) - lossOf(a) || soldOf(b) - soldOf(a))
}
