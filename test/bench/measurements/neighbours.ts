import { sql } from 'kysely'
import { newId } from '../../../src/core/ids.ts'
import { LIMIT_CLASSES } from '../../../src/core/limits/limit-classes.ts'
import { addMs, DAY_MS } from '../../../src/core/time.ts'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import { appendEvents } from '../../../src/domain/events/append/append.ts'
import { createSender, type Send } from '../../support/world/signed-sender.ts'
import { addSignatory } from '../../support/world/tenants.ts'
import { ratioAtMost } from '../aims.ts'
import { type Bench, pace, startCompanion, startService } from '../bench.ts'
import type { CrowdAnswer, CrowdQuestion } from '../companions/crowd.ts'
import { acceptRounds, addDraws, addFacilities } from '../data/facilities-data.ts'
import { addWebhooks, eventBody, writeEvents } from '../data/webhook-data.ts'
import { median, percentile, type Row } from '../report.ts'

const ROWS = 600
const READS_A_SECOND = 20

/** The most that a page may hold, of each list; then what has no pages. */
const readsOf = ({ facilityId, borrowerId, webhookId, eventId, from }: Seeded): string[] => {
  const facility = `/v1/facilities/${facilityId}`
  return [
    '/v1/borrowers?limit=500',
    '/v1/facilities?limit=500',
    ...['draws', 'repayments', 'margin-warnings', 'margin-calls'].map(
      (list) => `${facility}/${list}?limit=500`,
    ),
    `${facility}/statement?limit=500&from=${from}`,
    `${facility}/statement?limit=500&interest=day&from=${from}`,
    `${facility}/payoff`,
    '/v1/events?limit=500',
    `/v1/events/${eventId}`,
    '/v1/webhooks',
    `/v1/webhooks/${webhookId}/events?limit=500`,
    `/v1/webhooks/${webhookId}/deliveries?limit=500`,
    `/v1/webhooks/${webhookId}/deliveries/${eventId}/attempts?limit=500`,
    `/v1/borrowers/${borrowerId}/portfolio`,
  ]
}

/**
 * The p99 of one tenant's reads while another tenant reads what costs most, with the burst and at the
 * rate that it is permitted, against the p99 alone before. What costs most is found by reading each once
 * everything is warm. One API process, with the limits of production.
 */
export async function measureNeighbours(
  bench: Bench,
  { seconds }: { seconds: number },
): Promise<Row[]> {
  await using cleanup = new AsyncDisposableStack()
  const { db } = bench
  const loud = await addSignatory(db, 'Loud')
  const quiet = await addSignatory(db, 'Quiet')
  const seeded = await seed(db, loud.tenantId)
  const [own] = await addFacilities(db, quiet.tenantId, 1)
  await acceptRounds(db, 70_000)
  await sql`VACUUM (ANALYZE)`.execute(db)
  const { port } = await startService(bench, 'server', cleanup, { RATE_LIMITS: '' })

  const sendLoud = await createSender(loud.privateKeyPem, port, cleanup)
  const dearest = await findDearest(sendLoud, loud.keyId, readsOf(seeded))
  const sendQuiet = await createSender(quiet.privateKeyPem, port, cleanup)
  const target = `/v1/borrowers/${own?.borrowerId}`
  const readQuietly = () => waitsOf(sendQuiet, quiet.keyId, target, seconds)
  await waitsOf(sendQuiet, quiet.keyId, target, 3)

  const alone = await readQuietly()
  const crowd = startCompanion<CrowdQuestion, CrowdAnswer>('companions/crowd', cleanup)
  // What finding the dearest has spent is there again.
  const { burst } = LIMIT_CLASSES.reads.limit
  const { keyId, privateKeyPem } = loud
  const load = { targets: [dearest], burst, perSecond: READS_A_SECOND, seconds }
  const loudly = crowd.ask({ port, keyId, privateKeyPem, ...load })
  const beside = await readQuietly()
  const { statuses } = await loudly
  // A machine that is busy with others refuses what has waited for too long.
  const served = statuses[200] ?? 0
  if (served < burst / 2) throw new Error(`the crowd saw ${JSON.stringify(statuses)}`)

  const [ours, bare] = [percentile(beside, 0.99), percentile(alone, 0.99)]
  return [
    {
      name: `(neighbours) a tenant's reads beside ${burst} at once and ${READS_A_SECOND}/s of ${dearest.split('/').at(-1)}, against alone`,
      unit: 'req/s',
      ours: beside.length / seconds,
      ratio: ours / bare,
      p50Ms: { ours: percentile(beside, 0.5), bare: percentile(alone, 0.5) },
      p99Ms: { ours, bare },
      aim: ratioAtMost(3),
    },
  ]
}

async function waitsOf(
  send: Send,
  keyId: string,
  target: string,
  seconds: number,
): Promise<number[]> {
  const waits: number[] = []
  const failures: unknown[] = []
  const readOne = async () => {
    const { status, body, ms } = await send(keyId, 'GET', target)
    if (status === 200) waits.push(ms)
    else failures.push(new Error(`a read was answered ${status} ${body}`))
  }
  const count = READS_A_SECOND * seconds
  await pace(
    READS_A_SECOND,
    (begun) => begun >= count,
    () => readOne().catch((e) => failures.push(e)),
  )
  if (failures.length > 0) throw failures[0]
  return waits
}

async function findDearest(send: Send, keyId: string, targets: readonly string[]): Promise<string> {
  const costs: { target: string; ms: number }[] = []
  for (const target of targets) {
    const times: number[] = []
    for (let sent = 0; sent < 7; sent += 1) {
      const { status, body, ms } = await send(keyId, 'GET', target)
      if (status !== 200) throw new Error(`${target} was answered ${status} ${body}`)
      times.push(ms)
    }
    costs.push({ target, ms: median(times.slice(2)) })
  }
  const [dearest] = costs.toSorted((a, b) => b.ms - a.ms)
  return dearest?.target ?? ''
}

type Seeded = Awaited<ReturnType<typeof seed>>

/** More of everything than a page holds, at one facility and one webhook. */
async function seed(db: Db, tenantId: string) {
  const facilities = await addFacilities(db, tenantId, ROWS)
  const [first] = facilities
  if (!first) throw new Error('no facility was made')
  const { facilityId, borrowerId } = first
  const [webhookId = ''] = await inTransaction(db, (tx) => addWebhooks(tx, tenantId, 9, 1))
  const now = new Date()
  const from = addMs(now, -90 * DAY_MS)
  await writeEvents(
    db,
    { tenantId, webhookIds: [webhookId] },
    { count: ROWS, due: 0, body: eventBody(1_000), days: 3, until: now },
  )
  await addDraws(
    db,
    tenantId,
    Array.from({ length: ROWS }, () => first),
  )
  const numbers = Array.from({ length: ROWS }, (_, at) => at + 1)
  const ids = numbers.map(() => newId('rep'))
  await sql`
    INSERT INTO repayments (tenant_id, repayment_id, facility_id, status, asset, amount_units,
      delivered_units, confirmed_asset, confirmed_units, interest_cents, principal_cents, refund_cents,
      reference, requested_at, reported_at, applied_at, inferred)
    SELECT ${tenantId}, id, ${facilityId}, 'APPLIED', 'USD', 1000, 1000, 'USD', 1000, 1, 999, 0,
      'wire-' || id, ${now}, ${now}, ${now}, false
    FROM unnest(${ids}::text[]) AS id`.execute(db)
  await sql`
    INSERT INTO margin_warnings (tenant_id, facility_id, number, tier, status, raised_at, ltv_at_raise,
      cure_deadline, escalated_at, cure_amount_cents, cure_collateral_cents)
    SELECT ${tenantId}, ${facilityId}, number, 1, 'ESCALATED', ${now}, '0.710000', ${now}, ${now}, 0, 0
    FROM unnest(${numbers}::int[]) AS number`.execute(db)
  await sql`
    INSERT INTO margin_calls (tenant_id, facility_id, number, margin_warning_number, status, outcome,
      created_at, completed_at)
    SELECT ${tenantId}, ${facilityId}, number, number, 'COMPLETED', 'not_needed', ${now}, ${now}
    FROM unnest(${numbers}::int[]) AS number`.execute(db)
  await sql`
    INSERT INTO principal_movements (tenant_id, facility_id, source_id, effective_at, delta_cents)
    SELECT ${tenantId}, ${facilityId}, 'repayment/' || number, ${from}::timestamptz + number * interval '3 hours',
      100
    FROM unnest(${numbers}::int[]) AS number`.execute(db)
  await inTransaction(db, (tx) =>
    appendEvents(tx, tenantId, [
      {
        type: 'borrower.eligible',
        resource: { type: 'borrower', id: borrowerId },
        occurredAt: now,
        data: { borrower_id: borrowerId },
      },
    ]),
  )
  const { rows } = await sql<{ event_id: string | null }>`
    WITH attempt AS (
      INSERT INTO delivery_attempts (tenant_id, webhook_id, event_id, recorded_at, number, started_at,
        status, duration_ms, response_excerpt, requested)
      SELECT tenant_id, webhook_id, event_id, recorded_at, number, recorded_at, 500, 5,
        repeat('x', 1024), false
      FROM deliveries, generate_series(1, ${ROWS}::int) AS number
      WHERE tenant_id = ${tenantId} AND (number <= 20 OR event_type = 'borrower.eligible')
    )
    UPDATE deliveries SET attempts = CASE WHEN event_type = 'borrower.eligible' THEN ${ROWS}::int ELSE 20 END
    WHERE tenant_id = ${tenantId}
    RETURNING CASE WHEN event_type = 'borrower.eligible' THEN event_id END AS event_id`.execute(db)
  const eventId = rows.find(({ event_id: id }) => id !== null)?.event_id ?? ''
  return { facilityId, borrowerId, webhookId, eventId, from: from.toISOString() }
}
