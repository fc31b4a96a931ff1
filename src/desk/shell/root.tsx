import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { Frame } from '../../console/frame/frame.tsx'
import { Loading } from '../../console/parts/loading.tsx'
import { Gate } from '../../console/sign-in/gate.tsx'
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
