import type { Call, CallOptions } from '../call.ts'
import { listPages, listWhole } from '../listing.ts'
import type { Collateral, MarginCall, MarginWarning, PageRequest } from './resources.ts'

export function marginMethods(call: Call) {
  const at = (facilityId: string, number: number) => ({
    path: { facility_id: facilityId, number },
  })
  return {
    getCollateral: (facilityId: string, options?: CallOptions): Promise<Collateral> =>
      call('getCollateral', { ...options, path: { facility_id: facilityId } }),

    getMarginWarning: (
      facilityId: string,
      number: number,
      options?: CallOptions,
    ): Promise<MarginWarning> =>
      call('getMarginWarning', { ...options, ...at(facilityId, number) }),

    /** Newest first. */
    listMarginWarnings: (facilityId: string, query: PageRequest = {}, options?: CallOptions) =>
      listPages(call, 'listMarginWarnings', {
        ...options,
        path: { facility_id: facilityId },
        query,
      }),

    /** Oldest first. */
    listMarginDecisions: (facilityId: string, number: number, options?: CallOptions) =>
      listWhole(call, 'listMarginDecisions', { ...options, ...at(facilityId, number) }),

    getMarginCall: (
      facilityId: string,
      number: number,
      options?: CallOptions,
    ): Promise<MarginCall> => call('getMarginCall', { ...options, ...at(facilityId, number) }),

    /** Newest first. */
    listMarginCalls: (facilityId: string, query: PageRequest = {}, options?: CallOptions) =>
      listPages(call, 'listMarginCalls', { ...options, path: { facility_id: facilityId }, query }),
  }
}
