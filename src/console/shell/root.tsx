import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useSessionQuery } from '../data/session.ts'
import { Loading } from '../parts/loading.tsx'
import { ProblemAlert } from '../parts/notice.tsx'
import { Shell } from './shell.tsx'
import { AddFirstPasskey } from './sign-in/add-first-passkey.tsx'
import { readSignInLink } from './sign-in/link.ts'
import { SignIn } from './sign-in/sign-in.tsx'
import { SignInFrame } from './sign-in/sign-in-frame.tsx'

/** A link signs in also a browser that is signed in as another person. */
const link = readSignInLink()

export function Root() {
  const { data: session, error, isPending } = useSessionQuery()
  if (isPending && link === undefined) return <div />
  if (error) {
    return (
      <SignInFrame title="The console cannot be opened">
        <ProblemAlert error={error} />
      </SignInFrame>
    )
  }
  if (!session || link?.isUsed === false) return <SignIn link={link} />
  if (session.must_add_passkey) return <AddFirstPasskey />
  return (
    <Shell>
      <Suspense fallback={<Loading />}>
        <Outlet />
      </Suspense>
    </Shell>
  )
}
