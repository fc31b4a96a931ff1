import { useEffect } from 'react'
import { refresh } from '../../pages/data/refresh.ts'

const POLL_MS = 5_000

/** Reads what is on screen again and again: queries whose keys `live(...)` makes. */
export function usePolling(): void {
  useEffect(() => {
    const timer = window.setInterval(refresh, POLL_MS)
    return () => window.clearInterval(timer)
  }, [])
}
