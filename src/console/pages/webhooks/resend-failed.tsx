import { Button, Modal } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { live, queryClient } from '../../../pages/data/query-client.ts'
import { SelectField, TextField } from '../../../pages/parts/fields.tsx'
import { Loading, Notice, ProblemAlert } from '../../../pages/parts/page.tsx'
import { service } from '../../data/console-api.ts'
import { choiceOf, useWebhooksWithState } from '../../data/webhooks.ts'
import classes from './webhooks.module.css'

type ResendProps = { webhookId: string; isOpen: boolean; onClose: () => void }

export function ResendFailed({ isOpen, onClose, webhookId }: ResendProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Resend failed deliveries">
      <ResendForm webhookId={webhookId} onClose={onClose} />
    </Modal>
  )
}

const DAY_MS = 86_400_000

function ResendForm({ webhookId, onClose }: Omit<ResendProps, 'isOpen'>) {
  const { webhooks = [] } = useWebhooksWithState()
  const disabled = webhooks.filter(({ id, state }) => id !== webhookId && state === 'disabled')
  const [since, setSince] = useState(() => new Date(Date.now() - DAY_MS).toISOString().slice(0, 16))
  const [from, setFrom] = useState('')
  const resend = useMutation({
    mutationFn: () =>
      service.recoverWebhook(webhookId, {
        since: `${since}:00.000Z`,
        ...(from !== '' && { from_webhook_id: from }),
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: live('deliveries') }),
  })
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        resend.mutate()
      }}
    >
      <TextField
        data-autofocus
        type="datetime-local"
        label="Since (UTC)"
        description="Every delivery since then that failed or was cancelled is made once more."
        value={since}
        onChange={setSince}
        required
      />
      {disabled.length > 0 && (
        <SelectField
          label="Missed by"
          description="What a disabled webhook missed can be sent to this one in its place."
          value={from}
          onChange={setFrom}
          data={[{ value: '', label: 'This webhook' }, ...disabled.map(choiceOf)]}
        />
      )}
      <ProblemAlert error={resend.error} />
      {resend.data && <Course webhookId={webhookId} deliveries={resend.data.deliveries} />}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          {resend.isSuccess ? 'Close' : 'Cancel'}
        </Button>
        <Button type="submit" loading={resend.isPending} disabled={resend.isSuccess}>
          Resend
        </Button>
      </div>
    </form>
  )
}

const REFRESH_MS = 2_000

/** How it goes, as long as the form is open. */
function Course({ webhookId, deliveries }: { webhookId: string; deliveries: number }) {
  const { data: webhook, error } = useQuery({
    queryKey: live('webhook', webhookId),
    queryFn: ({ signal }) => service.getWebhook(webhookId, { signal }),
    refetchInterval: REFRESH_MS,
  })
  if (error) return <ProblemAlert error={error} />
  if (!webhook) return <Loading />
  if (deliveries === 0) return <Notice tone="calm" title="Nothing has failed since then." />
  if (webhook.state === 'disabled') {
    return (
      <Notice tone="bad" title="It has stopped: the webhook was disabled.">
        The endpoint refused 100 attempts in a row. Repair it, then register it again.
      </Notice>
    )
  }
  const failed = webhook.consecutive_failed_attempts
  if (failed > 0) {
    return (
      <Notice tone="warn" title={`The endpoint has refused ${failed} in a row.`}>
        One of {deliveries} is attempted each minute until it answers with 2xx; the others follow
        then. After 100 refusals in a row the webhook is disabled and this stops.
      </Notice>
    )
  }
  return (
    <Notice tone="good" title={`${deliveries} are on their way.`}>
      Follow them in the list of deliveries.
    </Notice>
  )
}
