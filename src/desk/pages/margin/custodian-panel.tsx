import { TablePanel } from '../../../pages/parts/panels.tsx'
import type { Column } from '../../../pages/parts/table.tsx'
import { groupDigits, Time } from '../../../pages/parts/values.tsx'
import type { DeskFacility } from '../../data/margin.ts'

type Reading = DeskFacility['custodian']
type Held = NonNullable<Reading>['positions'][number]

export const HELD_COLUMNS: readonly Column<Held>[] = [
  { head: 'Asset', cell: ({ asset }) => asset },
  { head: 'Quantity', align: 'right', cell: ({ quantity }) => groupDigits(quantity) },
]

/** What it last answered or was read to hold. */
export function CustodianPanel({ reading }: { reading: Reading }) {
  return (
    <TablePanel
      title="What the custodian holds"
      actions={
        reading && (
          <span className="quiet">
            as of <Time at={reading.read_at} />
          </span>
        )
      }
      label="Positions at the custodian"
      columns={HELD_COLUMNS}
      rowKey={({ asset }) => asset}
      rows={reading?.positions ?? []}
      empty={[
        reading ? 'It holds nothing' : 'It has not answered yet',
        'It is asked about a push that matters, and before anything is sold.',
      ]}
    />
  )
}
