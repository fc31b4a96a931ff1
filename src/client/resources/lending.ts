import type { Call, CallOptions } from '../call.ts'
import { listLines, listPages } from '../listing.ts'
import type { Query } from '../operation-types.ts'
import type {
  Draw,
  ExecutionReport,
  Facility,
  NewDraw,
  NewFacility,
  NewRepayment,
  PageRequest,
  Payoff,
  Repayment,
  StatementQuery,
} from './resources.ts'

export function lendingMethods(call: Call) {
  return { ...facilityMethods(call), ...drawMethods(call), ...repaymentMethods(call) }
}

function facilityMethods(call: Call) {
  return {
    /** Underwriting decides in the background; `facility.decisioned` reports the decision. */
    createFacility: (facility: NewFacility, options?: CallOptions): Promise<Facility> =>
      call('createFacility', { ...options, body: facility }),

    getFacility: (facilityId: string, options?: CallOptions): Promise<Facility> =>
      call('getFacility', { ...options, path: { facility_id: facilityId } }),

    /** Newest first. */
    listFacilities: (query: Query<'listFacilities'> = {}, options?: CallOptions) =>
      listPages(call, 'listFacilities', { ...options, query }),

    /** Every movement by value date, in pages; the balances are those of the whole period. */
    getStatement: (facilityId: string, query: StatementQuery = {}, options?: CallOptions) =>
      listLines(call, { ...options, path: { facility_id: facilityId }, query }),

    /** The whole period as a table with a header line. */
    getStatementCsv: async (
      facilityId: string,
      query: StatementQuery = {},
      options?: CallOptions,
    ): Promise<string> => {
      const path = { facility_id: facilityId }
      return String(await call('getStatement', { ...options, path, query, accept: 'text/csv' }))
    },

    /** What closes a facility at an instant; by default now. */
    getPayoff: (
      facilityId: string,
      query: Query<'getPayoff'> = {},
      options?: CallOptions,
    ): Promise<Payoff> =>
      call('getPayoff', { ...options, path: { facility_id: facilityId }, query }),

    /** Cancels an application, or closes a facility without debt; `facility.closed` reports it. */
    closeFacility: (facilityId: string, options?: CallOptions): Promise<Facility> =>
      call('closeFacility', { ...options, path: { facility_id: facilityId } }),
  }
}

function drawMethods(call: Call) {
  return {
    /** Reserves the amount; `draw.completed` or `draw.failed` reports the payout. */
    requestDraw: (facilityId: string, draw: NewDraw, options?: CallOptions): Promise<Draw> =>
      call('requestDraw', { ...options, path: { facility_id: facilityId }, body: draw }),

    getDraw: (facilityId: string, drawId: string, options?: CallOptions): Promise<Draw> =>
      call('getDraw', { ...options, path: { facility_id: facilityId, draw_id: drawId } }),

    /** Newest first. */
    listDraws: (facilityId: string, query: PageRequest = {}, options?: CallOptions) =>
      listPages(call, 'listDraws', { ...options, path: { facility_id: facilityId }, query }),
  }
}

function repaymentMethods(call: Call) {
  const at = (facilityId: string, repaymentId: string) => ({
    path: { facility_id: facilityId, repayment_id: repaymentId },
  })
  return {
    /** Execute the answer's instructions in order, then report the execution. */
    createRepayment: (
      facilityId: string,
      repayment: NewRepayment,
      options?: CallOptions,
    ): Promise<Repayment> =>
      call('createRepayment', { ...options, path: { facility_id: facilityId }, body: repayment }),

    getRepayment: (
      facilityId: string,
      repaymentId: string,
      options?: CallOptions,
    ): Promise<Repayment> => call('getRepayment', { ...options, ...at(facilityId, repaymentId) }),

    /** Newest first. */
    listRepayments: (facilityId: string, query: PageRequest = {}, options?: CallOptions) =>
      listPages(call, 'listRepayments', { ...options, path: { facility_id: facilityId }, query }),

    /** Reports how a repayment was executed; what the treasury confirms is applied. */
    reportExecution: (
      facilityId: string,
      repaymentId: string,
      report: ExecutionReport,
      options?: CallOptions,
    ): Promise<Repayment> =>
      call('reportExecution', { ...options, ...at(facilityId, repaymentId), body: report }),
  }
}
