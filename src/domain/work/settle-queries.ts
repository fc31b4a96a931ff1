import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { ofUnseenLength } from '../../db/sql/planned-once.ts'
import { inScope, scopeOf } from '../../db/tenant-scope.ts'

export type SettlementRow = {
  tenant_id: string
  topic: string
  subject_id: string
  lease: string
  generation: bigint
  now: Date
  done: boolean
  due_at: Date | undefined
  held_until: Date | undefined
  error: string | undefined
}

/** Deletes what is done and postpones the rest in one statement. Work requested during its run is
 * due as requested. Returns each lease held, and whether it was settled: not when it was
 * requested since the statement began. */
export async function settleRows(
  db: Db,
  rows: readonly SettlementRow[],
  locked: 'pass over locked' | 'wait for locked',
) {
  const column = <K extends keyof SettlementRow>(name: K) => rows.map((row) => row[name])
  const nullable = <K extends keyof SettlementRow>(name: K) => rows.map((row) => row[name] ?? null)
  const scope = scopeOf(rows.map((row) => ({ tenantId: row.tenant_id })))
  const isOf = (other: string) =>
    sql`${inScope(scope, 'w.tenant_id')} AND ${sql.raw(
      `w.tenant_id = ${other}.tenant_id AND w.topic = ${other}.topic AND w.subject_id = ${other}.subject_id`,
    )}`
  // @one server: what ends at one time, whichever tenants have it.
  const { rows: settled } = await sql<{
    tenant_id: string
    topic: string
    subject_id: string
    is_settled: boolean
    is_ready: boolean
  }>`
    WITH given AS (
      SELECT * FROM unnest(
        ${ofUnseenLength(column('tenant_id'), 'text')}, ${column('topic')}::text[], ${column('subject_id')}::text[],
        ${column('lease')}::uuid[], ${column('generation')}::bigint[], ${column('now')}::timestamptz[],
        ${column('done')}::boolean[], ${nullable('due_at')}::timestamptz[],
        ${nullable('held_until')}::timestamptz[], ${nullable('error')}::text[]
      ) AS g (tenant_id, topic, subject_id, lease, generation, now, done, due_at, held_until, error)
    ), held AS MATERIALIZED (
      SELECT g.*, w.generation <> g.generation AS asked_again, w.clock, w.due_at AS stood_at, w.place
      FROM given g CROSS JOIN LATERAL (
        SELECT w.generation, w.clock, w.due_at, w.ctid AS place FROM work w
        WHERE ${isOf('g')} AND w.lease = g.lease
        FOR UPDATE ${sql.raw(locked === 'pass over locked' ? 'SKIP LOCKED' : '')}) w
    ), deleted AS (
      DELETE FROM work w
      WHERE ${inScope(scope, 'w.tenant_id')}
        AND w.ctid = ANY (ARRAY (SELECT place FROM held WHERE done AND NOT asked_again))
      RETURNING w.tenant_id, w.topic, w.subject_id
    ), kept AS (
      UPDATE work w SET
        lease = NULL,
        held_until = CASE WHEN h.asked_again THEN NULL ELSE h.held_until END,
        due_at = CASE WHEN h.asked_again THEN h.stood_at ELSE coalesce(h.due_at, h.stood_at) END,
        ready = h.clock = 'real' AND (h.asked_again OR h.due_at <= h.now),
        attempts = CASE WHEN h.error IS NULL THEN 0 ELSE w.attempts + 1 END,
        failing_since = CASE WHEN h.error IS NULL THEN NULL ELSE coalesce(w.failing_since, h.now) END,
        last_error = h.error
      FROM held h
      WHERE w.ctid = ANY (ARRAY (SELECT place FROM held WHERE NOT done OR asked_again)) AND ${isOf('h')}
      RETURNING w.tenant_id, w.topic, w.subject_id, w.ready
    ), settled AS (
      SELECT *, false AS ready FROM deleted UNION ALL SELECT * FROM kept
    )
    SELECT h.tenant_id, h.topic, h.subject_id, s.tenant_id IS NOT NULL AS is_settled,
           coalesce(s.ready, false) AS is_ready
    FROM held h LEFT JOIN settled s USING (tenant_id, topic, subject_id)`.execute(db)
  return settled
}
