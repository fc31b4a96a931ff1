import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { addMs, DAY_MS, systemClock } from '../../../src/core/time.ts'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import { DEFAULT_POLICY } from '../../../src/domain/facilities/policy.ts'
import { REFRESH_FLOOR } from '../../../src/domain/facilities/topics.ts'
import { evaluateTenant } from '../../../src/domain/margin/evaluation/evaluate.ts'
import { DEFAULT_MARGIN_POLICY } from '../../../src/domain/margin/policy.ts'
import { createTermsAt } from '../../../src/domain/margin/versions/terms-at.ts'
import { createClockFor } from '../../../src/domain/tenants/tenant-clock.ts'
import { createTenant } from '../../../src/domain/tenants/tenants.ts'
import { advanceClock, beginAdvance, endAdvance } from '../../../src/domain/work/advance-clock.ts'
import { setDeadlines } from '../../../src/domain/work/deadlines.ts'
import { createDeadlineHandlers } from '../../../src/process/deadline-handlers.ts'
import { createSandboxCustodian } from '../../../src/providers/sandbox/custodian-sandbox.ts'
import { createSandboxPrices } from '../../../src/providers/sandbox/prices-sandbox.ts'
import { p99AtMost } from '../aims.ts'
import { addFacilities } from '../data/facilities-data.ts'
import type { Row } from '../report.ts'

const DAYS = 400
const MARKET = new Map([
  ['BTC', 100_000n * 10n ** 8n],
  ['ETH', 4_000n * 10n ** 8n],
  ['USDC', 10n ** 8n],
])

/**
 * A sandbox clock set ahead by 400 days over `facilities` facilities, one in ten of which is carried
 * over the floor by its interest on the way: warned, escalated and sold.
 */
export async function measureClock(db: Db, facilities: number): Promise<Row> {
  const clock = systemClock
  const { id: tenantId } = await inTransaction(db, (tx) => createTenant(tx, 'Bench', clock()))
  const added = await addFacilities(db, tenantId, facilities)
  const ids = added.map(({ facilityId }) => facilityId)
  const sold = ids.filter((_, at) => at % 10 === 0)
  await sql`UPDATE facilities SET principal_cents = 9300000
    WHERE tenant_id = ${tenantId} AND facility_id = ANY (${sold}::text[])`.execute(db)

  const clockFor = createClockFor('sandbox', clock)
  const prices = createSandboxPrices(MARKET)
  const own = { policy: DEFAULT_POLICY, marginPolicy: DEFAULT_MARGIN_POLICY }
  const margin = { prices, termsAt: createTermsAt(own, clock), hasRounds: false }
  const custodian = createSandboxCustodian(db, prices, clockFor)
  const lending = { db, custodian, isSandbox: true, ...margin }
  const context = { db, clock, clockFor, deadlineHandlers: createDeadlineHandlers(lending) }
  const now = clock()
  await evaluateTenant(db, margin, tenantId, { now, realNow: now })
  const tomorrow = ids.map((subjectId) => ({ subjectId, dueAt: addMs(now, DAY_MS) }))
  await inTransaction(db, (tx) => setDeadlines(tx, tenantId, REFRESH_FLOOR, tomorrow))

  const startedAt = performance.now()
  const to = await beginAdvance(context, tenantId, { seconds: DAYS * 86_400, key: randomUUID() })
  const { hasArrived } = await advanceClock(context, to, addMs(clock(), DAY_MS))
  const ms = performance.now() - startedAt
  await inTransaction(db, (tx) => endAdvance(tx, to))
  const { rows } = await sql<{ completed: bigint }>`
    SELECT count(*) AS completed FROM margin_calls
    WHERE tenant_id = ${tenantId} AND status = 'COMPLETED'`.execute(db)
  if (!hasArrived || Number(rows[0]?.completed) !== sold.length) {
    throw new Error(`${rows[0]?.completed} of ${sold.length} margin calls have completed`)
  }
  return {
    name: `(o) a sandbox clock set ahead by ${DAYS} days over ${facilities} facilities, ${sold.length} of them sold`,
    unit: 'days/s',
    ours: (DAYS * 1_000) / ms,
    p99Ms: { ours: ms },
    aim: p99AtMost(5_000),
  }
}
