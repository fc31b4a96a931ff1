import type { ErrorCode } from '../../core/errors.ts'
import { CONSOLE_ERRORS } from './console-errors.ts'
import type { ErrorEntry } from './error-entry.ts'
import { LENDING_ERRORS } from './lending-errors.ts'
import { OPERATOR_ERRORS } from './operator-errors.ts'
import { REQUEST_ERRORS } from './request-errors.ts'
import { SERVICE_ERRORS } from './service-errors.ts'

/** Status and title of each problem object, and the text of its page under /errors. */
export const ERROR_CATALOGUE = {
  ...REQUEST_ERRORS,
  ...LENDING_ERRORS,
  ...SERVICE_ERRORS,
  ...CONSOLE_ERRORS,
  ...OPERATOR_ERRORS,
} as const satisfies Record<ErrorCode, ErrorEntry>
