import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Clock } from '../core/time.ts'
import type { ConnectionSlots } from '../db/connection-slots.ts'
import type { Db } from '../db/database.ts'
import type { QuoteSource } from '../domain/collateral/price-rounds.ts'
import type { PriceFeed } from '../domain/collateral/prices.ts'
import type { LendingPolicy } from '../domain/facilities/policy.ts'
import type { Custodian, Payments } from '../domain/facilities/ports.ts'
import type { MarginPolicy } from '../domain/margin/policy.ts'
import type { ComplianceProvider } from '../domain/onboarding/compliance.ts'
import type { ClockFor, InstantFor } from '../domain/tenants/tenant-clock.ts'
import type { DeadlineHandlers } from '../domain/work/deadlines.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { DeliveryLanes } from './deliveries/delivery-lanes.ts'
import type { WorkLoop } from './work/work-loop.ts'

/** What jobs work with. */
export type JobContext = {
  config: Config
  db: Db
  clock: Clock
  clockFor: ClockFor
  /** Both times, as they are now for a tenant. */
  instant: InstantFor
  compliance: ComplianceProvider
  custodian: Custodian
  payments: Payments
  /** Deletes what sandbox providers have decided of calls made before; gives the number. */
  forgetSandboxCalls(before: Date): Promise<number>
  prices: PriceFeed
  quoteSources: readonly QuoteSource[]
  policy: LendingPolicy
  marginPolicy: MarginPolicy
  /** Whether prices come in rounds, each of which looks at every debt as it then is. */
  hasRounds: boolean
  deadlineHandlers: DeadlineHandlers
  lanes: DeliveryLanes
  /** Shares the connections of `db` between classes of work. */
  slots: ConnectionSlots
  work: Pick<WorkLoop, 'wake'>
  logger: Logger
  metrics: Metrics
}
