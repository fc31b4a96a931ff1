import type { QueriesFile } from '../queries-file.ts'
import { AUDIT_CALLS } from './audit.ts'
import { COLLATERAL_CALLS } from './collateral.ts'
import { CONSOLE_CALLS } from './console.ts'
import { ERASURE_CALLS } from './erasure.ts'
import { FACILITY_CALLS } from './facilities.ts'
import { HISTORY_CALLS } from './history.ts'
import { MARGIN_CALLS } from './margin.ts'
import { MARGIN_DESK_CALLS } from './margin-desk.ts'
import { MONTH_END_CALLS } from './month-end.ts'
import { ONBOARDING_CALLS } from './onboarding.ts'
import { OPERATIONS_CALLS } from './operations.ts'
import { OPERATOR_CALLS } from './operators.ts'
import { PEOPLE_CALLS } from './people.ts'
import { RECONCILIATION_CALLS } from './reconciliation.ts'
import { REVIEW_QUEUE_CALLS } from './review-queue.ts'
import { SANDBOX_CALLS } from './sandbox.ts'
import { TENANT_CALLS } from './tenants.ts'
import { WEBHOOK_CALLS } from './webhooks.ts'
import { WORK_CALLS } from './work.ts'

export const QUERY_FILES: readonly QueriesFile[] = [
  ...TENANT_CALLS,
  ...WORK_CALLS,
  ...WEBHOOK_CALLS,
  ...ONBOARDING_CALLS,
  ...ERASURE_CALLS,
  ...COLLATERAL_CALLS,
  ...FACILITY_CALLS,
  ...MARGIN_CALLS,
  ...MARGIN_DESK_CALLS,
  ...HISTORY_CALLS,
  ...CONSOLE_CALLS,
  ...OPERATOR_CALLS,
  ...REVIEW_QUEUE_CALLS,
  ...OPERATIONS_CALLS,
  ...SANDBOX_CALLS,
  ...RECONCILIATION_CALLS,
  ...MONTH_END_CALLS,
  ...PEOPLE_CALLS,
  ...AUDIT_CALLS,
]
