import { MONEY_ASSETS } from '../../core/money.ts'
import type { ErrorEntries } from './error-entry.ts'

/** A refusal because of the borrower, the facility or the collateral. */
export const LENDING_ERRORS = {
  borrower_not_eligible: {
    status: 409,
    title: 'Borrower Not Eligible',
    cause: 'The borrower has not completed onboarding, or the operator has blocked it.',
    cure: 'The detail names what is missing: the documents to sign, by type and version, and the incomplete checks. Then wait for borrower.eligible. If it does not come, or if the borrower is eligible, ask the operator.',
  },
  borrower_erased: {
    status: 409,
    title: 'Borrower Erased',
    cause: 'The lender has erased the personal data of this borrower.',
    cure: 'Create a new borrower.',
  },
  facility_not_approved: {
    status: 409,
    title: 'Facility Not Approved',
    cause: 'The state of the facility does not allow this operation.',
    cure: 'The detail names the state and the next step: wait for facility.decisioned while it is PENDING, apply for a new facility where it is DECLINED or CLOSED.',
  },
  facility_exists: {
    status: 409,
    title: 'Facility Exists',
    cause: 'The borrower already has a facility that is pending, approved or closing.',
    cure: 'Use that facility, or close it first.',
  },
  external_id_taken: {
    status: 409,
    title: 'External Id Taken',
    cause: 'Another of your borrowers or facilities was created with this external_id.',
    cure: 'Read the one that existing_id names: it may be the one that you wanted to create. A declined or cancelled application leaves its id free.',
  },
  facility_on_hold: {
    status: 409,
    title: 'Facility On Hold',
    cause:
      'The lender has put the facility on hold: it pays nothing out, sells nothing and does not close.',
    cure: 'Wait for facility.released, then ask again. Repayments and portfolios are accepted meanwhile.',
  },
  nothing_to_return: {
    status: 409,
    title: 'Nothing To Return',
    cause: 'Nothing was received for the repayment, or paid out for the draw.',
    cure: 'Wait until the repayment is APPLIED or the draw is COMPLETED, then ask again.',
  },
  draws_blocked: {
    status: 409,
    title: 'Draws Blocked',
    cause:
      'No draw is possible now: the loan-to-value after it would be too high, the facility is not healthy, the portfolio is too old, the draw is in USDC while USDC is worth less than a dollar, or the borrower owes a deficit on an earlier facility.',
    cure: 'Push a fresh portfolio, add collateral, draw less, draw USD or repay the deficit; the detail names the reason.',
  },
  outstanding_balance: {
    status: 409,
    title: 'Outstanding Balance',
    cause:
      'The facility still has debt, an open margin warning, or a draw, repayment or margin call in progress.',
    cure: 'Repay the outstanding total, wait for what is in progress, then close.',
  },
  margin_warning_not_open: {
    status: 409,
    title: 'Margin Warning Not Open',
    cause: 'The facility has no open margin warning with this number.',
    cure: 'Read the margin warnings; omit the number for a repayment that cures none.',
  },
  margin_call_not_completed: {
    status: 409,
    title: 'Margin Call Not Completed',
    cause: 'The receipt of a sale is made when its margin call completes.',
    cure: 'Wait for margin_call.completed, then read the receipt.',
  },
  execution_already_reported: {
    status: 409,
    title: 'Execution Already Reported',
    cause: 'The execution of this repayment was already reported.',
    cure: 'Read the repayment for its result. A repayment that failed as expired or not_received still accepts a completed report.',
  },
  duplicate_reference: {
    status: 409,
    title: 'Duplicate Reference',
    cause: 'Another repayment was reported with this external reference, in this or another case.',
    cure: 'Report each external transfer once, for the repayment that it executes.',
  },
  as_of_conflict: {
    status: 409,
    title: 'As-of Conflict',
    cause: 'A snapshot with this as_of and different content is already stored.',
    cure: 'Use a different as_of for each snapshot of a borrower.',
  },
  contract_version_unknown: {
    status: 422,
    title: 'Contract Version Unknown',
    cause: 'The contract and version are not among the documents that can be accepted now.',
    cure: 'Read GET /v1/documents and have the borrower accept a version listed there.',
  },
  unsupported_asset: {
    status: 422,
    title: 'Unsupported Asset',
    cause: `Only ${MONEY_ASSETS.join(' and ')} can be drawn and repaid.`,
    cure: `Use ${MONEY_ASSETS.join(' or ')}.`,
  },
  credit_limit_exceeded: {
    status: 422,
    title: 'Credit Limit Exceeded',
    cause: 'The draw, the principal and the reservations together exceed the credit limit.',
    cure: 'Draw at most the remainder named in the detail: the limit less principal and reservations.',
  },
  as_of_in_future: {
    status: 422,
    title: 'As-of In Future',
    cause: 'The as_of of the snapshot is in the future.',
    cure: "Set the clock of the program that takes your snapshots. The detail shows the service's clock for this tenant, which may have been advanced in the sandbox (GET /v1/sandbox/clock).",
  },
  residency_not_supported: {
    status: 422,
    title: 'Residency Not Supported',
    cause: 'The operator does not lend to borrowers of this type with this residency.',
    cure: 'No change of the request helps. Ask the operator for its residency policy.',
  },
} as const satisfies ErrorEntries
