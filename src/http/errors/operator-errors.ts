import type { ErrorEntries } from './error-entry.ts'

/** Refusals of the operator API and of operators' commands. */
export const OPERATOR_ERRORS = {
  token_required: {
    status: 401,
    title: 'Token Required',
    cause:
      'The request has no token of an operator, or the token is unknown, revoked or expired, or its operator was removed.',
    cure: 'Send Authorization: Bearer and the token. The operators tokens command makes one.',
  },
  approval_not_open: {
    status: 409,
    title: 'Approval Not Open',
    cause:
      'The proposal was confirmed, rejected or has expired, who proposed it is no operator any more, or what it would change has changed since.',
    cure: 'List the approvals. If the act is still wanted, propose it again.',
  },
  retention_not_over: {
    status: 409,
    title: 'Retention Not Over',
    cause:
      'The law has the borrower’s data kept: something of it is not settled, or ended less than five years ago.',
    cure: 'The detail names each thing and until when it is kept. Settle what is open, or ask again then.',
  },
} as const satisfies ErrorEntries
