import { Button } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ChainedEvent } from '../../../client/resources/resources.ts'
import { deliveredBody } from '../../../client/verify-chain.ts'
import { usePages } from '../../../pages/data/lists.ts'
import { live, queryClient } from '../../../pages/data/query-client.ts'
import { Json } from '../../../pages/parts/code.tsx'
import { Facts, Loading, Page, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { Id, Time } from '../../../pages/parts/values.tsx'
import { useCan } from '../../../pages/sign-in/session.ts'
import { service } from '../../data/console-api.ts'
import { nameOf, useWebhook } from '../../data/webhooks.ts'
import { Attempt, type AttemptOf } from './attempt.tsx'
import { DeliveryState } from './delivery-state.tsx'

const REFETCH_MS = 2_000

export function DeliveryPage() {
  const { webhookId, eventId } = useParams({ from: '/deliveries/$webhookId/$eventId' })
  const event = useQuery({
    queryKey: live('event', eventId),
    queryFn: () => service.getEvent(eventId),
    refetchInterval: REFETCH_MS,
  })
  const delivery = event.data?.deliveries.find(({ webhook_id }) => webhook_id === webhookId)
  const webhook = useWebhook(webhookId)
  return (
    <Page
      title={event.data?.type ?? 'Delivery'}
      beside={delivery && <DeliveryState state={delivery.state} />}
      crumbs={<Link to="/deliveries">Deliveries</Link>}
      actions={delivery && <Resend webhookId={webhookId} eventId={eventId} />}
    >
      {event.isPending && <Loading />}
      <ProblemAlert error={event.error} />
      <Panel title="Details">
        <Facts
          items={[
            [
              'Event',
              <Id key="event" value={eventId}>
                <Link to="/events/$id" params={{ id: eventId }}>
                  {eventId}
                </Link>
              </Id>,
            ],
            [
              'Webhook',
              <Link key="webhook" to="/webhooks/$id" params={{ id: webhookId }}>
                {webhook.data ? nameOf(webhook.data) : webhookId}
              </Link>,
            ],
            ['Happened', <Time key="at" at={event.data?.occurred_at} />],
            ['Next attempt', <Time key="next" at={delivery?.next_attempt_at} />],
          ]}
        />
      </Panel>
      <Attempts webhookId={webhookId} eventId={eventId} />
      {event.data && (
        <Panel title="Body">
          <Json
            label="Body, as it is delivered"
            value={deliveredBody(event.data as unknown as ChainedEvent)}
          />
        </Panel>
      )}
    </Page>
  )
}

type DeliveryId = { webhookId: string; eventId: string }

function Resend({ webhookId, eventId }: DeliveryId) {
  const resend = useMutation({
    mutationFn: () => service.retryDelivery(webhookId, eventId),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: live() }),
  })
  if (!useCan('webhook:write')) return null
  return (
    <>
      <ProblemAlert error={resend.error} />
      <Button
        variant="default"
        leftSection={<IconSend size={16} aria-hidden />}
        loading={resend.isPending}
        onClick={() => resend.mutate()}
      >
        Send it again now
      </Button>
    </>
  )
}

function Attempts({ webhookId, eventId }: DeliveryId) {
  const pages = usePages<AttemptOf>({
    key: live('attempts', webhookId, eventId),
    read: (from, signal) =>
      service.listDeliveryAttempts(
        webhookId,
        eventId,
        { limit: 50, ...(from && { from }) },
        { signal },
      ),
    refetchMs: REFETCH_MS,
  })
  return (
    <Panel title="Attempts" flush>
      {pages.isPending && <Loading lines={2} />}
      <ProblemAlert error={pages.error} />
      {pages.rows.map((attempt) => (
        <Attempt key={attempt.number} of={attempt} eventId={eventId} />
      ))}
      {!pages.isPending && pages.rows.length === 0 && (
        <p className="quiet" style={{ padding: 16 }}>
          None yet.
        </p>
      )}
      {pages.isMore && (
        <div style={{ padding: 12 }}>
          <Button size="xs" variant="default" onClick={pages.readMore}>
            Earlier attempts
          </Button>
        </div>
      )}
    </Panel>
  )
}
