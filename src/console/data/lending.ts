import { useQuery } from '@tanstack/react-query'
import { live } from '../../pages/data/query-client.ts'
import { service } from './console-api.ts'

export const facilityKey = (id: string, ...parts: readonly unknown[]) =>
  live('facility', id, ...parts)

export function useFacility(id: string) {
  return useQuery({
    queryKey: facilityKey(id),
    queryFn: ({ signal }) => service.getFacility(id, { signal }),
    refetchInterval: 10_000,
  })
}

export function useCollateral(id: string, enabled: boolean) {
  return useQuery({
    queryKey: facilityKey(id, 'collateral'),
    queryFn: ({ signal }) => service.getCollateral(id, { signal }),
    refetchInterval: 10_000,
    enabled,
  })
}

export function useLevels(id: string, enabled: boolean) {
  return useQuery({
    queryKey: facilityKey(id, 'levels'),
    queryFn: ({ signal }) => service.getMarginLevels(id, { signal }),
    refetchInterval: 10_000,
    enabled,
  })
}

export function useBorrower(id: string) {
  return useQuery({
    queryKey: live('borrower', id),
    queryFn: ({ signal }) => service.getBorrower(id, { signal }),
  })
}

/** The newest warnings of a facility, newest first. */
export function useWarnings(facilityId: string) {
  return useQuery({
    queryKey: facilityKey(facilityId, 'warnings'),
    queryFn: ({ signal }) => service.listMarginWarnings(facilityId, { limit: 50 }, { signal }),
  })
}

export function useCalls(facilityId: string) {
  return useQuery({
    queryKey: facilityKey(facilityId, 'calls'),
    queryFn: ({ signal }) => service.listMarginCalls(facilityId, { limit: 50 }, { signal }),
  })
}

export function useDecisions(facilityId: string, number: number) {
  return useQuery({
    queryKey: facilityKey(facilityId, 'decisions', number),
    queryFn: ({ signal }) => service.listMarginDecisions(facilityId, number, { signal }),
  })
}
