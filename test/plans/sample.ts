import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Tx } from '../../src/db/database.ts'

/** What a tenant of the crash day has, to call functions with: each exists, and matches its name. */
export type Sample = {
  tenantId: string
  /** 500 borrowers and their facilities, in the same order. */
  borrowerIds: string[]
  facilityIds: string[]
  borrowerId: string
  /** Approved, with an open warning numbered 1 and a repayment reported as its cure. */
  warned: Lent
  /** Approved, sold once by its first margin call, which is completed; charged off by its journal, corrected,
   * and half of a receipt of it is in suspense, another part applied. */
  sold: Lent
  /** Being sold by its first margin call: its second order is at the custodian. */
  selling: Lent
  /** With a pending draw. */
  drawing: Lent
  /** With a pending draw whose payout was sent. */
  paying: Lent
  /** A facility of another tenant. */
  stranger: { tenantId: string; facilityId: string }
  /** Its draw came back. */
  returned: Lent
  /** Closed, of an erased borrower. */
  erased: Lent
  /** With a pending repayment. */
  repaying: Lent
  /** With a pending refund. */
  refunded: Lent
  /** With one whose payment was not ordered yet. */
  unordered: Lent
  /** Not eligible yet; its check is pending. */
  checked: Lent
  /** Its check waits for the operator. */
  reviewed: Lent
  keyId: string
  idempotencyKey: string
  webhookId: string
  /** Of the busiest tenant, one of its deliveries has 30,000 attempts. */
  retriedWebhookId: string
  event: { id: string; recordedAt: Date; sequence: bigint }
  /** Whether statements are made for a database that is distributed. */
  distributed: boolean
  now: Date
  soon: Date
  past: Date
  /** The retention limit of what is kept for a month. */
  monthAgo: Date
}

type Lent = {
  borrowerId: string
  facilityId: string
  drawId: string
  pendingDrawId: string
  repaymentId: string
  refundId: string
  checkId: string
  signatureId: string
}

/** How a function is called, and so which statements it sends. */
export type Call = (tx: Tx, sample: Sample) => Promise<unknown>

/** The largest tenant, with facilities numbered from 1, and one of the others, from 50,001. */
const TENANTS = [
  { name: 'the largest tenant', tenant: 1, from: 25_000 },
  { name: 'another tenant', tenant: 2, from: 50_000 },
] as const

export async function takeSamples(client: pg.Client): Promise<{ name: string; sample: Sample }[]> {
  const samples = []
  // The instant at which everything was written.
  const { rows: rounds } = await client.query('SELECT max(accepted_at) AS now FROM price_rounds')
  const now: Date = rounds[0].now
  for (const { name, tenant, from } of TENANTS) {
    const tenantId = numbered('ten', tenant)
    const { rows } = await client.query(
      `SELECT event_id AS id, recorded_at AS "recordedAt", sequence FROM events
       WHERE tenant_id = $1 ORDER BY sequence DESC LIMIT 1`,
      [tenantId],
    )
    samples.push({ name, sample: sampleOf(tenantId, from, rows[0], now) })
  }
  return samples
}

export function sampleOf(tenantId: string, from: number, event: Sample['event'], at: Date): Sample {
  const numbers = Array.from({ length: 500 }, (_, at) => from + at + 1)
  const now = at.getTime()
  return {
    tenantId,
    borrowerIds: numbers.map((n) => numbered('bor', n)),
    facilityIds: numbers.map((n) => numbered('fac', n)),
    borrowerId: numbered('bor', from + 1),
    warned: lent(from + 1),
    sold: lent(from + 5),
    selling: lent(from + 250),
    drawing: lent(from + 203),
    paying: lent(from + 103),
    returned: lent(from + 4),
    erased: lent(from + 439),
    stranger: strangerTo(tenantId),
    repaying: lent(from + 2),
    refunded: lent(from + 10),
    unordered: lent(from + 20),
    checked: lent(from + 99),
    reviewed: lent(from + 98),
    keyId: `key_${tenantId.slice(-24)}01`,
    idempotencyKey: createHash('md5')
      .update(String(from + 1))
      .digest('hex'),
    webhookId: `whk_${tenantId.slice(-20)}000001`,
    retriedWebhookId: `whk_${tenantId.slice(-20)}000002`,
    event,
    distributed: false,
    now: new Date(now),
    soon: new Date(now + 60_000),
    past: new Date(now - 86_400_000),
    monthAgo: new Date(now - 29 * 86_400_000),
  }
}

function strangerTo(tenantId: string): Sample['stranger'] {
  const { tenant, from } = numbered('ten', 1) === tenantId ? TENANTS[1] : TENANTS[0]
  return { tenantId: numbered('ten', tenant), facilityId: numbered('fac', from + 1) }
}

function lent(n: number): Lent {
  return {
    borrowerId: numbered('bor', n),
    facilityId: numbered('fac', n),
    drawId: numbered('drw', n),
    pendingDrawId: numbered('drw', n, '1'),
    repaymentId: numbered('rep', n),
    refundId: numbered('ref', n),
    checkId: numbered('chk', n),
    signatureId: numbered('sig', n),
  }
}

const numbered = (prefix: string, n: number, lead = '') =>
  `${prefix}_${lead}${String(n).padStart(26 - lead.length, '0')}`
