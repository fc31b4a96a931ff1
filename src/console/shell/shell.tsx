import type { ReactNode } from 'react'
import { useLiveFigures } from '../data/live.ts'
import { Frame, Liveness } from '../frame/frame.tsx'

export function Shell({ children }: { children: ReactNode }) {
  const isLive = useLiveFigures() === 'live'
  const title = isLive ? 'Figures follow as events arrive' : 'Figures are read every 2 seconds'
  return (
    <Frame
      label="Console"
      bar={<Liveness isLive={isLive} title={title} />}
      manuals={
        <>
          <a href="/docs/guides" target="_blank" rel="noreferrer">
            Guides
          </a>
          <a href="/docs" target="_blank" rel="noreferrer">
            API reference
          </a>
        </>
      }
    >
      {children}
    </Frame>
  )
}
