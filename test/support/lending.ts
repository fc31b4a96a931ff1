import { randomUUID } from 'node:crypto'
import { pino } from 'pino'

import { type Amount, divideDown, divideUp, unitsPerWhole } from '../../src/core/money.ts'
import { addMs, type Instant, MINUTE_MS, SECOND_MS } from '../../src/core/time.ts'

import { type Db, inTransaction } from '../../src/db/database.ts'
import { createDeadlineHandlers } from '../../src/deadline-handlers.ts'
import type { PushOutcome, Snapshot } from '../../src/domain/collateral/portfolios.ts'
import {
  distinctPrices,
  ONE_USD,
  type PriceFeed,
  type Prices,
  parsePrice,
} from '../../src/domain/collateral/prices.ts'
import type { Position } from '../../src/domain/collateral/valuation.ts'
import { type Draw, requestDraw } from '../../src/domain/facilities/draws.ts'
import {
  createFacility,
  type Facility,
  getFacility,
} from '../../src/domain/facilities/facilities.ts'
import { loadPushed } from '../../src/domain/facilities/holdings.ts'
import { DEFAULT_POLICY, type LendingPolicy } from '../../src/domain/facilities/policy.ts'
import type { CallAnswer, Custodian, Payments } from '../../src/domain/facilities/ports.ts'
import { DEFAULT_MARGIN_POLICY } from '../../src/domain/margin/policy.ts'
import { pushPortfolio as storePush } from '../../src/domain/margin/push-portfolio.ts'
import { findDueWork } from '../../src/domain/outbox/outbox.ts'
import { createRepayment, type Repayment } from '../../src/domain/repayments/repayments.ts'
import { reportExecution } from '../../src/domain/repayments/report-execution.ts'
import { runDueDeadlines } from '../../src/jobs/due-deadlines.ts'
import type { JobContext } from '../../src/jobs/job-context.ts'
import { lendingJobs } from '../../src/jobs/lend.ts'
import { marginJobs } from '../../src/jobs/margin.ts'
import { createMetrics } from '../../src/metrics.ts'
import { createTestDatabase } from './database.ts'
import { addBorrower, evaluate, openTenant, readEvents, sign } from './onboarding.ts'

/**
 * How a provider treats its next call; once it has decided a call id, it keeps to that. `denied` is
 * refused for good.
 */
export type Behaviour = 'done' | 'refused' | 'denied' | 'pending' | 'down'

/** What a provider was asked to do and did: each call id at most once. */
export type Provider<Effect> = {
  /** Consumed a call each; afterwards everything succeeds. */
  next: Behaviour[]
  isDown: boolean
  /** Every call that came, in order. */
  calls: string[]
  effects: Map<string, Effect>
}

type Payment = { amount: Amount; destination: string }

/**
 * How a sale goes; what is not said is as ordered, at the market, for one per cent, now. `down` never
 * reaches the custodian; `unanswered` is carried out, and its answer is lost.
 */
export type Fill =
  | Behaviour
  | 'unanswered'
  | { units?: bigint; proceedsCents?: bigint; costsCents?: bigint; executedAt?: Date }

/** A house that lends: a database, a clock, a market and two providers that tests steer. */
export type Lending = AsyncDisposable & {
  db: Db
  databaseUrl: string
  tenantId: string
  policy: LendingPolicy
  now(): Date
  advance(ms: number): void
  instant(): Instant
  /** Prices in USD, each from now until it is set anew. `priceAgeMs` makes all but the dollar old. */
  market: Map<string, string>
  priceAgeMs: number
  /** Without rounds there is no window, and nothing is judged. */
  hasWindow: boolean
  prices: PriceFeed
  custodian: Provider<{ sequence?: bigint; floorCents?: bigint }>
  payments: Provider<Payment>
  /** How the next sales go, in order. */
  fills: Fill[]
  /** What the custodian says a borrower holds, where it is not what was pushed, less what was sold. */
  held: Map<string, readonly Position[]>
  /** What the custodian holds a facility's account to; no floor once the lien is released. */
  liens: Map<string, { sequence: bigint; floorCents: bigint | undefined }>
  /** What the treasury received under a reference, where it is not what was claimed. */
  received: Map<string, Amount | undefined>
  /** Told before and after each call to a provider and before each transaction of a job. */
  onStep: (step: string) => void
  /** Told of each time that the treasury is asked what has arrived. */
  onReceipt: (call: { callId: string }) => void
  context: JobContext
}

export const HOUR = 3_600_000
export const usd = (cents: bigint): Amount => ({ asset: 'USD', units: cents })
export const usdc = (units: bigint): Amount => ({ asset: 'USDC', units })

export async function openLending(
  options: {
    policy?: Partial<LendingPolicy>
    maxConnections?: number
    now?: string
    hasRounds?: boolean
    isSandbox?: boolean
  } = {},
): Promise<Lending> {
  const { maxConnections = 10, hasRounds = false, isSandbox = false } = options
  const database = await createTestDatabase({ maxConnections })
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
  const custodian = createProvider<{ sequence?: bigint; floorCents?: bigint }>()
  const payments = createProvider<Payment>()
  const received = new Map<string, Amount | undefined>()
  const step = (name: string) => lending.onStep(name)
  const custodianAdapter = custodianPort(custodian, step, db, prices, () => lending)
  const margin = { prices, marginPolicy: DEFAULT_MARGIN_POLICY, hasRounds }
  const context = {
    db,
    clock,
    clockFor: async () => now,
    instant: async () => {
      step('transaction')
      return instant()
    },
    custodian: custodianAdapter,
    payments: paymentsPort(payments, received, step, () => lending),
    ...margin,
    policy,
    deadlineHandlers: createDeadlineHandlers({
      db,
      custodian: custodianAdapter,
      policy,
      isSandbox,
      ...margin,
    }),
    logger: pino({ level: 'silent' }),
    metrics: createMetrics(),
    // What lending's jobs have no use for is not there.
  } as unknown as JobContext

  const lending: Lending = {
    db,
    databaseUrl: database.url,
    tenantId,
    policy,
    now: clock,
    advance(ms) {
      now = addMs(now, ms)
    },
    instant,
    market,
    priceAgeMs: 0,
    hasWindow: true,
    prices,
    custodian,
    payments,
    fills: [],
    held: new Map(),
    liens: new Map(),
    received,
    onStep: () => undefined,
    onReceipt: () => undefined,
    context,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
  return lending
}

/** Prices that stand from the instant at which they are set, as a round that repeats itself does. */
class Market extends Map<string, string> {
  readonly #now: () => Date
  readonly #rounds: { at: Date; quoted: [string, string][] }[] = []

  constructor(now: () => Date) {
    super()
    this.#now = now
    for (const [asset, price] of OPENING_PRICES) super.set(asset, price)
    this.#rounds.push({ at: new Date(0), quoted: [...this] })
  }

  override set(asset: string, price: string): this {
    super.set(asset, price)
    this.#note()
    return this
  }

  override delete(asset: string): boolean {
    const wasThere = super.delete(asset)
    this.#note()
    return wasThere
  }

  #note(): void {
    this.#rounds.push({ at: this.#now(), quoted: [...this] })
  }

  /** The prices that stand at an instant, as if accepted at `acceptedAt`. */
  pricesAt(at: Date, acceptedAt: Date): Prices {
    const round = this.#rounds.findLast((candidate) => candidate.at <= at)
    return toPrices(round?.quoted ?? [], at, acceptedAt)
  }

  /** What has stood at any time from `from` to `at`, the latest last. */
  window(from: Date, at: Date): Prices[] {
    const first = this.#rounds.findLastIndex((candidate) => candidate.at <= from)
    const rounds = this.#rounds.slice(first).filter((round) => round.at <= at)
    return distinctPrices(rounds.map(({ quoted }) => toPrices(quoted, at, at)))
  }
}

const OPENING_PRICES = [
  ['BTC', '100000'],
  ['ETH', '4000'],
  ['USDC', '1'],
] as const

function toPrices(quoted: readonly [string, string][], at: Date, acceptedAt: Date): Prices {
  const prices = quoted.map(([asset, text]) => {
    return [asset, { price: parsePrice(text) ?? 0n, at: acceptedAt }] as const
  })
  return new Map([['USD', { price: ONE_USD, at }], ...prices])
}

function createProvider<Effect>(): Provider<Effect> {
  return { next: [], isDown: false, calls: [], effects: new Map() }
}

/** One call to a provider that decides it once for its id. */
function createAnswer<Effect>(provider: Provider<Effect>, step: (name: string) => void) {
  const refusedIds = new Map<string, boolean>()
  return function answer<Result>(
    call: { callId: string; realNow: Date },
    effect: Effect,
    result: Result,
  ): CallAnswer<Result> {
    step('before call')
    provider.calls.push(call.callId)
    const behaviour = provider.isDown ? 'down' : (provider.next.shift() ?? 'done')
    if (behaviour === 'down') throw new Error('the provider is down')
    if (behaviour === 'pending') {
      return { status: 'pending', askAgainAt: addMs(call.realNow, 5 * SECOND_MS) }
    }
    if (!provider.effects.has(call.callId)) {
      if (behaviour === 'refused' || behaviour === 'denied') {
        refusedIds.set(call.callId, behaviour === 'refused')
      }
      const retryable = refusedIds.get(call.callId)
      if (retryable !== undefined) return { status: 'refused', code: 'test_refused', retryable }
      provider.effects.set(call.callId, effect)
    }
    step('after call')
    return { status: 'done', ...result }
  }
}

/** Holds what was pushed, less what it has sold; sells whole orders at the market for one per cent. */
function custodianPort(
  provider: Lending['custodian'],
  step: (name: string) => void,
  db: Db,
  prices: PriceFeed,
  house: () => Lending,
): Custodian {
  const answer = createAnswer(provider, step)
  /** What it knows of orders: taken on, executed, or refused for ever. */
  const orders = new Map<string, Sold | 'accepted' | 'refused'>()
  const changeLien = (
    call: Parameters<Custodian['releaseLien']>[0],
    floorCents: bigint | undefined,
  ): CallAnswer<object> => {
    const { sequence } = call
    const newest = house().liens.get(call.facilityId)
    if (newest && newest.sequence > sequence && !provider.effects.has(call.callId)) {
      return { status: 'refused', code: 'superseded', retryable: false }
    }
    const given = answer(call, { sequence, ...(floorCents !== undefined && { floorCents }) }, {})
    if (given.status === 'done' && sequence > (newest?.sequence ?? 0n)) {
      house().liens.set(call.facilityId, { sequence, floorCents })
    }
    return given
  }
  return {
    setFloor: async (call) => changeLien(call, call.floorCents),
    confirmControl: async (call) => answer(call, {}, {}),
    releaseLien: async (call) => changeLien(call, undefined),
    async positions(call) {
      const pushed = await loadPushed(db, call.tenantId, [call.borrowerId])
      const { borrowerId } = call
      const positions = house().held.get(borrowerId) ?? pushed.get(borrowerId)?.positions ?? []
      return answer(call, {}, { positions })
    },
    async sell(call) {
      const known = orders.get(call.callId)
      if (known === 'refused') return REFUSED
      if (known && known !== 'accepted') return answer(call, {}, known)
      if (!known && house().now() > call.placeBy) return REFUSED
      const fill = (provider.isDown ? undefined : house().fills.shift()) ?? {}
      if (typeof fill === 'string' && fill !== 'unanswered') provider.next.unshift(fill)
      const execution = await execute(call, typeof fill === 'string' ? {} : fill)
      try {
        const given = answer(call, {}, execution)
        if (given.status === 'pending') orders.set(call.callId, 'accepted')
        if (given.status === 'refused') orders.set(call.callId, 'refused')
        if (fill === 'unanswered') throw new Error('the answer was lost')
        return given
      } finally {
        // Executed, whether or not anybody hears of it.
        if (provider.effects.has(call.callId)) {
          orders.set(call.callId, execution)
          const { asset } = call.order
          await takeFromHeld(db, house().held, call.callId, { asset, units: execution.units })
        }
      }
    },
    async cancelSale(call) {
      const known = orders.get(call.callId)
      if (known && typeof known !== 'string') return answer(call, {}, known)
      step('before call')
      provider.calls.push(call.callId)
      if (provider.isDown) throw new Error('the provider is down')
      orders.set(call.callId, 'refused')
      step('after call')
      return REFUSED
    },
  }

  async function execute(
    { tenantId, order }: Parameters<Custodian['sell']>[0],
    said: Exclude<Fill, string>,
  ): Promise<Sold> {
    const { asset, inKind } = order
    const latest = await prices.latest(db, tenantId, house().now())
    const price = latest.get(asset)?.price ?? 0n
    const units = said.units ?? order.units
    const marketCents = divideDown(units * price * 100n, unitsPerWhole(asset) * ONE_USD)
    const proceedsCents = said.proceedsCents ?? marketCents
    const costsCents = said.costsCents ?? (inKind ? 0n : divideUp(proceedsCents, 100n))
    return { units, proceedsCents, costsCents, executedAt: said.executedAt ?? house().now() }
  }
}

const REFUSED = { status: 'refused', code: 'test_refused', retryable: true } as const

/** What is sold is no longer held, where a test says what is. */
async function takeFromHeld(db: Db, all: Lending['held'], callId: string, sold: Position) {
  const { borrower_id: borrowerId } = await db
    .selectFrom('facilities')
    .select('borrower_id')
    .where('facility_id', '=', callId.split('/')[0] ?? '')
    .executeTakeFirstOrThrow()
  const held = all.get(borrowerId)
  if (!held) return
  const left = held.map(({ asset, units }) => {
    return { asset, units: asset === sold.asset ? units - sold.units : units }
  })
  all.set(borrowerId, left)
}

type Sold = { units: bigint; proceedsCents: bigint; costsCents: bigint; executedAt: Date }

function paymentsPort(
  provider: Lending['payments'],
  received: Map<string, Amount | undefined>,
  step: (name: string) => void,
  house: () => Lending,
): Payments {
  const pay = createAnswer(provider, step)
  const confirm = createAnswer(
    {
      // One script for both kinds of calls, in the order in which they come.
      get next() {
        return provider.next
      },
      get isDown() {
        return provider.isDown
      },
      calls: [],
      effects: new Map(),
    } as Lending['payments'],
    step,
  )
  return {
    payOut: async (call) => {
      const { amount, destination } = call
      return pay(call, { amount, destination }, { reference: `paid-${call.callId}` })
    },
    async confirmReceipt(call) {
      house().onReceipt(call)
      const amount = received.has(call.reference) ? received.get(call.reference) : call.claimed
      const nothing = { amount: call.claimed, destination: '' }
      return confirm(call, nothing, { received: amount })
    },
  }
}

const jobOf = new Map([...lendingJobs, ...marginJobs].map((job) => [job.name, job]))

/** Runs everything of lending that is due now, until nothing is; failures are due again later. */
export async function settle(lending: Lending): Promise<void> {
  const { context } = lending
  for (let round = 0; round < 50; round += 1) {
    await runDueDeadlines(context)
    // The evaluations of borrowers are left where they are.
    const topics = [...jobOf.keys()]
    const due = await findDueWork(lending.db, topics, { now: lending.now(), limit: 1_000 })
    const jobs = due.flatMap((item) => {
      const job = jobOf.get(item.topic)
      return job ? [() => job.run(context, item, context.logger)] : []
    })
    if (jobs.length === 0) return
    for (const run of jobs) await run().catch(() => undefined)
  }
  throw new Error('work never came to an end')
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

/** Pushes a snapshot as the API does; by itself, or as part of a transaction that is held open. */
export async function pushSnapshot(
  lending: Lending,
  borrowerId: string,
  snapshot: Snapshot,
  db: Db = lending.db,
): Promise<PushOutcome> {
  const context = { ...lending.context, futureToleranceMs: MINUTE_MS }
  return await storePush(db, context, lending.tenantId, borrowerId, snapshot)
}

export async function applyFor(
  lending: Lending,
  borrowerId: string,
  limitCents = 40_000_00n,
  custodyAccount?: string,
): Promise<Facility> {
  return await inTransaction(lending.db, (tx) =>
    createFacility(
      tx,
      lending.tenantId,
      { borrowerId, limitCents, custodyAccount },
      lending.policy,
      lending.instant(),
    ),
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
  return await inTransaction(lending.db, (tx) =>
    requestDraw(tx, lending.tenantId, facilityId, wanted, lending, lending.instant()),
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
  const { db, tenantId, policy } = lending
  const announced = { amount, marginWarningNumber }
  return await inTransaction(db, (tx) =>
    createRepayment(tx, tenantId, facilityId, announced, { policy, now: lending.now() }),
  )
}

export async function report(
  lending: Lending,
  { id: repaymentId, facilityId, amount }: Pick<Repayment, 'id' | 'facilityId' | 'amount'>,
  reference: string = randomUUID(),
): Promise<Repayment> {
  const ids = { facilityId, repaymentId }
  const completed = { status: 'completed', delivered: amount, reference } as const
  return await inTransaction(lending.db, (tx) =>
    reportExecution(tx, lending.tenantId, ids, completed, lending.instant()),
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
