import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { queryClient } from '../data/query-client.ts'
import { useApplication } from '../frame/application.ts'
import { ProblemAlert } from '../parts/notice.tsx'
import { ADDRESS_KEY } from './own-address.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

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
