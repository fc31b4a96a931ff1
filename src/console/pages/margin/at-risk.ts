import { useQuery } from '@tanstack/react-query'
import type { Facility } from '../../../client/index.ts'
import { live } from '../../../pages/data/query-client.ts'
import { service } from '../../data/console-api.ts'

const PAGE = 500
const MAX_PAGES = 8

/** Loans that are not healthy, the highest ratio first. `isCut` where there are too many to read. */
export function useLoansAtRisk() {
  return useQuery({
    queryKey: live('facilities', 'at-risk'),
    queryFn: async ({ signal }) => {
      const loans: Facility[] = []
      let from: string | undefined
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const answer = await service.listFacilities(
          { state: 'APPROVED', limit: PAGE, ...(from !== undefined && { from }) },
          { signal },
        )
        loans.push(...answer.items.filter(({ health }) => health !== 'HEALTHY'))
        if (!answer.has_more) return { loans: byRatio(loans), isCut: false }
        from = answer.next_cursor
      }
      return { loans: byRatio(loans), isCut: true }
    },
    staleTime: 2_000,
    refetchInterval: 15_000,
  })
}

function byRatio(loans: readonly Facility[]): Facility[] {
  return loans.toSorted((a, b) => Number(b.ltv) - Number(a.ltv))
}
