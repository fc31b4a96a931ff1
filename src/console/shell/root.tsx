import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useSessionQuery } from '../data/session.ts'
import { Loading } from '../parts/loading.tsx'
import { ProblemAlert } from '../parts/notice.tsx'
import { Shell } from './shell.tsx'
import { readSignInLink } from './sign-in/link.ts'
import { SignInFrame } from './sign-in/sign-in-frame.tsx'

const SignIn = lazy(async () => ({ default: (await import('./sign-in/sign-in.tsx')).SignIn }))
const AddFirstPasskey = lazy(async () => ({
  default: (await import('./sign-in/add-first-passkey.tsx')).AddFirstPasskey,
}))

/** A link signs in also a browser that is signed in as another person. */
const link = readSignInLink()

export function Root() {
  return (
    <Suspense>
      <Gate />
    </Suspense>
  )
}

function Gate() {
  const { data: session, error, isPending } = useSessionQuery()
  const [isLinkNew, setLinkNew] = useState(link?.token !== undefined)
  if (isPending && link === undefined) return <div />
  if (error) {
    return (
      <SignInFrame title="The console cannot be opened">
        <ProblemAlert error={error} />
      </SignInFrame>
    )
  }
  if (!session || isLinkNew) {
    return <SignIn link={link} isLinkNew={isLinkNew} onLinkUsed={() => setLinkNew(false)} />
  }
  if (session.must_add_passkey) return <AddFirstPasskey />
  return (
    <Shell>
      <Suspense fallback={<Loading />}>
        <Outlet />
      </Suspense>
    </Shell>
  )
}
