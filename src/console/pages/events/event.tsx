import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ChainedEvent, Delivery } from '../../../client/resources/resources.ts'
import { deliveredBody } from '../../../client/verify-chain.ts'
import { live } from '../../../pages/data/query-client.ts'
import { Json } from '../../../pages/parts/code.tsx'
import { Facts, Loading, Page, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { TablePanel } from '../../../pages/parts/panels.tsx'
import { type Column, timeColumn } from '../../../pages/parts/table.tsx'
import { Id, ResourceId, Time } from '../../../pages/parts/values.tsx'
import { service } from '../../data/console-api.ts'
import { nameOf, useWebhooks } from '../../data/webhooks.ts'
import { describeAttempt } from '../deliveries/attempt.tsx'
import { DeliveryState } from '../deliveries/delivery-state.tsx'
import { EventsTable } from './events-table.tsx'

export function EventPage() {
  const { id } = useParams({ from: '/events/$id' })
  const { data: event, error } = useQuery({
    queryKey: live('event', id),
    queryFn: () => service.getEvent(id),
  })
  const crumbs = <Link to="/events">Events</Link>
  if (!event) {
    return (
      <Page title="Event" crumbs={crumbs}>
        {error ? <ProblemAlert error={error} /> : <Loading />}
      </Page>
    )
  }
  return (
    <Page title={event.type} crumbs={crumbs}>
      <Panel title="Details">
        <Facts
          items={[
            ['Id', <Id key="id" value={event.id} />],
            ['Resource', <ResourceId key="resource" value={event.resource.id} />],
            ['Happened', <Time key="at" at={event.occurred_at} />],
            ['Sequence', event.sequence.toLocaleString('en')],
            ['Version of the resource', event.resource_version],
            ['Hash', <Id key="hash" value={event.hash} />],
          ]}
        />
      </Panel>
      <Panel title="Body">
        <Json
          label="Body, as it is delivered"
          value={deliveredBody(event as unknown as ChainedEvent)}
        />
      </Panel>
      <Deliveries of={event.deliveries} />
      <Panel
        title="Neighbours on the same resource"
        flush
        actions={
          <Link to="/events" search={{ resource_id: event.resource.id }}>
            All of them
          </Link>
        }
      >
        <EventsTable filters={{ resource_id: event.resource.id }} limit={20} isBrief />
      </Panel>
    </Page>
  )
}

function Deliveries({ of: deliveries }: { of: readonly Delivery[] }) {
  const { data: webhooks = [] } = useWebhooks()
  const names = new Map(webhooks.map((webhook) => [webhook.id, nameOf(webhook)]))
  const columns: readonly Column<Delivery>[] = [
    {
      head: 'Endpoint',
      cell: ({ webhook_id, event_id }) => (
        <Link
          to="/deliveries/$webhookId/$eventId"
          params={{ webhookId: webhook_id, eventId: event_id }}
        >
          {names.get(webhook_id) ?? webhook_id}
        </Link>
      ),
    },
    { head: 'State', short: true, cell: ({ state }) => <DeliveryState state={state} /> },
    { head: 'Last attempt', keep: 'low', cell: ({ attempts }) => describeAttempt(attempts[0]) },
    timeColumn('At', ({ attempts, next_attempt_at }) => attempts[0]?.at ?? next_attempt_at, 'low'),
  ]
  return (
    <TablePanel
      title="Deliveries"
      label="Deliveries of this event"
      columns={columns}
      rowKey={({ webhook_id }) => webhook_id}
      rows={deliveries}
      empty={['Delivered to no webhook', 'No webhook subscribed to this type when it happened.']}
    />
  )
}
