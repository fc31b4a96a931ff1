import type { Draw, Facility } from '../../../../client/index.ts'
import { facilityKey } from '../../../data/lending/lending.ts'
import { usePages } from '../../../data/pages.ts'
import { service } from '../../../data/service.ts'
import { Id } from '../../../parts/id.tsx'
import { DrawStatus } from '../../../parts/lending/lending-status.tsx'
import { type Column, PagedTable } from '../../../parts/lists/data-table.tsx'
import { Empty } from '../../../parts/lists/empty.tsx'
import { Money } from '../../../parts/money.tsx'
import { Panel } from '../../../parts/page.tsx'
import { Time } from '../../../parts/time.tsx'
import { DrawButton } from './draw-button.tsx'

const COLUMNS: readonly Column<Draw>[] = [
  { head: 'Draw', cell: ({ id }) => <Id value={id} /> },
  { head: 'Status', short: true, cell: ({ status }) => <DrawStatus of={status} /> },
  {
    head: 'Amount',
    align: 'right',
    cell: ({ amount, asset }) => <Money amount={amount} asset={asset} />,
  },
  { head: 'Destination', keep: 'lowest', cell: ({ destination }) => destination },
  { head: 'Outcome', keep: 'low', cell: describeOutcome },
  {
    head: 'Requested (UTC)',
    short: true,
    keep: 'low',
    cell: ({ requested_at: at }) => <Time at={at} brief />,
  },
  {
    head: 'Paid out (UTC)',
    short: true,
    keep: 'lowest',
    cell: ({ completed_at: at }) => <Time at={at} brief />,
  },
]

function describeOutcome({ failure, reference }: Draw): string {
  if (failure) return `${failure.code}${failure.retryable ? ', may be requested again' : ''}`
  return reference ?? '–'
}

export function DrawsTab({ facility }: { facility: Facility }) {
  const pages = usePages({
    key: facilityKey(facility.id, 'draws'),
    read: (from, signal) =>
      service.listDraws(
        facility.id,
        { limit: 50, ...(from !== undefined && { from }) },
        { signal },
      ),
    refetchMs: 5_000,
  })
  return (
    <Panel title="Draws" flush actions={<DrawButton facility={facility} />}>
      <PagedTable
        label="Draws of the facility"
        columns={COLUMNS}
        pages={pages}
        rowKey={({ id }) => id}
        empty={
          <Empty title="Nothing was drawn yet">
            A draw reserves its amount, and is paid out once the custodian has raised the floor.
            Request one here, or with <span className="mono">POST /v1/facilities/…/draws</span>.
          </Empty>
        }
      />
    </Panel>
  )
}
