import type { ErrorEntries } from './error-entry.ts'

/** Refusals of operators' acts. */
export const OPERATOR_ERRORS = {
  approval_not_open: {
    status: 409,
    title: 'Approval Not Open',
    cause:
      'The proposal was confirmed, rejected or has expired, who proposed it is no operator any more, or what it would change has changed since.',
    cure: 'List the approvals. If the act is still wanted, propose it again.',
  },
} as const satisfies ErrorEntries
