import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Sealer } from '../core/sealing.ts'
import type { Clock } from '../core/time.ts'
import type { ConnectionSlots } from '../db/connections/connection-slots.ts'
import type { Db } from '../db/database.ts'
import type { QuoteSource } from '../domain/collateral/price-rounds.ts'
import type { PriceFeed } from '../domain/collateral/prices.ts'
import type { Custodian, Payments } from '../domain/facilities/ports.ts'
import type { SendMail } from '../domain/mails/send-to-person.ts'
import type { TermsAt } from '../domain/margin/policy.ts'
import type { ComplianceProvider } from '../domain/onboarding/compliance.ts'
import type { ClockFor, InstantFor } from '../domain/tenants/tenant-clock.ts'
import type { DeadlineHandlers } from '../domain/work/deadlines.ts'
import type { Metrics } from '../telemetry/metrics.ts'

export type JobContext = {
  config: Config
  db: Db
  clock: Clock
  clockFor: ClockFor
  instant: InstantFor
  sealer: Sealer
  compliance: ComplianceProvider
  custodian: Custodian
  payments: Payments
  /** Deletes sandbox providers' answers to earlier calls; returns the number. */
  forgetSandboxCalls(before: Date): Promise<number>
  /** Undefined where no mail server is configured. */
  sendMail: SendMail | undefined
  prices: PriceFeed
  quoteSources: readonly QuoteSource[]
  termsAt: TermsAt
  hasRounds: boolean
  deadlineHandlers: DeadlineHandlers
  slots: ConnectionSlots
  logger: Logger
  metrics: Metrics
}
