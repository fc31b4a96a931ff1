import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { Loading } from '../../pages/parts/page.tsx'
import { Gate } from '../../pages/sign-in/gate.tsx'
import { Shell } from './shell.tsx'

export function Root() {
  return (
    <Gate>
      <Shell>
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </Shell>
    </Gate>
  )
}
