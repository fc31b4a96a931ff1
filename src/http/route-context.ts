import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { CursorCodec } from '../core/cursor.ts'
import type { Sealer } from '../core/sealing.ts'
import type { Clock } from '../core/time.ts'
import type { Db } from '../db/database.ts'
import type { PriceFeed } from '../domain/collateral/prices.ts'
import type { TermsAt } from '../domain/margin/policy.ts'
import type { IdentityProvider } from '../domain/people/sign-in/identity-provider.ts'
import type { RequestLog } from '../domain/request-log/request-log.ts'
import type { ClockFor } from '../domain/tenants/tenant-clock.ts'
import type { AddressPolicy } from '../domain/webhooks/address-policy.ts'
import type { WebhookSender } from '../domain/webhooks/webhook-sender.ts'
import type { ResolveHost } from '../domain/webhooks/webhook-url.ts'
import type { DeadlineHandlers } from '../domain/work/deadlines.ts'
import type { PortfolioLine } from './limits/portfolio-line.ts'
import type { TokenBuckets } from './limits/token-buckets.ts'
import type { createReplayFirst, Mutate } from './plugins/idempotency.ts'

export type RouteContext = {
  /** The version, and in an image its commit and date. */
  build: string
  config: Config
  db: Db
  buckets: TokenBuckets
  clock: Clock
  clockFor: ClockFor
  cursors: CursorCodec
  sealer: Sealer
  prices: PriceFeed
  termsAt: TermsAt
  hasRounds: boolean
  deadlineHandlers: DeadlineHandlers
  addressPolicy: AddressPolicy
  resolveHost: ResolveHost
  sender: WebhookSender
  mutate: Mutate
  /** Undefined where people do not sign in by one. */
  identityProvider: IdentityProvider | undefined
  replayFirst: ReturnType<typeof createReplayFirst>
  line: PortfolioLine
  logger: Logger
  requestLog: RequestLog
}
