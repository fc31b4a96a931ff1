import { type Amount, divideDown, divideUp, unitsPerWhole } from '../../../src/core/money.ts'
import { addMs, SECOND_MS } from '../../../src/core/time.ts'
import type { Db } from '../../../src/db/database.ts'
import { ONE_USD, type PriceFeed } from '../../../src/domain/collateral/prices.ts'
import type { Position } from '../../../src/domain/collateral/valuation.ts'
import { loadPushed } from '../../../src/domain/facilities/custody/holdings.ts'
import type {
  AccountReading,
  CallAnswer,
  Custodian,
  Payments,
} from '../../../src/domain/facilities/ports.ts'
import { type Bank, createBank, listDay, noteLine } from './bank.ts'

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

/**
 * How a sale goes; what is not given is as ordered, at the market, for one per cent, now. `down`
 * never reaches the custodian; `unanswered` is carried out, and its answer is lost.
 */
export type Fill =
  | Behaviour
  | 'unanswered'
  | { units?: bigint; proceedsCents?: bigint; costsCents?: bigint; executedAt?: Date }

/** How tests set custodian and payments to answer, and what those did. */
export type ProviderScript = {
  now(): Date
  custodian: Provider<{ sequence?: bigint; floorCents?: bigint }>
  payments: Provider<{ amount: Amount; destination: string }>
  /** Calls that were cancelled, by id, in order: unknown ids are refused from then on. */
  cancelled: string[]
  /** How the next sales go, in order. */
  fills: Fill[]
  /** What the custodian reports as held, where it is not what was pushed less what was sold. */
  held: Map<string, readonly Position[]>
  /** What the custodian holds a facility's account to; no floor once the lien is released. */
  liens: Map<string, { sequence: bigint; floorCents: bigint | undefined }>
  /** What the treasury received under a reference, where it is not what was claimed. */
  received: Map<string, Amount | undefined>
  /** When it arrived under a reference, where the treasury knows. */
  receivedAt: Map<string, Date>
  /** Until when it can be taken back, by reference; what is not here is final. */
  finalAt: Map<string, Date>
  /** The transfer that came under a reference, where it is not one of its own. */
  transfers: Map<string, string>
  /** What came back of what was done, by the call's id: from then on each answer is this. */
  returned: Map<string, { amount?: Amount; code: string; returnedAt: Date }>
  /** What its accounts have seen. */
  bank: Bank
  /** Called before and after each call to a provider and before each transaction of a job. */
  onStep: (step: string) => void
  /** Called each time that the treasury is polled for what has arrived. */
  onReceipt: (call: { callId: string }) => void
}

/** Providers with default answers: everything succeeds. */
export function createScript(now: () => Date): ProviderScript {
  return {
    now,
    custodian: createProvider(),
    payments: createProvider(),
    cancelled: [],
    fills: [],
    held: new Map(),
    liens: new Map(),
    received: new Map(),
    receivedAt: new Map(),
    finalAt: new Map(),
    transfers: new Map(),
    returned: new Map(),
    bank: createBank(),
    onStep: () => undefined,
    onReceipt: () => undefined,
  }
}

function createProvider<Effect>(): Provider<Effect> {
  return { next: [], isDown: false, calls: [], effects: new Map() }
}

/** One call to a provider that decides it once for its id. */
function createAnswer<Effect>(provider: Provider<Effect>, script: ProviderScript) {
  const refusedIds = new Map<string, boolean>()
  return function answer<Result>(
    call: { callId: string; realNow: Date },
    effect: Effect,
    result: Result,
  ): CallAnswer<Result> {
    script.onStep('before call')
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
    script.onStep('after call')
    return { status: 'done', ...result }
  }
}

/** Refused unless it was done before, and if it comes later. */
function createCancel<Effect>(
  provider: Provider<Effect>,
  script: ProviderScript,
  answer: ReturnType<typeof createAnswer<Effect>>,
) {
  return function cancel<Result>(
    call: { callId: string; realNow: Date },
    effect: Effect,
    result: Result,
  ): CallAnswer<Result> {
    script.cancelled.push(call.callId)
    provider.next.unshift('refused')
    return answer(call, effect, result)
  }
}

type Execution = { units: bigint; proceedsCents: bigint; costsCents: bigint; executedAt: Date }

const REFUSED = { status: 'refused', code: 'test_refused', retryable: true } as const

/** Answers about each account as `positions` of the same custodian does. */
export async function answerReadings(
  this: Custodian,
  call: Parameters<Custodian['readings']>[0],
): Promise<Map<string, AccountReading>> {
  const readings = new Map<string, AccountReading>()
  for (const account of call.accounts) {
    const callId = `${account.facilityId}/${call.callId}`
    const given = await this.positions({ ...call, ...account, callId })
    readings.set(account.facilityId, given.status === 'pending' ? { status: 'unanswered' } : given)
  }
  return readings
}

/** Holds what was pushed, less what it has sold; sells whole orders at the market for one per cent. */
export function createCustodian(script: ProviderScript, db: Db, prices: PriceFeed): Custodian {
  const provider = script.custodian
  const answer = createAnswer(provider, script)
  const cancel = createCancel(provider, script, answer)
  /** What it knows of orders: taken on, executed, or refused for ever. */
  const orders = new Map<string, Execution | 'accepted' | 'refused'>()
  const changeLien = (
    call: Parameters<Custodian['releaseLien']>[0],
    floorCents: bigint | undefined,
  ): CallAnswer<object> => {
    const { sequence } = call
    const newest = script.liens.get(call.facilityId)
    if (newest && newest.sequence > sequence && !provider.effects.has(call.callId)) {
      return { status: 'refused', code: 'superseded', retryable: false }
    }
    const given = answer(call, { sequence, ...(floorCents !== undefined && { floorCents }) }, {})
    if (given.status === 'done' && sequence > (newest?.sequence ?? 0n)) {
      script.liens.set(call.facilityId, { sequence, floorCents })
    }
    return given
  }
  return {
    setFloor: async (call) => changeLien(call, call.floorCents),
    confirmControl: async (call) => answer(call, {}, {}),
    releaseLien: async (call) => changeLien(call, undefined),
    cancelRelease: async (call) => cancel(call, {}, {}),
    async positions(call) {
      const pushed = await loadPushed(db, call.tenantId, [call.borrowerId])
      const { borrowerId } = call
      const positions = script.held.get(borrowerId) ?? pushed.get(borrowerId)?.positions ?? []
      return answer(call, {}, { positions })
    },
    readings: answerReadings,
    async sell(call) {
      const known = orders.get(call.callId)
      if (known === 'refused') return REFUSED
      if (known && known !== 'accepted') return answer(call, {}, known)
      if (!known && script.now() > call.placeBy) return REFUSED
      const fill = (provider.isDown ? undefined : script.fills.shift()) ?? {}
      if (typeof fill === 'string' && fill !== 'unanswered') provider.next.unshift(fill)
      const latest = await prices.latest(db, call.tenantId, script.now())
      const price = latest.get(call.order.asset)?.price ?? 0n
      const execution = execute(call, price, typeof fill === 'string' ? {} : fill, script.now())
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
          const { asset, inKind } = call.order
          const { units, proceedsCents, costsCents } = execution
          const net = proceedsCents > costsCents ? proceedsCents - costsCents : 0n
          noteLine(script.bank, {
            ...{ transferId: `sold-${call.callId}`, callId: call.callId, at: script.now() },
            amount: inKind ? { asset, units } : { asset: 'USD', units: net },
          })
          await takeFromHeld(db, script.held, call, { asset, units: execution.units })
        }
      }
    },
    async cancelSale(call) {
      const known = orders.get(call.callId)
      if (known && typeof known !== 'string') {
        script.cancelled.push(call.callId)
        return answer(call, {}, known)
      }
      script.onStep('before call')
      provider.calls.push(call.callId)
      script.cancelled.push(call.callId)
      if (provider.isDown) throw new Error('the provider is down')
      orders.set(call.callId, 'refused')
      script.onStep('after call')
      return REFUSED
    },
    async accounts({ tenantId, after = '' }) {
      const rows = await db
        .selectFrom('facilities')
        .select(['facility_id', 'borrower_id'])
        .where('tenant_id', '=', tenantId)
        .where('facility_id', '>', after)
        .where('state', 'in', ['APPROVED', 'CLOSING'])
        .orderBy('facility_id')
        .execute()
      const pushed = await loadPushed(
        db,
        tenantId,
        rows.map((row) => row.borrower_id),
      )
      const accounts = rows.map((row) => ({
        facilityId: row.facility_id,
        floorCents: script.liens.get(row.facility_id)?.floorCents,
        positions: script.held.get(row.borrower_id) ?? pushed.get(row.borrower_id)?.positions ?? [],
      }))
      return { status: 'done', accounts, next: undefined }
    },
  }
}

function execute(
  { order }: Parameters<Custodian['sell']>[0],
  price: bigint,
  said: Exclude<Fill, string>,
  now: Date,
): Execution {
  const units = said.units ?? order.units
  const marketCents = divideDown(units * price * 100n, unitsPerWhole(order.asset) * ONE_USD)
  const proceedsCents = said.proceedsCents ?? marketCents
  const costsCents = said.costsCents ?? (order.inKind ? 0n : divideUp(proceedsCents, 100n))
  return { units, proceedsCents, costsCents, executedAt: said.executedAt ?? now }
}

/** What is sold is no longer held, where a test sets what is. */
async function takeFromHeld(
  db: Db,
  all: ProviderScript['held'],
  { tenantId, callId }: { tenantId: string; callId: string },
  sold: Position,
) {
  const { borrower_id: borrowerId } = await db
    .selectFrom('facilities')
    .select('borrower_id')
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', callId.split('/')[0] ?? '')
    .executeTakeFirstOrThrow()
  const held = all.get(borrowerId)
  if (!held) return
  const left = held.map(({ asset, units }) => {
    return { asset, units: asset === sold.asset ? units - sold.units : units }
  })
  all.set(borrowerId, left)
}

/** Pays what it is asked to, and has received what was claimed. */
export function createPayments(script: ProviderScript): Payments {
  const pay = createAnswer(script.payments, script)
  const cancel = createCancel(script.payments, script, pay)
  // One script for both kinds of calls, in the order in which they come.
  const treasury: ProviderScript['payments'] = {
    get next() {
      return script.payments.next
    },
    get isDown() {
      return script.payments.isDown
    },
    calls: [],
    effects: new Map(),
  }
  const confirm = createAnswer(treasury, script)
  const { bank } = script
  const note = (callId: string, transferId: string, amount: Amount, at = script.now()) =>
    noteLine(bank, { callId, transferId, amount, at })
  /** What was done is on the bank too. */
  const backOf = (callId: string, transferId: string, moved: Amount) => {
    const back = script.payments.isDown ? undefined : script.returned.get(callId)
    if (!back) return undefined
    note(callId, transferId, moved, back.returnedAt)
    const whole = back.amount ?? { ...moved, units: moved.units < 0n ? -moved.units : moved.units }
    const units = moved.units < 0n ? whole.units : -whole.units
    const line = { transferId: `${transferId}-return`, amount: { ...whole, units } }
    noteLine(bank, { ...line, callId, returns: transferId, at: back.returnedAt })
    return { status: 'returned', ...back, amount: whole } as const
  }
  const out = ({ asset, units }: Amount): Amount => ({ asset, units: -units })
  const putPayout =
    (put: typeof pay): Payments['payOut'] =>
    async (call) => {
      const { amount, destination, callId } = call
      const reference = `paid-${callId}`
      const back = backOf(callId, reference, out(amount))
      if (back) return back
      try {
        return put(call, { amount, destination }, { reference })
      } finally {
        // Paid, whether or not anybody hears of it.
        if (script.payments.effects.has(callId)) note(callId, reference, out(amount))
      }
    }
  return {
    payOut: putPayout(pay),
    cancelPayOut: putPayout(cancel),
    async confirmReceipt(call) {
      script.onReceipt(call)
      const { received } = script
      const transferId =
        script.transfers.get(call.reference) ?? `transfer-${call.tenantId}-${call.reference}`
      const whole = received.get(call.reference) ?? call.claimed
      const back = backOf(call.callId, transferId, whole)
      if (back) return back
      const amount = received.has(call.reference) ? received.get(call.reference) : call.claimed
      const nothing = { amount: call.claimed, destination: '' }
      const receivedAt = script.receivedAt.get(call.reference)
      const finalAt = script.finalAt.get(call.reference)
      const receipt = amount && { transferId, amount, receivedAt, finalAt }
      const given = confirm(call, nothing, { receipt })
      if (given.status === 'done' && amount) note(call.callId, transferId, amount, receivedAt)
      return given
    },
    listDay: async (call) => listDay(bank, script.now(), call),
  }
}
