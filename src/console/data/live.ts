import { useEffect, useState } from 'react'
import { forgetRefresh, refresh, refreshSoon } from '../../pages/data/refresh.ts'

const POLL_MS = 2_000
const RETRY_MS = 15_000

export type Liveness = 'live' | 'polling'

/** Follows the tenant's event log; without a stream it polls. */
export function useLiveFigures(): Liveness {
  const [liveness, setLiveness] = useState<Liveness>('polling')
  useEffect(() => follow(setLiveness), [])
  return liveness
}

function follow(report: (liveness: Liveness) => void): () => void {
  let poll: number | undefined
  let retry: number | undefined
  let source: EventSource | undefined
  const startPolling = () => {
    report('polling')
    poll ??= window.setInterval(refresh, POLL_MS)
  }
  const stopPolling = () => {
    window.clearInterval(poll)
    poll = undefined
    report('live')
  }
  const open = () => {
    source = new EventSource('/console/api/stream')
    source.addEventListener('open', () => {
      stopPolling()
      refresh()
    })
    source.addEventListener('event', refreshSoon)
    source.addEventListener('skipped', refreshSoon)
    source.addEventListener('error', () => {
      startPolling()
      if (source?.readyState === EventSource.CLOSED) retry = window.setTimeout(open, RETRY_MS)
    })
  }
  open()
  return () => {
    source?.close()
    window.clearInterval(poll)
    window.clearTimeout(retry)
    forgetRefresh()
  }
}
