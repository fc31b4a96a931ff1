import { EVENT_EXAMPLES } from '../../../client/generated/event-examples.ts'
import { useFilters } from '../../../pages/data/lists.ts'
import { FilterBar, FilterSelect, FilterTime } from '../../../pages/parts/filters.tsx'
import { Page, Panel } from '../../../pages/parts/page.tsx'
import { choiceOf, useWebhooks } from '../../data/webhooks.ts'
import { DeliveriesTable } from './deliveries-table.tsx'
import { DELIVERY_STATES } from './delivery-state.tsx'

const NAMES = ['webhook_id', 'event_type', 'state', 'since', 'until'] as const

export function DeliveriesPage() {
  const { data: webhooks = [] } = useWebhooks()
  const { filters, setFilter } = useFilters(NAMES)
  return (
    <Page
      title="Deliveries"
      about="Each event to each webhook, with its attempts. A dead letter is sent again on request."
    >
      <FilterBar>
        <FilterSelect
          label="Webhook"
          value={filters.webhook_id}
          onChange={(value) => setFilter('webhook_id', value)}
          options={webhooks.map(choiceOf)}
        />
        <FilterSelect
          label="Event type"
          value={filters.event_type}
          onChange={(value) => setFilter('event_type', value)}
          options={Object.keys(EVENT_EXAMPLES)}
        />
        <FilterSelect
          label="State"
          value={filters.state}
          onChange={(value) => setFilter('state', value)}
          options={Object.entries(DELIVERY_STATES).map(([value, { label }]) => ({ value, label }))}
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
      <Panel title="Over all webhooks" flush>
        <DeliveriesTable filters={filters} />
      </Panel>
    </Page>
  )
}
