import type { Draw, Facility } from '../../../../client/index.ts'
import { usePages } from '../../../../pages/data/lists.ts'
import { DrawStatus } from '../../../../pages/lending/values.tsx'
import { PagedPanel } from '../../../../pages/parts/panels.tsx'
import { type Column, moneyColumn, timeColumn } from '../../../../pages/parts/table.tsx'
import { Id } from '../../../../pages/parts/values.tsx'
import { service } from '../../../data/console-api.ts'
import { facilityKey } from '../../../data/lending.ts'
import { DrawButton } from './draw-button.tsx'

const COLUMNS: readonly Column<Draw>[] = [
  { head: 'Draw', cell: ({ id }) => <Id value={id} /> },
  { head: 'Status', short: true, cell: ({ status }) => <DrawStatus of={status} /> },
  moneyColumn('Amount', ({ amount, asset }) => ({ amount, asset })),
  { head: 'Destination', keep: 'lowest', cell: ({ destination }) => destination },
  { head: 'Outcome', keep: 'low', cell: describeOutcome },
  timeColumn('Requested', ({ requested_at: at }) => at, 'low'),
  timeColumn('Paid out', ({ completed_at: at }) => at, 'lowest'),
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
    <PagedPanel
      title="Draws"
      actions={<DrawButton facility={facility} />}
      label="Draws of the facility"
      columns={COLUMNS}
      pages={pages}
      rowKey={({ id }) => id}
      empty={[
        'Nothing was drawn yet',
        <>
          A draw reserves its amount, and is paid out once the custodian has raised the floor.
          Request one here, or with <span className="mono">POST /v1/facilities/…/draws</span>.
        </>,
      ]}
    />
  )
}
