import type { InfiniteData } from '@tanstack/react-query'
import { live, queryClient } from './query-client.ts'

/** Between two reads of what is on screen. */
const PAUSE_MS = 1_000
/** Long lists are not read again page by page: the reader is further down. */
const MAX_LIVE_PAGES = 2

let pending: number | undefined
let readAt = 0

/** Reads what is on screen again, at most once a second. */
export function refreshSoon(): void {
  const delay = Math.max(0, readAt + PAUSE_MS - Date.now())
  pending ??= window.setTimeout(refresh, delay)
}

export function refresh(): void {
  window.clearTimeout(pending)
  pending = undefined
  readAt = Date.now()
  if (document.visibilityState === 'hidden') return
  void queryClient.invalidateQueries({
    queryKey: live(),
    predicate: ({ state }) => countPages(state.data) <= MAX_LIVE_PAGES,
  })
}

export function forgetRefresh(): void {
  window.clearTimeout(pending)
  pending = undefined
}

function countPages(data: unknown): number {
  const pages = (data as Partial<InfiniteData<unknown>> | undefined)?.pages
  return Array.isArray(pages) ? pages.length : 1
}
