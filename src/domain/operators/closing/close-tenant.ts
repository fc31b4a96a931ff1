import { Refusal } from '../../../core/errors.ts'
import { addMs, MINUTE_MS } from '../../../core/time.ts'
import type { Tx } from '../../../db/database.ts'
import { peopleOf } from '../../../db/sql/people-tables.ts'
import { listKeys, revokeKey } from '../../auth/keys.ts'
import { makeTrialBalance } from '../../facilities/books/trial-balance.ts'
import type { Account } from '../../facilities/ledger/accounts.ts'
import { removeEveryone } from '../../people/people.ts'
import { selectLastSequence } from '../../tenants/export-queries.ts'
import { deleteWebhook, listWebhooks } from '../../webhooks/webhooks.ts'
import { lockClosing, selectOwedOrHeld, updateClosed } from './closing-queries.ts'

/** Every process has learned of a suspension by then, and requests from before have ended. */
const QUIET_MS = MINUTE_MS

/** Amounts owed to the lender or by it; each ends at nothing. */
const OWED = new Set<string>([
  ...(['loans_receivable', 'interest_receivable', 'refunds_payable', 'suspense'] as const),
  'collateral_proceeds',
] satisfies Account[])

export type Closed = { keys: number; people: number; webhooks: number; lastSequence: bigint }

/** For good: ends the tenant's keys, people and webhooks. Its rows stay, by the rules of retention.
 * Refuses `not_found`; `validation_failed` where it is closed, not suspended for a minute, or not
 * exported since its last event; and `outstanding_balance` while anything is owed or held. */
export async function closeTenant(tx: Tx, tenantId: string, now: Date): Promise<Closed> {
  const lastSequence = await assertQuiet(tx, tenantId, now)
  await assertNothingOwed(tx, tenantId)
  const keys = (await listKeys(tx, tenantId, now)).filter(({ revokedAt }) => !revokedAt)
  for (const { id } of keys) await revokeKey(tx, tenantId, id, now)
  const people = await removeEveryone(tx, { ...peopleOf(tenantId), now })
  const webhooks = await listWebhooks(tx, tenantId)
  for (const { id } of webhooks) await deleteWebhook(tx, tenantId, id, () => now)
  await updateClosed(tx, tenantId, now)
  return { keys: keys.length, people, webhooks: webhooks.length, lastSequence }
}

async function assertQuiet(tx: Tx, tenantId: string, now: Date): Promise<bigint> {
  const tenant = await lockClosing(tx, tenantId)
  if (!tenant) throw new Refusal('not_found', `There is no tenant ${tenantId}.`)
  const { suspended_at: suspendedAt, closed_at: closedAt, exported_sequence: exported } = tenant
  if (closedAt) throw invalid(`Tenant ${tenantId} is closed already.`)
  if (!suspendedAt || suspendedAt > addMs(now, -QUIET_MS)) {
    throw invalid(
      'A tenant is closed once it has been suspended for a minute: first tenants suspend.',
    )
  }
  const lastSequence = await selectLastSequence(tx, tenantId)
  if (exported !== lastSequence) {
    throw invalid(
      `A tenant is closed once all of it is exported, up to its last event ${lastSequence}: run tenants export and keep the file.`,
    )
  }
  return lastSequence
}

/** A sandbox clock may be ahead: entries of every instant count. */
const FAR_AHEAD = new Date('9999-01-01T00:00:00.000Z')

/** Rows first, because they name what is to be done; the books have the last word. */
async function assertNothingOwed(tx: Tx, tenantId: string): Promise<void> {
  const rows = await selectOwedOrHeld(tx, tenantId)
  const balances = await makeTrialBalance(tx, { tenantId, at: FAR_AHEAD, by: 'posting' })
  const open = balances.filter(
    ({ account, debit, credit }) => OWED.has(account) && debit !== credit,
  )
  const found = [
    ...rows.map(({ what, count }) => `${what} (${count})`),
    ...open.map(({ title, asset }) => `a balance of "${title}" in ${asset}`),
  ]
  if (found.length === 0) return
  const detail = `Tenant ${tenantId} still has ${found.join(', ')}.`
  throw new Refusal('outstanding_balance', detail)
}

const invalid = (detail: string) => new Refusal('validation_failed', detail)
