import { newId } from '../../../core/ids.ts'
import { addMs, type Instant } from '../../../core/time.ts'
import { inTransaction } from '../../../db/database.ts'
import { endInquiries } from '../../facilities/custody/inquiry-queries.ts'
import { toFacility } from '../../facilities/facilities.ts'
import { lockFacilities } from '../../facilities/locked-facility.ts'
import { selectFacilitiesOf } from '../../facilities/queries.ts'
import type { ItemResult } from '../../work/run-work.ts'
import { bindTerms } from '../policy.ts'
import { type Live, loadLive } from './live-calls.ts'
import {
  type AskStep,
  askAbout,
  type ConfirmedHoldings,
  needsPositions,
  type OrderStep,
  planNextSteps,
  type SaleContext,
} from './next-sale-step.ts'
import { isStillConfirmed, type Results, runTogether } from './run-together.ts'
import {
  bookAnswer,
  type OrderAnswer,
  RETRY_MS,
  requestOrder,
  sellCollateral,
} from './sell-collateral.ts'

type Batch = {
  context: SaleContext
  tenantId: string
  /** Ended or paused; any other facility is sold alone. */
  results: Results
}

type Planned = Map<string, ConfirmedHoldings | undefined>

/** With one call for all positions and one transaction a step; what fails continues alone, under its ids. */
export async function sellCollaterals(
  context: SaleContext,
  tenantId: string,
  facilityIds: readonly string[],
  onFallback: (error: unknown) => void,
): Promise<ItemResult[]> {
  return await runTogether(
    context,
    { tenantId, facilityIds },
    {
      together: (results) => sellTogether({ context, tenantId, results }, facilityIds),
      alone: (id) => sellCollateral(context, tenantId, id),
      onFallback,
    },
  )
}

async function sellTogether(batch: Batch, facilityIds: readonly string[]): Promise<void> {
  let { asks, planned } = await beginTogether(batch, facilityIds)
  while (asks.length > 0 || planned.size > 0) {
    const instant = await batch.context.instant(batch.tenantId)
    for (const [id, confirmed] of await askTogether(batch, asks, instant))
      planned.set(id, confirmed)
    const steps = await planTogether(batch, planned, instant.realNow)
    const next = await carryOut(batch, steps.orders)
    asks = [...steps.asks, ...next.asks]
    planned = next.planned
  }
}

/** Without locks: a transaction checks again. */
async function beginTogether({ context, tenantId }: Batch, facilityIds: readonly string[]) {
  const { db } = context
  const { now } = await context.instant(tenantId)
  const facilities = (await selectFacilitiesOf(db, tenantId, facilityIds)).map(toFacility)
  const lives = await loadLive(db, tenantId, facilities)
  const asking = lives.filter((live) => needsPositions(live, now))
  const isAsking = new Set(asking.map(({ facility }) => facility.id))
  const rest = facilities.filter(({ id }) => !isAsking.has(id))
  const planned: Planned = new Map(rest.map(({ id }) => [id, undefined]))
  return { asks: asking.map(askAbout), planned }
}

/** Facilities that are not answered are sold alone. */
async function askTogether(
  { context, tenantId }: Batch,
  asks: readonly AskStep[],
  { realNow }: Instant,
): Promise<Planned> {
  if (asks.length === 0) return new Map()
  const answers = await context.custodian.readings({
    tenantId,
    callId: newId('rdg'),
    realNow,
    accounts: asks.map(({ facility: { id, borrowerId, custodyAccount } }) => {
      return { account: custodyAccount, facilityId: id, borrowerId }
    }),
  })
  const confirmed: Planned = new Map()
  for (const { facility, orders, settled } of asks) {
    const answer = answers.get(facility.id)
    if (answer?.status !== 'done') continue
    confirmed.set(facility.id, { positions: [...answer.positions], orders, settled })
  }
  // A late answer to the open question must not count for the next one.
  const answered = { tenantId, facilityIds: [...confirmed.keys()], purpose: 'sale' as const }
  await endInquiries(context.db, answered)
  return confirmed
}

/** Facilities locked elsewhere are left out. */
async function planTogether(
  { context, tenantId, results }: Batch,
  planned: Planned,
  askedAt: Date,
) {
  const instant = await context.instant(tenantId)
  if (!isStillConfirmed(askedAt, instant.realNow)) return { asks: [], orders: [] }
  const { ids, steps } = await inTransaction(context.db, async (tx) => {
    const margin = await bindTerms(context, { tx, tenantId, ...instant })
    const locked = await lockFacilities(margin, [...planned.keys()], 'pass over')
    const lockedIds = locked.map(({ facility }) => facility.id)
    return { ids: lockedIds, steps: await planNextSteps(margin, locked, planned) }
  })
  const { realNow } = await context.instant(tenantId)
  const asks: AskStep[] = []
  const orders: OrderStep[] = []
  for (const id of ids) {
    const step = steps.get(id)
    if (!step) continue
    if (step.kind === 'ended') results.set(id, { done: true })
    else if (step.kind === 'wait')
      results.set(id, { done: false, retryAt: addMs(realNow, step.ms) })
    else if (step.kind === 'ask') asks.push(step)
    else orders.push(step)
  }
  return { asks, orders }
}

type Answered = { order: OrderStep; answer: OrderAnswer }

async function carryOut(batch: Batch, orders: readonly OrderStep[]) {
  const { context, tenantId, results } = batch
  const { realNow } = await context.instant(tenantId)
  const answered: Answered[] = []
  const request = async (order: OrderStep) => {
    const { id } = order.facility
    try {
      const answer = await requestOrder(context, order, realNow)
      if ('retryAt' in answer) results.set(id, answer)
      else answered.push({ order, answer })
    } catch (error) {
      results.set(id, { error })
    }
  }
  await Promise.all(orders.map(request))
  const booked = await bookTogether(batch, answered)
  const asks: AskStep[] = []
  const planned: Planned = new Map()
  for (const { order, answer } of answered) {
    const { id } = order.facility
    // Not booked here: sold alone, which asks for the same order again.
    if (!booked.has(id)) continue
    const isFilled = answer.status === 'done' && answer.units > 0n
    if (order.kind === 'place' && !isFilled) {
      results.set(id, { done: false, retryAt: addMs(realNow, RETRY_MS) })
      continue
    }
    const live = booked.get(id)
    if (live && needsPositions(live, (await context.instant(tenantId)).now)) {
      asks.push(askAbout(live))
    } else planned.set(id, undefined)
  }
  return { asks, planned }
}

/** Undefined for calls that ended; facilities locked elsewhere are left out. */
async function bookTogether(
  { context, tenantId }: Batch,
  answered: readonly Answered[],
): Promise<Map<string, Live | undefined>> {
  if (answered.length === 0) return new Map()
  const answeredOf = new Map(answered.map((one) => [one.order.facility.id, one]))
  const ids = [...answeredOf.keys()]
  const instant = await context.instant(tenantId)
  return await inTransaction(context.db, async (tx) => {
    const margin = await bindTerms(context, { tx, tenantId, ...instant })
    const bookedIds: string[] = []
    for (const locked of await lockFacilities(margin, ids, 'pass over')) {
      const one = answeredOf.get(locked.facility.id)
      if (one) await bookAnswer(locked, one.order, one.answer)
      bookedIds.push(locked.facility.id)
    }
    const after = (await selectFacilitiesOf(tx, tenantId, bookedIds)).map(toFacility)
    const lives = await loadLive(tx, tenantId, after)
    const liveOf = new Map(lives.map((live) => [live.facility.id, live]))
    return new Map(bookedIds.map((id) => [id, liveOf.get(id)]))
  })
}
