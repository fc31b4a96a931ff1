import type { InfiniteData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { queryClient } from './query-client.ts'

/** Between two reads of what is on screen. */
const PAUSE_MS = 1_000
const POLL_MS = 2_000
const RETRY_MS = 15_000

/** Long lists are not read again page by page: the reader is further down. */
const MAX_LIVE_PAGES = 2

const LIVE = 'live'

/** Key of a query that is read again when an event arrives. */
export const live = (...parts: readonly unknown[]) => [LIVE, ...parts]

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
    window.clearTimeout(pending)
    pending = undefined
  }
}

let pending: number | undefined
let readAt = 0

function refreshSoon(): void {
  const delay = Math.max(0, readAt + PAUSE_MS - Date.now())
  pending ??= window.setTimeout(refresh, delay)
}

function refresh(): void {
  window.clearTimeout(pending)
  pending = undefined
  readAt = Date.now()
  if (document.visibilityState === 'hidden') return
  void queryClient.invalidateQueries({
    queryKey: [LIVE],
    predicate: ({ state }) => countPages(state.data) <= MAX_LIVE_PAGES,
  })
}

function countPages(data: unknown): number {
  const pages = (data as Partial<InfiniteData<unknown>> | undefined)?.pages
  return Array.isArray(pages) ? pages.length : 1
}
