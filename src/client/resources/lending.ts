import type { Call, CallOptions } from '../call.ts'
import { listPages } from '../listing.ts'
import type { Query } from '../operation-types.ts'
import type {
  Draw,
  ExecutionReport,
  Facility,
  NewDraw,
  NewFacility,
  NewRepayment,
  PageRequest,
  Repayment,
} from './resources.ts'

/** Facilities, their draws and repayments (interface, Facility and Repayment). */
export function lendingMethods(call: Call) {
  return { ...facilityMethods(call), ...drawMethods(call), ...repaymentMethods(call) }
}

function facilityMethods(call: Call) {
  return {
    /** Underwriting decides in the background and tells by `facility.decisioned`. */
    createFacility: (facility: NewFacility, options?: CallOptions): Promise<Facility> =>
      call('createFacility', { ...options, body: facility }),

    getFacility: (facilityId: string, options?: CallOptions): Promise<Facility> =>
      call('getFacility', { ...options, path: { facility_id: facilityId } }),

    /** Newest first. */
    listFacilities: (query: Query<'listFacilities'> = {}, options?: CallOptions) =>
      listPages(call, 'listFacilities', { ...options, query }),

    /** Cancels an application, or closes a facility that owes nothing; told by `facility.closed`. */
    closeFacility: (facilityId: string, options?: CallOptions): Promise<Facility> =>
      call('closeFacility', { ...options, path: { facility_id: facilityId } }),
  }
}

function drawMethods(call: Call) {
  return {
    /** Reserves the amount; the payout is told by `draw.completed` or `draw.failed`. */
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

    /**
     * Tells what became of a repayment's instructions. What the treasury then finds under the
     * reference is applied, as of the arrival of this report.
     */
    reportExecution: (
      facilityId: string,
      repaymentId: string,
      report: ExecutionReport,
      options?: CallOptions,
    ): Promise<Repayment> =>
      call('reportExecution', { ...options, ...at(facilityId, repaymentId), body: report }),
  }
}
