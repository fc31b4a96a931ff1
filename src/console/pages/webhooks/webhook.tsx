import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { Webhook } from '../../../client/resources/resources.ts'
import { live, queryClient } from '../../../pages/data/query-client.ts'
import { Confirm } from '../../../pages/parts/forms.tsx'
import { Facts, Loading, Page, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { Id, Time } from '../../../pages/parts/values.tsx'
import { useCan } from '../../../pages/sign-in/session.ts'
import { service, useSession } from '../../data/console-api.ts'
import { EVERY_EVENT, nameOf, useWebhook } from '../../data/webhooks.ts'
import { DeliveriesTable } from '../deliveries/deliveries-table.tsx'
import { DisabledWebhook } from './disabled-webhook.tsx'
import { ResendFailed } from './resend-failed.tsx'
import { TestEvent } from './test-event.tsx'
import { WebhookState } from './webhook-state.tsx'

export function WebhookPage() {
  const { id } = useParams({ from: '/webhooks/$id' })
  const { data: webhook, error } = useWebhook(id)
  const crumbs = <Link to="/webhooks">Webhooks</Link>
  if (!webhook) {
    return (
      <Page title="Webhook" crumbs={crumbs}>
        {error ? <ProblemAlert error={error} /> : <Loading />}
      </Page>
    )
  }
  return (
    <Page
      title={nameOf(webhook)}
      beside={<WebhookState of={webhook} />}
      crumbs={crumbs}
      actions={<Actions of={webhook} />}
    >
      {webhook.state === 'disabled' && <DisabledWebhook of={webhook} />}
      <Panel title="Details">
        <Facts
          items={[
            ['Id', <Id key="id" value={id} />],
            ['Address', <Id key="url" value={webhook.url} />],
            ['Registered', <Time key="since" at={webhook.created_at} />],
            ['Events', webhook.event_types.join(', ') || EVERY_EVENT],
            ['Failed attempts in a row', `${webhook.consecutive_failed_attempts} of 100`],
          ]}
        />
      </Panel>
      <SandboxTest id={id} types={webhook.event_types} />
      <Panel
        title="Deliveries"
        flush
        actions={
          <Link to="/deliveries" search={{ webhook_id: id }}>
            Filter
          </Link>
        }
      >
        <DeliveriesTable filters={{ webhook_id: id }} />
      </Panel>
    </Page>
  )
}

function SandboxTest({ id, types }: { id: string; types: readonly string[] }) {
  const { stack } = useSession()
  const mayWrite = useCan('webhook:write')
  return stack === 'sandbox' && mayWrite ? <TestEvent webhookId={id} types={types} /> : null
}

function Actions({ of: webhook }: { of: Webhook }) {
  const navigate = useNavigate()
  const [isDeleting, deleting] = useDisclosure()
  const [isResending, resending] = useDisclosure()
  const remove = useMutation({
    mutationFn: () => service.deleteWebhook(webhook.id),
    onSuccess: () => {
      void navigate({ to: '/webhooks' })
      void queryClient.invalidateQueries({ queryKey: live('webhooks') })
    },
  })
  if (!useCan('webhook:write')) return null
  return (
    <>
      <Button variant="default" onClick={resending.open}>
        Resend failed
      </Button>
      <Button variant="default" onClick={deleting.open}>
        Delete
      </Button>
      <ResendFailed webhookId={webhook.id} isOpen={isResending} onClose={resending.close} />
      <Confirm
        title="Delete this webhook?"
        act="Delete the webhook"
        isOpen={isDeleting}
        onClose={deleting.close}
        mutation={remove}
      >
        Deliveries to {webhook.url} stop at once. Past events stay in the log, but cannot be
        replayed to this webhook any more.
      </Confirm>
    </>
  )
}
