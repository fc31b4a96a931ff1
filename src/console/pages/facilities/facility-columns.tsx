import type { Facility } from '../../../client/index.ts'
import { FacilityStatus, HealthStatus } from '../../../pages/lending/values.tsx'
import { type Column, moneyColumn, timeColumn } from '../../../pages/parts/table.tsx'
import { Ratio, ResourceId } from '../../../pages/parts/values.tsx'

/** Of the others health and ratio have no meaning. */
export const hasLoan = ({ state }: Facility) => state === 'APPROVED' || state === 'CLOSING'

export const FACILITY_COLUMNS: readonly Column<Facility>[] = [
  { head: 'Facility', cell: ({ id }) => <ResourceId value={id} /> },
  { head: 'State', short: true, cell: ({ state }) => <FacilityStatus of={state} /> },
  {
    head: 'Health',
    short: true,
    cell: (facility) => (hasLoan(facility) ? <HealthStatus of={facility.health} /> : '–'),
  },
  {
    head: 'LTV',
    align: 'right',
    short: true,
    keep: 'low',
    cell: (facility) => (hasLoan(facility) ? <Ratio ltv={facility.ltv} /> : '–'),
  },
  moneyColumn('Debt', ({ outstanding }) => outstanding.total, 'low'),
  moneyColumn('Limit', ({ limit }) => ({ amount: limit.amount, asset: limit.asset }), 'low'),
  {
    head: 'Borrower',
    keep: 'lowest',
    cell: ({ borrower_id: id }) => <ResourceId value={id} />,
  },
  timeColumn('Created', ({ created_at: at }) => at, 'lowest'),
]
