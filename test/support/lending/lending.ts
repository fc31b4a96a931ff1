import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import type { Amount } from '../../../src/core/money.ts'
import { createSealer } from '../../../src/core/sealing.ts'
import { addMs, type Instant, MINUTE_MS } from '../../../src/core/time.ts'
import { type Db, inTransaction, type Tx } from '../../../src/db/database.ts'
import type { PushOutcome, Snapshot } from '../../../src/domain/collateral/portfolios.ts'
import type { PriceFeed } from '../../../src/domain/collateral/prices.ts'
import { closeFacility } from '../../../src/domain/facilities/closing/close.ts'
import { type Draw, requestDraw } from '../../../src/domain/facilities/draws/draws.ts'
import {
  createFacility,
  type Facility,
  getFacility,
} from '../../../src/domain/facilities/facilities.ts'
import type { LendingContext } from '../../../src/domain/facilities/lending-context.ts'
import { DEFAULT_POLICY, type LendingPolicy } from '../../../src/domain/facilities/policy.ts'
import { changeFacility } from '../../../src/domain/margin/change-facility.ts'
import type { MarginContext } from '../../../src/domain/margin/evaluation/evaluate-facilities.ts'
import {
  pushPortfolio as storePush,
  toPush,
} from '../../../src/domain/margin/evaluation/push-portfolio.ts'
import { storePushes } from '../../../src/domain/margin/evaluation/store-pushes.ts'
import type { TermsInForce } from '../../../src/domain/margin/policy.ts'
import { alwaysBy, DEFAULT_MARGIN_POLICY } from '../../../src/domain/margin/policy.ts'
import { createTermsAt } from '../../../src/domain/margin/versions/terms-at.ts'
import { createRepayment, type Repayment } from '../../../src/domain/repayments/repayments.ts'
import { reportExecution } from '../../../src/domain/repayments/report-execution.ts'
import type { Claim } from '../../../src/domain/work/claim.ts'
import type { Topic } from '../../../src/domain/work/topics.ts'
import type { WorkResult } from '../../../src/domain/work/work.ts'
import type { JobContext } from '../../../src/jobs/job-context.ts'
import { lendingWork } from '../../../src/jobs/work/lend.ts'
import { marginWork } from '../../../src/jobs/work/margin.ts'
import { deadlineRuns } from '../../../src/jobs/work/work-handlers.ts'
import { createDeadlineHandlers } from '../../../src/process/deadline-handlers.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'
import { runDueWork } from '../deliveries/due-work.ts'
import { createTestDatabase, type TestDatabase } from '../stores/database.ts'
import {
  createCustodian,
  createPayments,
  createScript,
  type ProviderScript,
} from './lending-providers.ts'
import { Market } from './market.ts'
import { addBorrower, evaluate, openTenant, readEvents, sign } from './onboarding.ts'

/** A house that lends: a database, a clock, a market and two providers that tests control. */
export type Lending = AsyncDisposable &
  ProviderScript & {
    db: Db
    databaseUrl: string
    tenantId: string
    policy: LendingPolicy
    advance(ms: number): void
    instant(): Instant
    /** What domain functions take, within a transaction and as of now. */
    within(tx: Tx): LendingContext & MarginContext
    /** Prices in USD, each from now until it is set again. `priceAgeMs` makes all but the dollar old. */
    market: Map<string, string>
    priceAgeMs: number
    /** Without rounds there is no window, and nothing is evaluated. */
    hasWindow: boolean
    prices: PriceFeed
    /** What `within` and `context` decide by; a test that stores versions reads them again. */
    terms: TermsInForce
    /** With the terms that are in force until a version is stored. */
    context: JobContext & TermsInForce
  }

export const usd = (cents: bigint): Amount => ({ asset: 'USD', units: cents })
export const usdc = (units: bigint): Amount => ({ asset: 'USDC', units })

export type LendingOptions = {
  policy?: Partial<LendingPolicy>
  maxConnections?: number
  now?: string
  hasRounds?: boolean
  isSandbox?: boolean
}

export async function openLending(
  options: LendingOptions = {},
  house: object = {},
): Promise<Lending> {
  const { maxConnections = 10 } = options
  const database = await createTestDatabase({ maxConnections })
  const lending = await openIn(database, options, house)
  return Object.assign(lending, {
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  })
}

/**
 * Opens a house for each test of a file, all in one database: its connections know their statements,
 * and planning them again for each test costs most of its time. What a house leaves to be done, and
 * what its workers noted, goes when it is disposed of.
 */
export function openHousesInOneDatabase(
  maxConnections = 10,
  openDatabase: () => Promise<TestDatabase> = () => createTestDatabase({ maxConnections }),
): (options?: Omit<LendingOptions, 'maxConnections'>, house?: object) => Promise<Lending> {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openDatabase()
  })
  afterAll(() => database[Symbol.asyncDispose]())
  return (options = {}, house = {}) => openIn(database, options, house)
}

/** `house` becomes the house. */
async function openIn(
  database: TestDatabase,
  options: LendingOptions,
  house: object = {},
): Promise<Lending> {
  const { hasRounds = false, isSandbox = false } = options
  const { db } = database
  let now = new Date(options.now ?? '2026-11-20T12:00:00Z')
  const policy = { ...DEFAULT_POLICY, ...options.policy }
  const tenantId = await openTenant(db, now)
  const clock = () => now
  const instant = () => ({ now, realNow: now })

  const market = new Market(clock)
  const prices: PriceFeed = {
    async latest(_db, _tenantId, at) {
      return market.pricesAt(at, addMs(at, -lending.priceAgeMs))
    },
    quotesAt: async () => [],
    async window(_db, _tenantId, { now: at, confirmMs }) {
      return lending.hasWindow ? market.window(addMs(at, -confirmMs), at) : undefined
    },
  }
  const script = Object.assign(house, createScript(clock))
  const sealer = createSealer([{ id: 'k1', bytes: Buffer.alloc(32, 1) }])
  const custodian = createCustodian(script, db, prices)
  const own = alwaysBy({ policy, marginPolicy: DEFAULT_MARGIN_POLICY })
  const margin = { prices, termsAt: createTermsAt(own, clock), hasRounds }
  const context = {
    db,
    clock,
    clockFor: async () => now,
    instant: async () => {
      script.onStep('transaction')
      return instant()
    },
    custodian,
    payments: createPayments(script),
    sealer,
    ...margin,
    ...own,
    deadlineHandlers: createDeadlineHandlers({
      db,
      custodian,
      isSandbox,
      sealer,
      instant: async () => instant(),
      ...margin,
    }),
    logger: pino({ level: 'silent' }),
    metrics: createMetrics(),
    // What lending's jobs have no use for is not there.
  } as unknown as Lending['context']

  const lending: Lending = Object.assign(script, {
    db,
    databaseUrl: database.url,
    tenantId,
    policy,
    advance(ms: number) {
      now = addMs(now, ms)
    },
    instant,
    terms: own,
    within: (tx: Tx) => ({ tx, tenantId, ...instant(), ...lending.terms, ...margin }),
    market,
    priceAgeMs: 0,
    hasWindow: true,
    prices,
    context,
    async [Symbol.asyncDispose]() {
      await db.deleteFrom('work').where('tenant_id', '=', tenantId).execute()
      await db.deleteFrom('worker_heartbeat').execute()
    },
  })
  return lending
}

const LENDING_WORK = { ...lendingWork, ...marginWork }

/** Runs everything of lending that is due now, until nothing is; failures are due again later. */
export async function settle(lending: Lending): Promise<void> {
  const { context, db } = lending
  // The evaluations of borrowers are left where they are.
  const works = Object.entries(LENDING_WORK).map(
    ([topic, run]): [Topic, (claim: Claim) => Promise<WorkResult>] => [
      topic as Topic,
      typeof run === 'function'
        ? ({ tenantId, subjectId }) => run(context, tenantId, subjectId)
        : async (claim) => {
            const [result] = await run.batch(context, [claim])
            if (!result || 'error' in result) throw result?.error
            return result
          },
    ],
  )
  const deadlines = [...deadlineRuns(context)].map(([topic, { run }]) => [topic, run] as const)
  await runDueWork(
    db,
    new Map<Topic, (claim: Claim) => Promise<WorkResult>>([...works, ...deadlines]),
    lending.now,
  )
}

/** Sets the clock ahead in steps, running what falls due after each. */
export async function pass(lending: Lending, ms: number, stepMs = ms): Promise<void> {
  for (let gone = 0; gone < ms; gone += stepMs) {
    lending.advance(Math.min(stepMs, ms - gone))
    await settle(lending)
  }
}

export async function addEligibleBorrower(lending: Lending): Promise<string> {
  const { db, tenantId, now } = lending
  const borrowerId = await addBorrower(db, tenantId, {}, lending.instant())
  await sign(db, tenantId, borrowerId, {}, lending.instant())
  await evaluate(db, tenantId, borrowerId, { clock: now })
  return borrowerId
}

/** Pushes what a borrower holds, by default one bitcoin. */
export async function pushPortfolio(
  lending: Lending,
  borrowerId: string,
  positions: readonly { asset: string; units: bigint }[] = [{ asset: 'BTC', units: 10n ** 8n }],
  asOf: Date = lending.now(),
): Promise<void> {
  const snapshot = { asOfMicros: BigInt(asOf.getTime()) * 1_000n, positions }
  await pushSnapshot(lending, borrowerId, snapshot)
}

/** Pushes a snapshot as the API does. */
export async function pushSnapshot(
  lending: Lending,
  borrowerId: string,
  snapshot: Snapshot,
): Promise<PushOutcome> {
  const context = { ...lending.context, futureToleranceMs: MINUTE_MS }
  return await storePush(lending.db, context, { tenantId: lending.tenantId, borrowerId }, snapshot)
}

/** As part of a transaction that is held open. */
export async function pushWithin(
  tx: Tx,
  lending: Lending,
  borrowerId: string,
  snapshot: Snapshot,
): Promise<void> {
  const terms = { realNow: lending.now(), futureToleranceMs: MINUTE_MS, isEvaluated: false }
  const push = { ...toPush({ tenantId: lending.tenantId, borrowerId }, snapshot), ...terms }
  await storePushes(tx, [push], 'wait for locked')
  await tx.settle()
}

export async function applyFor(
  lending: Lending,
  borrowerId: string,
  limitCents = 40_000_00n,
  custodyAccount?: string,
): Promise<Facility> {
  return await inTransaction(lending.db, (tx) =>
    createFacility(lending.within(tx), { borrowerId, limitCents, custodyAccount }),
  )
}

/** An approved facility over one bitcoin, worth 97,000 at the outset. */
export async function addFacility(
  lending: Lending,
  options: { limitCents?: bigint; positions?: readonly { asset: string; units: bigint }[] } = {},
): Promise<Facility> {
  const borrowerId = await addEligibleBorrower(lending)
  await pushPortfolio(lending, borrowerId, options.positions)
  const { id } = await applyFor(lending, borrowerId, options.limitCents)
  await settle(lending)
  return await read(lending, id)
}

export async function read(lending: Lending, facilityId: string): Promise<Facility> {
  return await getFacility(lending.db, lending.tenantId, facilityId)
}

export async function draw(lending: Lending, facilityId: string, amount: Amount): Promise<Draw> {
  const wanted = { amount, destination: 'account-4711' }
  return await inTransaction(lending.db, async (tx) => {
    const change = await changeFacility(lending.within(tx), facilityId)
    return (await requestDraw(change, wanted)).draw
  })
}

export async function requestClosing(lending: Lending, facilityId: string): Promise<Facility> {
  return await inTransaction(lending.db, async (tx) =>
    closeFacility(await changeFacility(lending.within(tx), facilityId)),
  )
}

/** An approved facility with so much drawn and paid out. */
export async function addDrawnFacility(lending: Lending, amount: Amount): Promise<Facility> {
  const { id } = await addFacility(lending)
  await draw(lending, id, amount)
  await settle(lending)
  return await read(lending, id)
}

export async function announce(
  lending: Lending,
  facilityId: string,
  amount: Amount,
  marginWarningNumber?: number,
): Promise<Repayment> {
  const announced = { amount, marginWarningNumber }
  return await inTransaction(lending.db, async (tx) =>
    createRepayment(await changeFacility(lending.within(tx), facilityId), announced),
  )
}

export async function report(
  lending: Lending,
  { id: repaymentId, facilityId, amount }: Pick<Repayment, 'id' | 'facilityId' | 'amount'>,
  reference: string = randomUUID(),
): Promise<Repayment> {
  const completed = { status: 'completed', delivered: amount, reference } as const
  return await inTransaction(lending.db, async (tx) =>
    reportExecution(await changeFacility(lending.within(tx), facilityId), repaymentId, completed),
  )
}

/** Announces and reports a repayment; the treasury is asked when the house settles. */
export async function repay(
  lending: Lending,
  facilityId: string,
  amount: Amount,
  reference?: string,
): Promise<Repayment> {
  return await report(lending, await announce(lending, facilityId, amount), reference)
}

/** The data of the newest event of a type about a resource, or about a warning or call of it. */
export async function dataOf(lending: Lending, type: string, resourceId: string) {
  const events = await readEvents(lending.db, lending.tenantId)
  const newest = events.findLast(
    (event) => event.type === type && `${event.resource.id}/`.startsWith(`${resourceId}/`),
  )
  return newest?.data
}

/** The types of the events about a resource, in order. */
export async function eventsOf(lending: Lending, resourceId: string): Promise<string[]> {
  const events = await readEvents(lending.db, lending.tenantId)
  return events
    .filter(({ resource }) => resource.id === resourceId)
    .map(({ type, data }) => (data.code ? `${type} ${data.code}` : type))
}
