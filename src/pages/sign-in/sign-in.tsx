import { Button } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { WAYS_KEY } from '../data/query-client.ts'
import { useApplication } from '../frame/application.ts'
import { Loading, Notice, ProblemAlert } from '../parts/page.tsx'
import type { SignInLink } from './gate.tsx'
import { signInByPasskey } from './passkeys.ts'
import { keepSession } from './session.ts'
import { SignInFrame } from './sign-in-frame.tsx'

type SignInProps = {
  link: SignInLink | undefined
  isLinkNew: boolean
  onLinkUsed: () => void
}

export function SignIn({ link, isLinkNew, onLinkUsed }: SignInProps) {
  const { api } = useApplication()
  const isFirst = useRef(true)
  const byLink = useMutation({
    mutationFn: api.signInByLink,
    onSuccess: keepSession,
    onSettled: onLinkUsed,
  })
  useEffect(() => {
    // Once: the token is for one use.
    if (!isFirst.current || !link?.token || !isLinkNew) return
    isFirst.current = false
    byLink.mutate(link.token)
  }, [link, isLinkNew, byLink.mutate])
  if (byLink.isPending) {
    return (
      <SignInFrame title="Signing in…">
        <Loading lines={2} />
      </SignInFrame>
    )
  }
  return (
    <SignInFrame title="Sign in">
      <ProblemAlert error={byLink.error} />
      {link?.failure !== undefined && (
        <Notice tone="bad" title="The identity provider did not sign you in.">
          {link.failure}
        </Notice>
      )}
      <Ways />
    </SignInFrame>
  )
}

function Ways() {
  const { api, oidcStart, linkCommand, howToJoin } = useApplication()
  const ways = useQuery({ queryKey: WAYS_KEY, queryFn: api.getSignInWays })
  const byPasskey = useMutation({
    mutationFn: () => signInByPasskey(api),
    onSuccess: keepSession,
  })
  if (ways.isPending) return <Loading lines={2} />
  if (ways.error) return <ProblemAlert error={ways.error} />
  const { oidc, local } = ways.data
  return (
    <>
      <Button
        fullWidth
        leftSection={<IconFingerprint size={18} aria-hidden />}
        loading={byPasskey.isPending}
        onClick={() => byPasskey.mutate()}
      >
        Sign in with a passkey
      </Button>
      <ProblemAlert error={byPasskey.error} />
      {oidc && (
        <Button fullWidth variant="default" component="a" href={oidcStart}>
          Sign in with {oidc.name}
        </Button>
      )}
      <p className="quiet">
        {local ? (
          <>
            On this machine, <span className="mono">{linkCommand}</span> prints a link that signs
            you in.
          </>
        ) : (
          howToJoin
        )}
      </p>
    </>
  )
}
