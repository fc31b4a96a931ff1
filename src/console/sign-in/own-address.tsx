import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useApplication } from '../frame/application.ts'
import { Notice, ProblemAlert } from '../parts/notice.tsx'
import { Panel } from '../parts/page.tsx'

export const ADDRESS_KEY = ['own-address']

function useOwnAddress() {
  const { api } = useApplication()
  return useQuery({ queryKey: ADDRESS_KEY, queryFn: api.getOwnAddress })
}

/** Nothing where the service has no mail server. */
export function OwnAddressPanel() {
  const { data: address, error } = useOwnAddress()
  if (!address?.available) return <ProblemAlert error={error} />
  return (
    <Panel title="Mails about your account">
      {address.confirmed && (
        <p>They go to {address.email}, when someone adds a passkey or makes a link, for example.</p>
      )}
      <UnconfirmedAddress />
    </Panel>
  )
}

/** Nothing where the address is confirmed. */
export function UnconfirmedAddress() {
  const { api } = useApplication()
  const { data: address } = useOwnAddress()
  const ask = useMutation({ mutationFn: api.mailAddressLink })
  if (!address?.available || address.confirmed) return null
  return (
    <>
      <Notice tone="warn" title={`${address.email} is not confirmed: nothing is mailed to it.`}>
        Open the link that was mailed to it, within 24 hours. One is mailed a day at most.
      </Notice>
      <Button
        variant="default"
        loading={ask.isPending}
        disabled={ask.isSuccess}
        onClick={() => ask.mutate()}
      >
        {ask.isSuccess ? 'The link is on its way' : 'Mail me a link'}
      </Button>
      <ProblemAlert error={ask.error} />
    </>
  )
}
