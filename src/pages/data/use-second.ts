import { useEffect, useState } from 'react'

const TICK_MS = 1_000

/** The browser's time, each second. */
export function useSecond(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), TICK_MS)
    return () => window.clearInterval(timer)
  }, [])
  return now
}
