import { Select } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ChainedEvent } from '../../../client/index.ts'
import { usePages } from '../../../pages/data/lists.ts'
import { live } from '../../../pages/data/query-client.ts'
import { PagedPanel } from '../../../pages/parts/panels.tsx'
import { type Column, timeColumn } from '../../../pages/parts/table.tsx'
import { consoleApi } from '../../data/console-api.ts'
import { describeMarginEvent, MARGIN_EVENTS } from './describe-event.ts'
import { MarginLink } from './margin-link.tsx'

const COLUMNS: readonly Column<ChainedEvent>[] = [
  { head: 'Facility', cell: ({ resource }) => <MarginLink facilityId={facilityOf(resource.id)} /> },
  {
    head: 'Number',
    align: 'right',
    short: true,
    keep: 'low',
    cell: ({ resource }) => numberOf(resource.id),
  },
  { head: 'What happened', cell: (event) => describeMarginEvent(event) },
  timeColumn('At', ({ occurred_at: at }) => at, 'low'),
]

/** A warning or call is named `fac_…/<number>`. */
const facilityOf = (resourceId: string) => resourceId.split('/')[0] ?? resourceId
const numberOf = (resourceId: string) => resourceId.split('/')[1] ?? ''

/** What happened to warnings and calls of all loans, newest first. */
export function MarginEvents() {
  const { type: given } = useSearch({ strict: false }) as { type?: string }
  const navigate = useNavigate()
  const type = MARGIN_EVENTS.find(({ value }) => value === given)?.value ?? 'margin_warning.raised'
  const pages = usePages({
    key: live('margin-events', type),
    read: (from, signal) => consoleApi.listEvents({ type, from, limit: 50 }, signal),
  })
  return (
    <PagedPanel
      title="History"
      actions={
        <Select
          aria-label="Kind"
          size="xs"
          w={190}
          allowDeselect={false}
          data={MARGIN_EVENTS}
          value={type}
          onChange={(value) =>
            void navigate({ to: '/margin', search: value ? { type: value } : {} })
          }
        />
      }
      label="History of warnings and calls"
      columns={COLUMNS}
      pages={pages}
      rowKey={({ id }) => id}
      empty={[
        'None of these has happened',
        'The events of warnings and calls appear here as they happen.',
      ]}
    />
  )
}
