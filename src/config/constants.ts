// Numbers that no operator needs to change, each with the reason for its value. Those of lending and margin are in
// domain/facilities/policy.ts and domain/margin/policy.ts.
import { listMarketFacts } from '../core/assets.ts'
import { parsePrice } from '../domain/collateral/prices.ts'

export const CONSTANTS = {
  /** Clocks that are kept agree to a second; a captured request is soon worth nothing. */
  signatureToleranceSeconds: 60,
  /** A revocation takes effect within 5 s: this and one query. */
  keyCacheSeconds: 4,
  /** Enough to rotate keys and to give each program its own. */
  maxActiveKeys: 5,
  /** Enough for each environment and service of a tenant; each event is a delivery to all of them. */
  maxWebhooks: 20,

  /** Far above any request but a portfolio's. */
  maxBodyBytes: 64 * 1024,
  /** Room for 200 positions, the most that a portfolio holds. */
  portfolioMaxBodyBytes: 256 * 1024,
  /** Request bodies nest three levels deep. */
  maxJsonDepth: 16,

  /** Below the 30 s after which a silent connection is closed. */
  portfolioWaitSeconds: 10,
  /** Of one tenant in one process. */
  portfolioWaitingBorrowers: 500,
  /** Memory that waiting bodies take in one process; those of one tenant take half at most. */
  portfolioWaitingBytes: 64 * 1024 * 1024,
  /** A request waits no longer for its token: without Redis's answer the process counts alone. */
  limiterAnswerMs: 100,
  /** Of one process, for the requests of one tenant: others have the rest, whatever these wait for. With
   * more, each request of the others waits longer for a core of PostgreSQL. */
  tenantConnections: 8,

  /** Longer than any client repeats a request. */
  idempotencyRetentionDays: 30,
  /** Covers a client that retries the next day; the secret then exists in one place only. */
  secretReplayHours: 24,
  /** As the signature's; a snapshot far ahead would keep true ones out. */
  asOfToleranceSeconds: 60,
  /** Positions are read this often near the floor, where a withdrawal matters at once. */
  custodianReadSeconds: 60,
  /** Far from the floor; 100,000 facilities read every minute would cost more than all other work. */
  custodianCalmReadSeconds: 600,
  /** Six rounds in the minute for which a price must hold before it decides. */
  priceRoundSeconds: 10,

  /** They answer a question of the last weeks; a price that decided is kept with its decision. */
  priceRetentionDays: 30,
  /** 10^-8 USD: the sandbox's own market. A tenant sets what it wants to see. */
  sandboxMarket: new Map<string, bigint>(
    listMarketFacts(({ sandboxUsd }) => sandboxUsd).map(([asset, usd]) => [
      asset,
      parsePrice(usd) ?? 0n,
    ]),
  ),

  /** All: a collector drops what is not wanted, and knows by then how a trace ended. */
  traceRatio: 1,

  /** In flight in one worker. An endpoint that needs 15 s for each event still gets 40 a minute. */
  deliveriesPerWebhook: 10,
  /** Five of its endpoints may hang, and its others are served. */
  deliveriesPerTenant: 50,

  /** npm run build:pages writes them there, from the folder of package.json. */
  consoleFolder: 'dist/console',
  deskFolder: 'dist/desk',

  vendorLimits: {
    /** Below the 30 s for which a worker holds a piece of work. */
    deadlineSeconds: 10,
    /** One or two failures happen to any vendor; five in a row are an outage. */
    breakerFailures: 5,
    /** An item whose money waits fails five times in 80 s: four pauses of 2 to 16 s and five deadlines.
     * So an outage that it meets alone counts, and failures that are hours apart do not. */
    breakerWindowSeconds: 120,
    breakerSeconds: 10,
  },
  /** Vendors sign a redelivery again, so a later retry is not refused. */
  callbackToleranceSeconds: 300,
}

export type Constants = Readonly<typeof CONSTANTS>
