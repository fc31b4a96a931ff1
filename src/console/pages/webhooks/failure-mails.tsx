import { Checkbox } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { queryClient } from '../../../pages/data/query-client.ts'
import { Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { UnconfirmedAddress } from '../../../pages/sign-in/own-address.tsx'
import { consoleApi, useSession } from '../../data/console-api.ts'

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
