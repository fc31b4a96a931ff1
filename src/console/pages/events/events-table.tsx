import { Link } from '@tanstack/react-router'
import type { ChainedEvent } from '../../../client/resources/resources.ts'
import { consoleApi } from '../../data/console-api.ts'
import { live } from '../../data/live-keys.ts'
import { usePages } from '../../data/pages.ts'
import { Id } from '../../parts/id.tsx'
import { type Column, PagedTable } from '../../parts/lists/data-table.tsx'
import { Empty } from '../../parts/lists/empty.tsx'
import { ResourceId } from '../../parts/resource-id.tsx'
import { Time } from '../../parts/time.tsx'

const COLUMNS: readonly Column<ChainedEvent>[] = [
  {
    head: 'Type',
    cell: ({ id, type }) => (
      <Link to="/events/$id" params={{ id }}>
        {type}
      </Link>
    ),
  },
  { head: 'Resource', cell: ({ resource }) => <ResourceId value={resource.id} />, keep: 'low' },
  { head: 'Event id', cell: ({ id }) => <Id value={id} />, keep: 'lowest' },
  {
    head: 'Sequence',
    short: true,
    align: 'right',
    keep: 'low',
    cell: ({ sequence }) => sequence.toLocaleString('en'),
  },
  {
    head: 'Happened (UTC)',
    short: true,
    cell: ({ occurred_at }) => <Time at={occurred_at} brief />,
  },
]

type TableProps = {
  filters: Readonly<Record<string, string>>
  limit?: number
  /** The first page alone. */
  isBrief?: boolean
}

export function EventsTable({ filters, limit = 100, isBrief = false }: TableProps) {
  const pages = usePages<ChainedEvent>({
    key: live('events', filters, limit),
    read: (from, signal) => consoleApi.listEvents({ ...filters, from, limit }, signal),
  })
  return (
    <PagedTable
      label="Events, one a row"
      pages={pages}
      columns={COLUMNS}
      isBrief={isBrief}
      rowKey={({ id }) => id}
      empty={
        <Empty title="No events">
          {Object.keys(filters).length > 0
            ? 'None passes these filters.'
            : 'The first comes when a borrower becomes eligible. Create a borrower and submit a signature to see it.'}
        </Empty>
      }
    />
  )
}
