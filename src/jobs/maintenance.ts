import { addMs, DAY_MS, HOUR_MS } from '../core/time.ts'
import { dropMonths, makeMonths } from '../db/migrate/months.ts'
import { dropSpans, makeSpans, type SpanTable } from '../db/migrate/spans.ts'
import { purgeCallbacks } from '../domain/callbacks/receive-callback.ts'
import { purgeRounds } from '../domain/collateral/price-rounds.ts'
import { warnOfExpiringKeys } from '../domain/console/expiring-keys.ts'
import { purgePaces } from '../domain/deliveries/recovery-pace.ts'
import { purgeRecords } from '../domain/idempotency/idempotency.ts'
import { purgeMails } from '../domain/mails/purge-mails.ts'
import { fixTerms } from '../domain/margin/versions/terms-at.ts'
import { LTV_DAYS_DAYS, LTV_HOURS_DAYS } from '../domain/operations/partitions.ts'
import { purgeAnswers } from '../domain/operators/answers.ts'
import { purgePeople } from '../domain/people/purge-people.ts'
import { purgeWebhooks } from '../domain/webhooks/webhooks.ts'
import type { JobContext } from './job-context.ts'
import { repeat } from './repeat.ts'

type Step = (context: JobContext, now: Date) => Promise<void>

const deleted =
  (purge: (context: JobContext, now: Date) => Promise<number>, what: string): Step =>
  async (context, now) => {
    const purged = await purge(context, now)
    if (purged > 0) context.logger.info({ purged }, `${what} deleted`)
  }

const keepEventsAfter = ({ config }: JobContext, now: Date) =>
  addMs(now, -config.eventRetentionDays * DAY_MS)

/** docs/retention.md has the rule of each table. */
const STEPS = {
  'fix-terms': async ({ db, config }, now) => await fixTerms(db, config, now),
  'make-months': async (context, now) =>
    await makeMonths(context.db, now, keepEventsAfter(context, now)),
  'drop-months': async (context, now) => {
    const { inUse } = await dropMonths(context.db, keepEventsAfter(context, now))
    if (inUse.length > 0) {
      context.logger.warn({ inUse }, 'old months of the event log are in use and stay')
    }
  },
  'make-spans': async ({ db }, now) => await makeSpans(db, now),
  'drop-spans': async ({ db, config, logger }, now) => {
    const days: Record<SpanTable, number> = {
      request_log: config.requestLogDays,
      facility_ltv_hours: LTV_HOURS_DAYS,
      facility_ltv_days: LTV_DAYS_DAYS,
    }
    for (const [base, kept] of Object.entries(days)) {
      const isDone = await dropSpans(db, base as SpanTable, addMs(now, -kept * DAY_MS))
      if (!isDone) logger.warn({ table: base }, 'old partitions are in use and stay')
    }
  },
  'expiring-keys': async (context) => {
    const warned = await warnOfExpiringKeys(context)
    if (warned > 0) context.logger.info({ warned }, 'tenants warned of keys that expire')
  },
  'idempotency-records': deleted(
    ({ db, config }, now) => purgeRecords(db, config.idempotencyRetentionDays, now),
    'idempotency records',
  ),
  'price-rounds': deleted(
    ({ db, config }, now) => purgeRounds(db, config.priceRetentionDays, now),
    'price rounds',
  ),
  'provider-callbacks': deleted(({ db }, now) => purgeCallbacks(db, now), 'provider callbacks'),
  'sandbox-calls': deleted(
    (context, now) => context.forgetSandboxCalls(keepEventsAfter(context, now)),
    'sandbox calls',
  ),
  webhooks: deleted(({ db, config }, now) => {
    const days = Math.max(config.eventRetentionDays, config.idempotencyRetentionDays)
    return purgeWebhooks(db, addMs(now, -days * DAY_MS))
  }, 'deleted webhooks'),
  'recovery-paces': deleted(({ db }, now) => purgePaces(db, now), 'paces of recoveries'),
  people: deleted(({ db }, now) => purgePeople(db, now), 'sessions and links'),
  mails: deleted(({ db }, now) => purgeMails(db, now), 'mails'),
  answers: deleted(({ db }, now) => purgeAnswers(db, now), 'answers to operators'),
} satisfies Record<string, Step>

export async function runMaintenance(
  stop: AbortSignal,
  context: JobContext,
  onMaintained: () => void,
): Promise<void> {
  const run = async () => {
    await maintain(stop, context)
    onMaintained()
  }
  const onError = (error: unknown) => context.logger.error({ err: error }, 'maintenance failed')
  await repeat(stop, () => HOUR_MS, run, onError)
}

/** On real time, whatever sandbox clocks show. */
async function maintain(stop: AbortSignal, context: JobContext): Promise<void> {
  for (const [name, step] of Object.entries<Step>(STEPS)) {
    if (stop.aborted) return
    let failed = 0
    try {
      await step(context, context.clock())
    } catch (error) {
      failed = 1
      context.logger.error({ err: error, step: name }, 'maintenance step failed')
    }
    context.metrics.maintenanceFailed.set({ step: name }, failed)
  }
}
