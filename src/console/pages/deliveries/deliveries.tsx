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
  const { filters, bind } = useFilters(NAMES)
  return (
    <Page
      title="Deliveries"
      about="Each event to each webhook, with its attempts. A dead letter is sent again on request."
    >
      <FilterBar>
        <FilterSelect label="Webhook" options={webhooks.map(choiceOf)} {...bind('webhook_id')} />
        <FilterSelect
          label="Event type"
          options={Object.keys(EVENT_EXAMPLES)}
          {...bind('event_type')}
        />
        <FilterSelect
          label="State"
          options={Object.entries(DELIVERY_STATES).map(([value, { label }]) => ({ value, label }))}
          {...bind('state')}
        />
        <FilterTime label="Since" {...bind('since')} />
        <FilterTime label="Until" {...bind('until')} />
      </FilterBar>
      <Panel title="Over all webhooks" flush>
        <DeliveriesTable filters={filters} />
      </Panel>
    </Page>
  )
}
