import { MINUTE_MS, SECOND_MS } from '../core/time.ts'
import { readLatestPrices } from '../domain/collateral/price-rounds.ts'
import { measureOldestDelivery } from '../domain/deliveries/behind.ts'
import { measurePayments } from '../domain/facilities/doubts/doubts.ts'
import { measureOldestRefused } from '../domain/facilities/refunds/refunds.ts'
import { readBook } from '../domain/margin/book/book.ts'
import { countUnwarnedBreaches } from '../domain/margin/evaluation/evaluate-all.ts'
import { measureMargin } from '../domain/margin/measure.ts'
import { measureReconciliation } from '../domain/reconciliation/breaks.ts'
import { measureOldestUndecided } from '../domain/repayments/undecided.ts'
import { countDisabledWebhooks } from '../domain/webhooks/webhooks.ts'
import { countStuckWork } from '../domain/work/stuck.ts'
import { measureOldestDue } from '../domain/work/work.ts'
import type { JobContext } from './job-context.ts'
import { repeat } from './repeat.ts'
import { WORK_TOPICS } from './work/work-handlers.ts'

const PERIOD_MS = 15 * SECOND_MS

/** Reads all facilities: a second or two for a million. */
const BREACHES_PERIOD_MS = MINUTE_MS

/** Values every debt: about a second for 100,000. */
const BOOK_PERIOD_MS = 5 * MINUTE_MS

/** So that a scrape does not query the database. */
export async function runMeasures(
  stop: AbortSignal,
  context: JobContext,
  onMeasured: () => void,
): Promise<void> {
  let breachesAt = Number.NEGATIVE_INFINITY
  let bookAt = Number.NEGATIVE_INFINITY
  const run = async () => {
    const now = context.clock().getTime()
    const withBreaches = now - breachesAt >= BREACHES_PERIOD_MS
    const withBook = now - bookAt >= BOOK_PERIOD_MS
    await measure(context)
    if (withBreaches) await measureBreaches(context)
    if (withBreaches) breachesAt = now
    if (withBook) await measureBook(context)
    if (withBook) bookAt = now
    onMeasured()
  }
  const onError = (error: unknown) => context.logger.error({ err: error }, 'measuring failed')
  await repeat(stop, () => PERIOD_MS, run, onError)
}

export async function measure(context: JobContext): Promise<void> {
  const { db, clock, deadlineHandlers, metrics } = context
  const now = clock()
  const topics = [...WORK_TOPICS, ...deadlineHandlers.keys()]
  const { open, oldestMs, behindMs } = await measureReconciliation(db, now)
  const oldest = {
    delivery: await measureOldestDelivery(db, now),
    ...(await measureOldestDue(db, topics, now)),
    refund: await measureOldestRefused(db, now),
    receipt: await measureOldestUndecided(db, now),
    ...(await measurePayments(db, now)),
    break: oldestMs,
  }
  for (const [kind, ms] of Object.entries(oldest)) {
    metrics.oldestDue.set({ kind }, ms / SECOND_MS)
  }
  const stuck = await countStuckWork(db)
  for (const topic of topics) metrics.workStuck.set({ topic }, stuck.get(topic) ?? 0)
  for (const [kind, count] of open) metrics.breaksOpen.set({ kind }, count)
  metrics.reconciliationBehind.set(behindMs / SECOND_MS)
  const { openByTier, unnoticed, running, oldestCallMs } = await measureMargin(db, now)
  for (const [tier, open] of openByTier) metrics.warningsOpen.set({ tier }, open)
  metrics.warningsUnnoticed.set(unnoticed)
  metrics.callsRunning.set(running)
  metrics.oldestCall.set(oldestCallMs / SECOND_MS)
  metrics.webhooksDisabled.set(await countDisabledWebhooks(db))
  if (context.quoteSources.length === 0) return
  for (const [asset, { at }] of await readLatestPrices(db, now)) {
    if (asset !== 'USD') metrics.priceAccepted.set({ asset }, at.getTime() / SECOND_MS)
  }
}

export async function measureBook(context: JobContext): Promise<void> {
  const { db, clock, config, prices, termsAt, metrics } = context
  const source = { prices, stack: config.stack, termsAt }
  const { total } = await readBook(db, source, undefined, clock())
  metrics.bookExposure.set(toDollars(total.debtCents))
  metrics.bookUndrawn.set(toDollars(total.undrawnCents))
  metrics.bookCollateral.set(toDollars(total.valueCents))
  metrics.bookDeficit.set(toDollars(total.deficitCents))
  metrics.bookDeficits.set(total.short)
}

/** A metric is a number: whole dollars are exact up to 2^53. */
function toDollars(cents: bigint): number {
  return Number(cents / 100n)
}

/** Elsewhere a facility is evaluated with its own request. */
export async function measureBreaches(context: JobContext): Promise<void> {
  if (!context.hasRounds) return
  const { db, clock, termsAt, metrics } = context
  const now = clock()
  metrics.unwarnedBreaches.set(await countUnwarnedBreaches(db, await termsAt(db, now), now))
}
