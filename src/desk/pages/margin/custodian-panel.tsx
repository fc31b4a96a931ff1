import { Empty, Panel } from '../../../pages/parts/page.tsx'
import { type Column, DataTable } from '../../../pages/parts/table.tsx'
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
    <Panel
      title="What the custodian holds"
      flush
      actions={
        reading && (
          <span className="quiet">
            as of <Time at={reading.read_at} />
          </span>
        )
      }
    >
      {reading && reading.positions.length > 0 ? (
        <DataTable
          label="Positions at the custodian"
          columns={HELD_COLUMNS}
          rows={reading.positions}
          rowKey={({ asset }) => asset}
        />
      ) : (
        <Empty title={reading ? 'It holds nothing' : 'It has not answered yet'}>
          It is asked about a push that matters, and before anything is sold.
        </Empty>
      )}
    </Panel>
  )
}
