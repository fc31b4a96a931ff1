import type { Call, CallOptions } from '../call.ts'
import { listPages, listWhole } from '../listing.ts'
import type {
  Collateral,
  FacilityPreview,
  MarginCall,
  MarginLevels,
  MarginWarning,
  NewNotice,
  Notice,
  PageRequest,
  PreviewActs,
} from './resources.ts'

export function marginMethods(call: Call) {
  const at = (facilityId: string, number: number) => ({
    path: { facility_id: facilityId, number },
  })
  return {
    getCollateral: (facilityId: string, options?: CallOptions): Promise<Collateral> =>
      call('getCollateral', { ...options, path: { facility_id: facilityId } }),

    /** At which price of each asset a warning would be raised, or collateral sold. */
    getMarginLevels: (facilityId: string, options?: CallOptions): Promise<MarginLevels> =>
      call('getMarginLevels', { ...options, path: { facility_id: facilityId } }),

    /** What draws, repayments, collateral, prices and days would lead to; changes nothing. */
    previewFacility: (
      facilityId: string,
      acts: PreviewActs = {},
      options?: CallOptions,
    ): Promise<FacilityPreview> =>
      call('previewFacility', { ...options, path: { facility_id: facilityId }, body: acts }),

    getMarginWarning: (
      facilityId: string,
      number: number,
      options?: CallOptions,
    ): Promise<MarginWarning> =>
      call('getMarginWarning', { ...options, ...at(facilityId, number) }),

    /** Kept as evidence with the raise; nothing is sent. */
    reportNotice: (
      facilityId: string,
      number: number,
      notice: NewNotice,
      options?: CallOptions,
    ): Promise<Notice> =>
      call('reportNotice', { ...options, ...at(facilityId, number), body: notice }),

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

    /** The signed file, byte for byte: keep it, and verify it with `verifyReceipt`. */
    getReceipt: async (
      facilityId: string,
      number: number,
      options?: CallOptions,
    ): Promise<string> =>
      String(
        await call('getReceipt', {
          ...{ ...options, ...at(facilityId, number), accept: 'application/json' },
        }),
      ),

    /** Newest first. */
    listMarginCalls: (facilityId: string, query: PageRequest = {}, options?: CallOptions) =>
      listPages(call, 'listMarginCalls', { ...options, path: { facility_id: facilityId }, query }),
  }
}
