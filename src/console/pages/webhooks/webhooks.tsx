import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Page, Panel } from '../../../pages/parts/page.tsx'
import { TablePanel } from '../../../pages/parts/panels.tsx'
import { type Column, timeColumn } from '../../../pages/parts/table.tsx'
import { Id } from '../../../pages/parts/values.tsx'
import { useCan, usePersonSession } from '../../../pages/sign-in/session.ts'
import { asSession } from '../../data/console-api.ts'
import { EVERY_EVENT, nameOf, useWebhooksWithState, type WebhookRow } from '../../data/webhooks.ts'
import { FailureMails } from './failure-mails.tsx'
import { RegisterWebhook } from './register-webhook.tsx'
import { SigningSecret } from './signing-secret.tsx'
import { WebhookState } from './webhook-state.tsx'

const COLUMNS: readonly Column<WebhookRow>[] = [
  {
    head: 'Endpoint',
    breaks: true,
    cell: (webhook) => (
      <>
        <Link to="/webhooks/$id" params={{ id: webhook.id }}>
          {nameOf(webhook)}
        </Link>
        {webhook.label && <div className="quiet">{webhook.url}</div>}
      </>
    ),
  },
  { head: 'Id', short: true, keep: 'lowest', cell: ({ id }) => <Id value={id} /> },
  { head: 'State', short: true, cell: (webhook) => <WebhookState of={webhook} /> },
  {
    head: 'Events',
    keep: 'low',
    cell: ({ event_types }) =>
      event_types.length === 0
        ? EVERY_EVENT
        : event_types.length > 2
          ? `${event_types.length} types`
          : event_types.join(', '),
  },
  {
    head: 'Failed in a row',
    short: true,
    keep: 'low',
    align: 'right',
    cell: ({ consecutive_failed_attempts: failed, isUnread }) =>
      failed ?? (isUnread ? 'Not read' : '…'),
  },
  timeColumn('Registered', ({ created_at: at }) => at),
]

export function WebhooksPage() {
  const { webhooks, error } = useWebhooksWithState()
  const [isRegistering, registering] = useDisclosure()
  const { webhook_sources: sources } = asSession(usePersonSession())
  const register = useCan('webhook:write') && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={registering.open}>
      Register a webhook
    </Button>
  )
  return (
    <Page
      title="Webhooks"
      about="Events are posted to your endpoints, signed, and retried over about nine hours until they are accepted."
      actions={register}
    >
      <TablePanel
        title="Endpoints"
        label="Endpoints, one a row"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rows={webhooks}
        error={error}
        empty={[
          'No webhook yet',
          'Register the address of your endpoint. You can send it a test event of each type before anything happens for real.',
          register,
        ]}
      />
      {sources.length > 0 && (
        <Panel title="Where deliveries come from">
          Open your firewall to <span className="mono">{sources.join(', ')}</span>, and verify each
          signature all the same.
        </Panel>
      )}
      <SigningSecret />
      <FailureMails />
      <RegisterWebhook isOpen={isRegistering} onClose={registering.close} />
    </Page>
  )
}
