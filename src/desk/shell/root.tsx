import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { Frame } from '../../pages/frame/frame.tsx'
import { Loading } from '../../pages/parts/page.tsx'
import { Gate } from '../../pages/sign-in/gate.tsx'
import { usePolling } from '../data/polling.ts'

export function Root() {
  return (
    <Gate>
      <Shell />
    </Gate>
  )
}

function Shell() {
  usePolling()
  return (
    <Frame label="Desk">
      <Suspense fallback={<Loading />}>
        <Outlet />
      </Suspense>
    </Frame>
  )
}
