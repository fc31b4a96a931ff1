import { useQuery } from '@tanstack/react-query'
import { list } from '../../data/operator-api.ts'

/** The service keeps a reading for a minute. */
const REFETCH_MS = 30_000

/** Of one tenant, or of all. */
export function useBook(tenantId: string | undefined) {
  return useQuery({
    queryKey: ['book', tenantId],
    queryFn: ({ signal }) => list('getBook', { tenant_id: tenantId }, signal),
    refetchInterval: REFETCH_MS,
  })
}
