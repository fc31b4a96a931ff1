import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
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

const opened = readSignInLink()

/** A link signs in also a browser that is signed in, and a tab that shows the console already. */
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
  return { link, isNew, markUsed: () => setNew(false) }
}

export function Root() {
  return (
    <Suspense>
      <Gate />
    </Suspense>
  )
}

function Gate() {
  const { data: session, error, isPending } = useSessionQuery()
  const { link, isNew, markUsed } = useSignInLink()
  if (isPending && link === undefined) return <div />
  if (error) {
    return (
      <SignInFrame title="The console cannot be opened">
        <ProblemAlert error={error} />
      </SignInFrame>
    )
  }
  if (!session || isNew) {
    return <SignIn key={link?.token} link={link} isLinkNew={isNew} onLinkUsed={markUsed} />
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
