import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { ProblemAlert } from '../parts/page.tsx'
import { PersonSessionProvider, useSessionQuery } from './session.ts'
import { SignInFrame } from './sign-in-frame.tsx'

const SignIn = lazy(async () => ({ default: (await import('./sign-in.tsx')).SignIn }))
const AddFirstPasskey = lazy(async () => ({
  default: (await import('./passkeys-page.tsx')).AddFirstPasskey,
}))

const ConfirmAddress = lazy(async () => ({
  default: (await import('./own-address.tsx')).ConfirmAddress,
}))

const opened = readSignInLink()

/** A link signs in also a browser that is signed in, and a tab that shows the pages already. */
function useSignInLink() {
  const [link, setLink] = useState(opened)
  const [isNew, setNew] = useState(opened?.token !== undefined)
  useEffect(() => {
    const take = () => {
      const pasted = readSignInLink()
      if (pasted === undefined) return
      setLink(pasted)
      setNew(pasted.token !== undefined)
    }
    window.addEventListener('hashchange', take)
    return () => window.removeEventListener('hashchange', take)
  }, [])
  return { link, isNew, markUsed: () => setNew(false), forget: () => setLink(undefined) }
}

/** Draws `children` for someone who is signed in. */
export function Gate({ children }: { children: ReactNode }) {
  return (
    <Suspense>
      <Entrance>{children}</Entrance>
    </Suspense>
  )
}

function Entrance({ children }: { children: ReactNode }) {
  const { data: session, error, isPending } = useSessionQuery()
  const { link, isNew, markUsed, forget } = useSignInLink()
  if (link?.confirmation !== undefined) {
    const { confirmation } = link
    return <ConfirmAddress key={confirmation} token={confirmation} onClose={forget} />
  }
  if (isPending && link === undefined) return <div />
  // A session that was read stays on screen while the service cannot be reached.
  if (error && !session) {
    return (
      <SignInFrame title="The page cannot be opened">
        <ProblemAlert error={error} />
      </SignInFrame>
    )
  }
  if (!session || isNew) {
    return <SignIn key={link?.token} link={link} isLinkNew={isNew} onLinkUsed={markUsed} />
  }
  // Another person's pages begin again: they keep nothing that the one before has read.
  return (
    <PersonSessionProvider key={session.person.id} value={session}>
      {session.must_add_passkey ? <AddFirstPasskey /> : children}
    </PersonSessionProvider>
  )
}

export type SignInLink = {
  token: string | undefined
  /** Confirms the address that it was mailed to; signs no one in. */
  confirmation: string | undefined
  /** Why the identity provider's answer was refused. */
  failure: string | undefined
}

/** Takes the token out of the address, so that it stays in no history. */
export function readSignInLink(): SignInLink | undefined {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const token = fragment.get('token') ?? undefined
  const failure = fragment.get('error') ?? undefined
  const confirmation = fragment.get('confirm') ?? undefined
  if ((token ?? failure ?? confirmation) === undefined) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  return { token, failure, confirmation }
}
