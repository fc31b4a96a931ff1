import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Webhook } from '../../../client/resources/resources.ts'
import { live, queryClient } from '../../../pages/data/query-client.ts'
import { Notice, ProblemAlert } from '../../../pages/parts/page.tsx'
import { useCan } from '../../../pages/sign-in/session.ts'
import { service } from '../../data/console-api.ts'
import { toNewWebhook } from '../../data/webhooks.ts'
import classes from './webhooks.module.css'

/** Why nothing arrives, and the way back: a webhook is not enabled again, another one is registered. */
export function DisabledWebhook({ of: webhook }: { of: Webhook }) {
  const navigate = useNavigate()
  const mayWrite = useCan('webhook:write')
  const again = useMutation({
    mutationFn: () => service.registerWebhook(toNewWebhook(webhook)),
    onSuccess: (id) => {
      void queryClient.invalidateQueries({ queryKey: live('webhooks') })
      void navigate({ to: '/webhooks/$id', params: { id } })
    },
  })
  return (
    <Notice tone="bad" title="Disabled after 100 failed attempts in a row. Nothing is delivered.">
      <div className={classes.stack}>
        <ol>
          <li>Repair the endpoint. The last attempts below show what it answered.</li>
          <li>Send it a test event: that works while it is disabled.</li>
          <li>
            Register it again. New events arrive from then on, and “Resend failed” on the new
            webhook sends what this one missed. Delete this one afterwards.
          </li>
        </ol>
        <ProblemAlert error={again.error} />
        {mayWrite && (
          <div>
            <Button variant="default" loading={again.isPending} onClick={() => again.mutate()}>
              Register it again
            </Button>
          </div>
        )}
      </div>
    </Notice>
  )
}
