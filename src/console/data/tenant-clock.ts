import { useQuery } from '@tanstack/react-query'
import { live, queryClient } from '../../pages/data/query-client.ts'
import { useSecond } from '../../pages/data/use-second.ts'
import { service, useSession } from './console-api.ts'

const CLOCK_KEY = live('sandbox', 'clock')
const POLL_MS = 5_000
/** While an advance goes on. */
const ADVANCING_POLL_MS = 500

type ReadClock = { now: string; goal?: string | undefined; readAt: number }

/** The sandbox's clock, as last read; undefined on the live stack. */
export function useSandboxClock({ pollMs = POLL_MS }: { pollMs?: number | undefined } = {}) {
  const isSandbox = useSession().stack === 'sandbox'
  return useQuery({
    queryKey: CLOCK_KEY,
    queryFn: async ({ signal }): Promise<ReadClock> => ({
      ...(await service.getSandboxClock({ signal })),
      readAt: Date.now(),
    }),
    refetchInterval: ({ state }) => (state.data?.goal === undefined ? pollMs : ADVANCING_POLL_MS),
    enabled: isSandbox,
  })
}

export function keepClock(shown: { now: string; goal?: string | undefined }): void {
  queryClient.setQueryData(CLOCK_KEY, { ...shown, readAt: Date.now() })
}

/** The time that deadlines and interest go by, each second: the tenant's own on the sandbox. */
export function useTenantNow(): Date {
  const { data } = useSandboxClock()
  const real = useSecond()
  return new Date(data ? new Date(data.now).getTime() + Math.max(0, real - data.readAt) : real)
}

/** For the `as_of` of a push. */
export async function readTenantNow(stack: 'live' | 'sandbox'): Promise<string> {
  return stack === 'sandbox' ? (await service.getSandboxClock()).now : new Date().toISOString()
}
