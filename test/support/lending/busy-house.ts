import { randomUUID } from 'node:crypto'
import { addMs, HOUR_MS, MINUTE_MS, systemClock } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import type { EventType } from '../../../src/domain/events/catalogue/event-types.ts'
import { recordOperatorAction } from '../../../src/domain/operators/actions.ts'
import { deleteWebhook } from '../../../src/domain/webhooks/webhooks.ts'
import { addWebhook, answered, claimAt, recordAt } from '../deliveries/deliveries.ts'
import {
  addDrawnFacility,
  addEligibleBorrower,
  addFacility,
  announce,
  draw,
  type Lending,
  openLending,
  pass,
  repay,
  report,
  requestClosing,
  settle,
  usd,
} from './lending.ts'
import { addBorrowed, holdPrice } from './margin.ts'
import { openTenant } from './onboarding.ts'

/**
 * A house in which nearly everything has happened once and some things are under way: loans drawn,
 * repaid, paid back, closed, warned, cured and sold out; deliveries delivered, failed, dead-lettered
 * and cancelled; another tenant with a borrower of its own.
 */
export async function openBusyHouse(): Promise<Lending> {
  const lending = await openLending()
  const all = await addWebhook(lending.db, lending.tenantId)
  const dead = await addWebhook(lending.db, lending.tenantId, only('facility.closed'))
  const gone = await addWebhook(lending.db, lending.tenantId, only('draw.completed'))

  await repayAndClose(lending)
  const repaid = await addDrawnFacility(lending, usd(1_000_00n))
  await repay(lending, repaid.id, usd(1_200_00n))
  await settle(lending)
  const cured = await addBorrowed(lending)
  const sold = await addBorrowed(lending)
  await holdPrice(lending, '68000')
  await repay(lending, cured.id, usd(40_000_00n))
  await settle(lending)
  await holdPrice(lending, '59000')
  lending.market.set('BTC', '100000')

  const { id: waiting } = await addFacility(lending)
  lending.payments.next.push('pending')
  await draw(lending, waiting, usd(100_00n))
  const reported = await announce(lending, sold.id, usd(5_00n))
  lending.payments.next.push('pending')
  await report(lending, reported)
  await settle(lending)

  await inTransaction(lending.db, (tx) => deleteWebhook(tx, lending.tenantId, gone, systemClock))
  await deliver(lending, all, 204, 20)
  await deliver(lending, all, 500)
  for (let attempt = 1; attempt <= 6; attempt += 1) await deliver(lending, dead, 500)
  await addRecord(lending, sold.id)
  await addOtherTenant(lending)
  await addOperatorActions(lending)
  return lending
}

const only = (type: EventType) => ({ eventTypes: [type] })

async function repayAndClose(lending: Lending): Promise<void> {
  const { id } = await addDrawnFacility(lending, usd(500_00n))
  await pass(lending, HOUR_MS)
  await repay(lending, id, usd(600_00n))
  await settle(lending)
  await requestClosing(lending, id)
  await settle(lending)
}

let later = addMs(new Date(), MINUTE_MS)

/** One attempt of each delivery that is due, each time half a day on. */
async function deliver(lending: Lending, webhookId: string, status: number, limit = 1_000) {
  const webhook = { tenantId: lending.tenantId, webhookId }
  later = addMs(later, 12 * HOUR_MS)
  const claim = { limit, deadlineMs: 15_000, now: later }
  const claimed = await claimAt(lending.db, webhook, claim)
  const attempts = claimed.map((delivery) => {
    return { delivery, endedAt: later, outcome: answered(status) }
  })
  await recordAt(lending.db, webhook, attempts, later)
}

/** The record of a request, as the API keeps it. */
async function addRecord({ db, tenantId }: Lending, facilityId: string): Promise<void> {
  const body = JSON.stringify({ id: facilityId })
  const record = { key: randomUUID(), fingerprint: Buffer.alloc(32), status: 201, body }
  const rest = { tenant_id: tenantId, secret_id: null, recorded_at: new Date() }
  await db
    .insertInto('idempotency_records')
    .values({ ...record, ...rest })
    .execute()
}

async function addOperatorActions({ db, tenantId }: Lending): Promise<void> {
  const acting = { actor: { kind: 'system', user: 'tester' }, now: new Date() } as const
  for (const days of [1, 2, 3]) {
    await inTransaction(db, (tx) =>
      recordOperatorAction(tx, acting, { action: 'work.retry', tenantId, after: { days } }),
    )
  }
}

async function addOtherTenant(lending: Lending): Promise<void> {
  const tenantId = await openTenant(lending.db, lending.now())
  await addEligibleBorrower({ ...lending, tenantId })
}
