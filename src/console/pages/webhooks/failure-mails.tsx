import { Checkbox } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { consoleApi } from '../../data/console-api.ts'
import { queryClient } from '../../data/query-client.ts'
import { useSession } from '../../data/session.ts'
import { ProblemAlert } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { UnconfirmedAddress } from '../../sign-in/own-address.tsx'

const NOTIFICATIONS = ['notifications']

/** Nothing where the service has no mail server. */
export function FailureMails() {
  const { person } = useSession()
  const notifications = useQuery({
    queryKey: NOTIFICATIONS,
    queryFn: consoleApi.getNotifications,
  })
  const change = useMutation({
    mutationFn: consoleApi.setNotifications,
    onSuccess: (answer) => queryClient.setQueryData(NOTIFICATIONS, answer),
  })
  const { available = false, failure_mails: isOn = false } = notifications.data ?? {}
  if (!available) return <ProblemAlert error={notifications.error} />
  return (
    <Panel title="Mails">
      <ProblemAlert error={change.error} />
      <Checkbox
        label={`Write to ${person.email} when a webhook fails`}
        description="After 25, 50 and 75 failed attempts in a row, when a margin event is given up, and when a webhook is disabled. At most one mail an hour about a webhook, and ten a day."
        checked={isOn}
        disabled={change.isPending}
        onChange={(event) => change.mutate(event.currentTarget.checked)}
      />
      {isOn && <UnconfirmedAddress />}
    </Panel>
  )
}
