import { Link } from '@tanstack/react-router'
import type { ChainedEvent } from '../../../client/resources/resources.ts'
import { usePages } from '../../../pages/data/lists.ts'
import { live } from '../../../pages/data/query-client.ts'
import { type Column, PagedTable, timeColumn } from '../../../pages/parts/table.tsx'
import { Id, ResourceId } from '../../../pages/parts/values.tsx'
import { consoleApi } from '../../data/console-api.ts'

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
  timeColumn('Happened', ({ occurred_at }) => occurred_at),
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
      empty={[
        'No events',
        Object.keys(filters).length > 0
          ? 'None passes these filters.'
          : 'The first comes when a borrower becomes eligible. Create a borrower and submit a signature to see it.',
      ]}
    />
  )
}
