import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Facility, Repayment } from '../../../../client/index.ts'
import { usePages } from '../../../../pages/data/lists.ts'
import { RepaymentStatus } from '../../../../pages/lending/values.tsx'
import { PagedPanel } from '../../../../pages/parts/panels.tsx'
import { type Column, moneyColumn, timeColumn } from '../../../../pages/parts/table.tsx'
import { Id, Money } from '../../../../pages/parts/values.tsx'
import { service } from '../../../data/console-api.ts'
import { facilityKey } from '../../../data/lending.ts'
import { RepayButton } from './repay-button.tsx'
import { RepaymentDrawer } from './repayment-drawer.tsx'

const COLUMNS: readonly Column<Repayment>[] = [
  {
    head: 'Repayment',
    cell: ({ id, facility_id: facilityId }) => (
      <Id value={id}>
        <Link
          to="/facilities/$id"
          params={{ id: facilityId }}
          search={{ tab: 'repayments', repayment: id }}
          resetScroll={false}
        >
          {id}
        </Link>
      </Id>
    ),
  },
  { head: 'Status', short: true, cell: ({ status }) => <RepaymentStatus of={status} /> },
  moneyColumn('Amount', ({ amount, asset }) => ({ amount, asset })),
  {
    head: 'Interest',
    align: 'right',
    keep: 'low',
    cell: ({ allocation }) => (allocation ? <Money amount={allocation.interest.amount} /> : '–'),
  },
  {
    head: 'Principal',
    align: 'right',
    keep: 'low',
    cell: ({ allocation }) => (allocation ? <Money amount={allocation.principal.amount} /> : '–'),
  },
  {
    head: 'Cures',
    short: true,
    keep: 'lowest',
    cell: ({ margin_warning_number: number, inferred }) =>
      number === undefined ? '–' : `Warning ${number}${inferred ? ' (inferred)' : ''}`,
  },
  timeColumn('Requested', ({ requested_at: at }) => at, 'low'),
]

export function RepaymentsTab({ facility }: { facility: Facility }) {
  const { repayment } = useSearch({ strict: false }) as { repayment?: string }
  const navigate = useNavigate()
  const open = (id: string | undefined) =>
    void navigate({
      to: '/facilities/$id',
      params: { id: facility.id },
      search: { tab: 'repayments', ...(id !== undefined && { repayment: id }) },
      resetScroll: false,
    })
  const pages = usePages({
    key: facilityKey(facility.id, 'repayments'),
    read: (from, signal) =>
      service.listRepayments(
        facility.id,
        { limit: 50, ...(from !== undefined && { from }) },
        { signal },
      ),
    refetchMs: 5_000,
  })
  return (
    <PagedPanel
      title="Repayments"
      actions={<RepayButton facility={facility} onAnnounced={open} />}
      label="Repayments of the facility"
      columns={COLUMNS}
      pages={pages}
      rowKey={({ id }) => id}
      empty={[
        'Nothing was repaid yet',
        'A repayment is announced, carried out by its instructions, and reported. What the treasury confirms is applied: interest first, then principal.',
      ]}
    >
      <RepaymentDrawer
        facilityId={facility.id}
        repaymentId={repayment}
        onClose={() => open(undefined)}
      />
    </PagedPanel>
  )
}
