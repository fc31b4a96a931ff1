import { useQuery } from '@tanstack/react-query'
import { live } from '../../../pages/data/query-client.ts'
import { consoleApi, service } from '../../data/console-api.ts'
import { useSandboxClock } from '../../data/tenant-clock.ts'

export type SandboxAsset = Parameters<typeof service.setSandboxPrice>[0]

const POLL_MS = 2_000
/** How far back the chart begins before the first price that was set. */
const LEAD_MS = 60_000
/** The service lists no more than these. */
const MAX_CHANGES = 200

/** A price from this instant on, by the sandbox's clock. */
export type PricePoint = { at: number; price: number }

export function usePrices() {
  return useQuery({
    queryKey: live('sandbox', 'prices'),
    queryFn: ({ signal }) => service.listSandboxPrices({ signal }),
    refetchInterval: POLL_MS,
  })
}

/** Every price that was set, by whoever it was, up to now. */
export function usePriceHistory(asset: SandboxAsset) {
  const { data: prices } = usePrices()
  const { data: clock } = useSandboxClock()
  const { data: changes, error } = useQuery({
    queryKey: live('sandbox', 'prices', asset),
    queryFn: ({ signal }) => consoleApi.listPriceChanges(asset, signal),
    refetchInterval: POLL_MS,
  })
  const latest = prices?.find((price) => price.asset === asset)
  if (!changes || !clock || !latest) return { points: undefined, isSet: false, error }
  const price = Number(latest.price_usd)
  const now = { at: Date.parse(clock.now), price }
  const set = changes.items.map((item) => ({
    at: Date.parse(item.at),
    price: Number(item.price_usd),
  }))
  const first = set[0]?.at ?? now.at
  const before = { at: first - LEAD_MS, price: Number(changes.market_usd) }
  const isWhole = set.length < MAX_CHANGES
  const points: readonly PricePoint[] = [
    ...(isWhole ? [before] : []),
    ...set.filter(({ at }) => at < now.at),
    now,
  ]
  return { points, isSet: set.length > 0, error }
}
