import { EVENT_EXAMPLES } from '../../../client/generated/event-examples.ts'
import { useFilters } from '../../../pages/data/lists.ts'
import { FilterBar, FilterSelect, FilterText, FilterTime } from '../../../pages/parts/filters.tsx'
import { Page, Panel } from '../../../pages/parts/page.tsx'
import { EventsTable } from './events-table.tsx'

const NAMES = ['type', 'resource_id', 'since', 'until'] as const

export function EventsPage() {
  const { filters, setFilter } = useFilters(NAMES)
  return (
    <Page
      title="Events"
      about="The log of everything that happened, each event chained to the one before. It is written whether or not a webhook receives it."
    >
      <FilterBar>
        <FilterSelect
          label="Type"
          value={filters.type}
          onChange={(value) => setFilter('type', value)}
          options={Object.keys(EVENT_EXAMPLES)}
        />
        <FilterText
          label="Resource id"
          placeholder="fac_…"
          value={filters.resource_id}
          onChange={(value) => setFilter('resource_id', value)}
        />
        <FilterTime
          label="Since"
          value={filters.since}
          onChange={(value) => setFilter('since', value)}
        />
        <FilterTime
          label="Until"
          value={filters.until}
          onChange={(value) => setFilter('until', value)}
        />
      </FilterBar>
      <Panel title="Event log" flush>
        <EventsTable filters={filters} />
      </Panel>
    </Page>
  )
}
