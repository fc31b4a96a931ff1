import { Link } from '@tanstack/react-router'
import type { Delivery } from '../../../client/resources/resources.ts'
import { usePages } from '../../../pages/data/lists.ts'
import { live } from '../../../pages/data/query-client.ts'
import { type Column, PagedTable, timeColumn } from '../../../pages/parts/table.tsx'
import { Id } from '../../../pages/parts/values.tsx'
import { consoleApi } from '../../data/console-api.ts'
import { nameOf, useWebhooks } from '../../data/webhooks.ts'
import { describeAttempt } from './attempt.tsx'
import { DeliveryState } from './delivery-state.tsx'

const PAGE = 100
/** Attempts are no events of the log. */
const REFETCH_MS = 2_000

export function DeliveriesTable({ filters }: { filters: Readonly<Record<string, string>> }) {
  const { data: webhooks = [] } = useWebhooks()
  const names = new Map(webhooks.map((webhook) => [webhook.id, nameOf(webhook)]))
  const pages = usePages<Delivery>({
    key: live('deliveries', filters),
    read: (from, signal) => consoleApi.listDeliveries({ ...filters, from, limit: PAGE }, signal),
    refetchMs: REFETCH_MS,
  })
  const columns: readonly Column<Delivery>[] = [
    {
      head: 'Event',
      cell: ({ webhook_id, event_id, event_type }) => (
        <Link
          to="/deliveries/$webhookId/$eventId"
          params={{ webhookId: webhook_id, eventId: event_id }}
        >
          {event_type}
        </Link>
      ),
    },
    { head: 'State', short: true, cell: ({ state }) => <DeliveryState state={state} /> },
    {
      head: 'Endpoint',
      keep: 'low',
      cell: ({ webhook_id }) => names.get(webhook_id) ?? <span className="quiet">Deleted</span>,
    },
    {
      head: 'Event id',
      short: true,
      keep: 'lowest',
      cell: ({ event_id }) => <Id value={event_id} />,
    },
    { head: 'Last attempt', keep: 'low', cell: ({ attempts }) => describeAttempt(attempts[0]) },
    timeColumn('At', ({ attempts, next_attempt_at }) => attempts[0]?.at ?? next_attempt_at, 'low'),
  ]
  return (
    <PagedTable
      label="Deliveries, one a row"
      pages={pages}
      columns={columns}
      rowKey={({ webhook_id, event_id }) => `${webhook_id} ${event_id}`}
      empty={[
        'No deliveries',
        Object.keys(filters).length > 0
          ? 'There is none. In the sandbox, a test event is not listed: only events of the log are.'
          : 'As soon as an event of a type that a webhook subscribes to is written, it is here.',
      ]}
    />
  )
}
