import { Button, Modal, NativeSelect, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { live } from '../../data/live-keys.ts'
import { queryClient } from '../../data/query-client.ts'
import { service } from '../../data/service.ts'
import { nameOf, useWebhooksWithState } from '../../data/webhooks.ts'
import { Notice, ProblemAlert } from '../../parts/notice.tsx'
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
      <TextInput
        data-autofocus
        type="datetime-local"
        label="Since (UTC)"
        description="Every delivery since then that failed or was cancelled is made once more."
        value={since}
        onChange={(event) => setSince(event.currentTarget.value)}
        required
      />
      {disabled.length > 0 && (
        <NativeSelect
          label="Missed by"
          description="What a disabled webhook missed can be sent to this one in its place."
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
          data={[
            { value: '', label: 'This webhook' },
            ...disabled.map((webhook) => ({ value: webhook.id, label: nameOf(webhook) })),
          ]}
        />
      )}
      <ProblemAlert error={resend.error} />
      {resend.isSuccess && (
        <Notice tone="good" title="They are on their way.">
          Follow them in the list of deliveries.
        </Notice>
      )}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          {resend.isSuccess ? 'Close' : 'Cancel'}
        </Button>
        <Button type="submit" loading={resend.isPending}>
          Resend
        </Button>
      </div>
    </form>
  )
}
