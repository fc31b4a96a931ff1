import type { ReactNode } from 'react'
import { Frame, Liveness } from '../../pages/frame/frame.tsx'
import { useLiveFigures } from '../data/live.ts'

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
