import { EVENT_EXAMPLES } from '../../../client/generated/event-examples.ts'
import { useFilters } from '../../../pages/data/lists.ts'
import { FilterBar, FilterSelect, FilterText, FilterTime } from '../../../pages/parts/filters.tsx'
import { Page, Panel } from '../../../pages/parts/page.tsx'
import { EventsTable } from './events-table.tsx'

const NAMES = ['type', 'resource_id', 'since', 'until'] as const

export function EventsPage() {
  const { filters, bind } = useFilters(NAMES)
  return (
    <Page
      title="Events"
      about="The log of everything that happened, each event chained to the one before. It is written whether or not a webhook receives it."
    >
      <FilterBar>
        <FilterSelect label="Type" options={Object.keys(EVENT_EXAMPLES)} {...bind('type')} />
        <FilterText label="Resource id" placeholder="fac_…" {...bind('resource_id')} />
        <FilterTime label="Since" {...bind('since')} />
        <FilterTime label="Until" {...bind('until')} />
      </FilterBar>
      <Panel title="Event log" flush>
        <EventsTable filters={filters} />
      </Panel>
    </Page>
  )
}
