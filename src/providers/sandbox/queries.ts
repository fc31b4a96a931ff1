import type { Insertable } from 'kysely'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/schema/tables.ts'

export async function upsertSandboxProvider(
  db: Db,
  row: Insertable<Tables['sandbox_providers']>,
): Promise<void> {
  await db
    .insertInto('sandbox_providers')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'provider']).doUpdateSet({ next: row.next }),
    )
    .execute()
}

export type SandboxCall = { outcome: 'fail' | 'succeed'; readyAt: Date; result: unknown }

export type DecidedCall = {
  provider: 'custodian' | 'payments'
  callId: string
  realNow: Date
  delayedUntil: Date
  /** Refuse unless it was decided before. */
  isVoid: boolean
  /** The outcome that the call itself asks for. The tenant's choice then stays for the next call. */
  next: 'fail' | 'delay' | undefined
  result: unknown
}

type CallRow = { outcome: 'fail' | 'succeed'; ready_at: Date; result: unknown }

const toCall = (row: CallRow): SandboxCall => ({
  outcome: row.outcome,
  readyAt: row.ready_at,
  result: row.result,
})

/** Decided once an id; uses up the tenant's choice for the next call. */
export async function decideSandboxCall(
  tx: Tx,
  tenantId: string,
  call: DecidedCall,
): Promise<SandboxCall> {
  const known = await selectSandboxCall(tx, tenantId, call.callId)
  if (known) return known
  const next = call.next ?? (await takeSandboxChoice(tx, tenantId, call.provider))
  await tx
    .insertInto('sandbox_calls')
    .values({
      tenant_id: tenantId,
      call_id: call.callId,
      outcome: call.isVoid || next === 'fail' ? 'fail' : 'succeed',
      ready_at: next === 'delay' ? call.delayedUntil : call.realNow,
      result: call.result === null ? null : JSON.stringify(call.result),
    })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'call_id']).doNothing())
    .execute()
  // A concurrent call may have decided it.
  return await decideSandboxCall(tx, tenantId, call)
}

async function takeSandboxChoice(tx: Tx, tenantId: string, provider: DecidedCall['provider']) {
  const choice = await tx
    .deleteFrom('sandbox_providers')
    .where('tenant_id', '=', tenantId)
    .where('provider', '=', provider)
    .returning('next')
    .executeTakeFirst()
  return choice?.next
}

const returnOf = (callId: string) => `return/${callId}`

/** The first stays. */
export async function insertSandboxReturn(
  tx: Tx,
  tenantId: string,
  { callId, code, realNow }: { callId: string; code: string; realNow: Date },
): Promise<void> {
  await tx
    .insertInto('sandbox_calls')
    .values({
      tenant_id: tenantId,
      call_id: returnOf(callId),
      outcome: 'succeed',
      ready_at: realNow,
      result: JSON.stringify({ code }),
    })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'call_id']).doNothing())
    .execute()
}

/** When it came back, and as what. */
export async function selectSandboxReturn(db: Db, tenantId: string, callId: string) {
  return await selectSandboxCall(db, tenantId, returnOf(callId))
}

export async function selectSandboxCall(db: Db, tenantId: string, callId: string) {
  const row = await db
    .selectFrom('sandbox_calls')
    .select(['outcome', 'ready_at', 'result'])
    .where('tenant_id', '=', tenantId)
    .where('call_id', '=', callId)
    .executeTakeFirst()
  return row && toCall(row)
}

/** When the question was first put (domain time). */
export async function noteSandboxQuestion(
  db: Db,
  { tenantId, callId }: { tenantId: string; callId: string },
  now: Date,
): Promise<Date> {
  const { rows } = await sql<{ ready_at: Date }>`
    INSERT INTO sandbox_calls AS noted (tenant_id, call_id, outcome, ready_at)
    VALUES (${tenantId}, ${`question/${callId}`}, 'succeed', ${now})
    ON CONFLICT (tenant_id, call_id) DO UPDATE SET ready_at = noted.ready_at
    RETURNING ready_at`.execute(db)
  return rows[0]?.ready_at ?? now
}

export async function upsertSandboxHolding(
  db: Db,
  row: Insertable<Tables['sandbox_holdings']>,
): Promise<void> {
  const { positions, late_seconds, set_at } = row
  await db
    .insertInto('sandbox_holdings')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'borrower_id'])
        .doUpdateSet({ positions, late_seconds, set_at }),
    )
    .execute()
}

export async function deleteSandboxHolding(
  db: Db,
  tenantId: string,
  borrowerId: string,
): Promise<void> {
  await db
    .deleteFrom('sandbox_holdings')
    .where('tenant_id', '=', tenantId)
    .where('borrower_id', '=', borrowerId)
    .execute()
}

export async function selectSandboxHoldings(
  db: Db,
  tenantId: string,
  borrowerIds: readonly string[],
) {
  return await db
    .selectFrom('sandbox_holdings')
    .select(['borrower_id', 'positions', 'late_seconds'])
    .where('tenant_id', '=', tenantId)
    .where('borrower_id', '=', sql<string>`ANY (${[...borrowerIds]}::text[])`)
    .execute()
}

/** Units sold since the tenant has set what is held. */
export async function selectSandboxSold(db: Db, tenantId: string, borrowerIds: readonly string[]) {
  const { rows } = await sql<{ borrower_id: string; asset: string; units: bigint }>`
    SELECT h.borrower_id, s.asset, sum(s.filled_units) AS units
    FROM sandbox_holdings h
    JOIN facilities f ON f.tenant_id = h.tenant_id AND f.borrower_id = h.borrower_id
    CROSS JOIN LATERAL (
      SELECT asset, filled_units, executed_at FROM margin_sales
      WHERE tenant_id = ${tenantId} AND facility_id = f.facility_id AND status = 'FILLED' OFFSET 0
    ) s
    WHERE h.tenant_id = ${tenantId} AND h.borrower_id = ANY (${[...borrowerIds]}::text[])
      AND s.executed_at >= h.set_at
    GROUP BY h.borrower_id, s.asset`.execute(db)
  return rows
}

export async function selectSandboxLienSequence(
  db: Db,
  tenantId: string,
  facilityId: string,
): Promise<bigint | undefined> {
  const row = await db
    .selectFrom('sandbox_liens')
    .select('sequence')
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .executeTakeFirst()
  return row?.sequence
}

/** Only if no newer one is stored. */
export async function upsertSandboxLien(
  db: Db,
  row: Insertable<Tables['sandbox_liens']>,
): Promise<void> {
  await db
    .insertInto('sandbox_liens')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'facility_id'])
        .doUpdateSet({ sequence: row.sequence, floor_cents: row.floor_cents ?? null })
        .where('sandbox_liens.sequence', '<', row.sequence),
    )
    .execute()
}
