import { Link } from '@tanstack/react-router'
import type { Collateral, Facility } from '../../../../client/index.ts'
import { formatRatio } from '../../../../pages/data/figures.ts'
import { Empty, Loading, Panel, ProblemAlert } from '../../../../pages/parts/page.tsx'
import { type Column, DataTable } from '../../../../pages/parts/table.tsx'
import { groupDigits, Money, Time } from '../../../../pages/parts/values.tsx'
import { useCollateral } from '../../../data/lending.ts'

type Position = Collateral['positions'][number]

const COLUMNS: readonly Column<Position>[] = [
  { head: 'Asset', cell: ({ asset }) => asset },
  { head: 'Quantity', align: 'right', cell: ({ quantity }) => groupDigits(quantity) },
  {
    head: 'Price',
    align: 'right',
    keep: 'low',
    cell: ({ price_usd: price }) => (price === undefined ? '–' : <Money amount={price} />),
  },
  {
    head: 'Haircut',
    align: 'right',
    keep: 'low',
    cell: ({ haircut }) => (haircut === undefined ? 'does not count' : formatRatio(haircut, 0)),
  },
  { head: 'Counts', align: 'right', cell: ({ value_usd: value }) => <Money amount={value} /> },
]

export function CollateralPanel({ facility }: { facility: Facility }) {
  const isApproved = facility.state === 'APPROVED'
  const { data, error, isPending } = useCollateral(facility.id, isApproved)
  return (
    <Panel
      title="Collateral"
      flush
      actions={
        data && (
          <span className="quiet">
            valued <Time at={data.valued_at} />
          </span>
        )
      }
    >
      <ProblemAlert error={error} />
      {isApproved && isPending && <Loading />}
      {!isApproved && (
        <Empty title="Only an approved facility has collateral">
          This one is {facility.state.toLowerCase()}.
        </Empty>
      )}
      {data && data.positions.length === 0 && (
        <Empty title="There is no collateral">
          What the borrower holds is pushed on the{' '}
          <Link to="/borrowers/$id" params={{ id: facility.borrower_id }}>
            borrower’s page
          </Link>{' '}
          or with <span className="mono">PUT /v1/borrowers/…/portfolio</span>.
        </Empty>
      )}
      {data && data.positions.length > 0 && (
        <DataTable
          label="Collateral by asset"
          columns={COLUMNS}
          rows={data.positions}
          rowKey={({ asset }) => asset}
        />
      )}
    </Panel>
  )
}
