import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { live } from '../../data/live.ts'
import { service } from '../../data/service.ts'
import { createStore } from '../../data/store.ts'
import { useSandboxClock } from '../../data/tenant-clock.ts'

export type SandboxAsset = Parameters<typeof service.setSandboxPrice>[0]

const POLL_MS = 2_000
const MAX_POINTS = 500

/** A price as it was seen, by the sandbox's clock. */
export type PricePoint = { at: number; asset: string; price: number }

export function usePrices() {
  return useQuery({
    queryKey: live('sandbox', 'prices'),
    queryFn: ({ signal }) => service.listSandboxPrices({ signal }),
    refetchInterval: POLL_MS,
  })
}

const history = createStore<readonly PricePoint[]>([])

/** Prices as they were seen since the first visit of the page. */
export function usePriceHistory(): readonly PricePoint[] {
  const { data: prices } = usePrices()
  const { data: clock } = useSandboxClock()
  useEffect(() => {
    if (!prices || !clock) return
    const at = Date.parse(clock.now)
    const seen = prices.map(({ asset, price_usd: price }) => ({ at, asset, price: Number(price) }))
    const before = history.read().filter((point) => point.at < at)
    history.write([...before, ...seen].slice(-MAX_POINTS))
  }, [prices, clock])
  return history.use()
}
