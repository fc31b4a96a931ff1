import type { Facility } from '../../../client/index.ts'
import { FacilityStatus, HealthStatus } from '../../../pages/lending/values.tsx'
import type { Column } from '../../../pages/parts/table.tsx'
import { Money, Ratio, ResourceId, Time } from '../../../pages/parts/values.tsx'

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
  {
    head: 'Debt',
    align: 'right',
    keep: 'low',
    cell: ({ outstanding }) => <Money amount={outstanding.total} />,
  },
  {
    head: 'Limit',
    align: 'right',
    keep: 'low',
    cell: ({ limit }) => <Money amount={limit.amount} asset={limit.asset} />,
  },
  {
    head: 'Borrower',
    keep: 'lowest',
    cell: ({ borrower_id: id }) => <ResourceId value={id} />,
  },
  {
    head: 'Created (UTC)',
    short: true,
    keep: 'lowest',
    cell: ({ created_at: at }) => <Time at={at} brief />,
  },
]
