import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { queryClient } from '../data/query-client.ts'
import { useApplication } from '../frame/application.ts'
import { Notice, Panel, ProblemAlert } from '../parts/page.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

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

/** Asks first: programs that check mails open their links too. */
export function ConfirmAddress({ token, onClose }: { token: string; onClose: () => void }) {
  const { api, name } = useApplication()
  const confirm = useMutation({
    mutationFn: () => api.confirmAddress(token),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ADDRESS_KEY }),
  })
  if (confirm.isSuccess) {
    return (
      <SignInFrame title="Your address is confirmed">
        <p>Mails about your account, and those that you ask for, now go to it.</p>
        <Button onClick={onClose}>Continue</Button>
      </SignInFrame>
    )
  }
  return (
    <SignInFrame title="Is this address yours?">
      <p>
        The link that you opened was mailed to it. Confirm only if you use the {name} with this
        address: mails about your account, and those that you ask for, will go to it. Otherwise
        close this page, and no other mails follow.
      </p>
      <Button loading={confirm.isPending} onClick={() => confirm.mutate()}>
        Confirm the address
      </Button>
      <ProblemAlert error={confirm.error} />
    </SignInFrame>
  )
}
