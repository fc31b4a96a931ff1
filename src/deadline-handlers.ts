import { type Db, inTransaction } from './db/database.ts'
import type { PriceFeed } from './domain/collateral/prices.ts'
import type { DeadlineHandlers } from './domain/deadlines/deadlines.ts'
import { refreshFloor } from './domain/facilities/floors.ts'
import type { LendingPolicy } from './domain/facilities/policy.ts'
import { DECIDE_FACILITY, REFRESH_FLOOR } from './domain/facilities/topics.ts'
import { settleOverdue } from './domain/facilities/underwriting.ts'
import { EXPIRE_REPAYMENT } from './domain/repayments/repayments.ts'
import { expireRepayment } from './domain/repayments/report-execution.ts'

/** Who looks at what when its instant comes: run by the sweeper, and by a sandbox clock set ahead. */
export function createDeadlineHandlers(lending: {
  prices: PriceFeed
  policy: LendingPolicy
}): DeadlineHandlers {
  return new Map([
    [EXPIRE_REPAYMENT, expireRepayment],
    [
      DECIDE_FACILITY,
      async (db: Db, { tenantId, subjectId }, instant) => {
        await inTransaction(db, (tx) => settleOverdue(tx, lending, tenantId, subjectId, instant))
      },
    ],
    [
      REFRESH_FLOOR,
      async (db: Db, { tenantId, subjectId }, instant) => {
        await inTransaction(db, (tx) => refreshFloor(tx, tenantId, subjectId, instant))
      },
    ],
  ])
}
