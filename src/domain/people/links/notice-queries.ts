import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { among, isPerson, type PersonKey, tablesOf } from '../../../db/sql/people-tables.ts'

/** On a page; those of one instant are on the same. */
const MOST = 20

type NoticeRow = { action: string; about: string | null; by: string | null; at: Date }

/** Newest first, since the person last looked in the session, or anywhere, or was invited; `before`, if
 * given. `count`: of all of these. */
export async function selectNotices(
  db: Db,
  key: PersonKey,
  { sessionId, before }: { sessionId: string; before: Date | undefined },
): Promise<(NoticeRow & { count: bigint })[]> {
  const { people, sessions } = tablesOf(key)
  const since = sql`greatest(
    (SELECT coalesce(notices_seen_at, created_at) FROM ${people} WHERE ${isPerson(key)}),
    (SELECT notices_seen_at FROM ${sessions} WHERE ${among(key)} AND session_id = ${sessionId}))`
  const { rows } = await sql<NoticeRow & { count: bigint }>`
    SELECT a.*, count(*) OVER () AS count FROM (${actsAbout(key, since)}) a
    WHERE ${before ? sql`at < ${before}` : sql`true`}
    ORDER BY at DESC FETCH FIRST ${sql.lit(MOST)} ROWS WITH TIES`.execute(db)
  return rows
}

/** For a tenant's person: what others did with their account, and its passkeys that came and went. For an
 * operator also that another was invited: someone to confirm with. */
function actsAbout(key: PersonKey, since: RawBuilder<unknown>): RawBuilder<NoticeRow> {
  if (key.audience === 'lender') {
    return sql`
      SELECT action, o.email AS about, actor AS by, acted_at AS at FROM operator_actions a
      LEFT JOIN operators o ON o.operator_id = a.subject_id
      WHERE subject_kind = 'operator' AND acted_at > ${since}
        -- As the index has it.
        AND action IN ('operators.invite', 'operators.link', 'operators.change_role',
          'operators.create_token', 'operators.add_passkey', 'operators.remove_passkey',
          'operators.bind_identity')
        AND CASE WHEN action IN ('operators.invite', 'operators.link')
          THEN a.operator_id IS DISTINCT FROM ${key.personId}
          ELSE subject_id = ${key.personId} END`
  }
  return sql`
    SELECT a.action, NULL AS about, p.email AS by, a.acted_at AS at FROM console_actions a
    LEFT JOIN console_people p ON p.tenant_id = a.tenant_id AND p.person_id = a.person_id
    WHERE a.tenant_id = ${key.tenantId} AND a.acted_at > ${since}
      -- As the index has it.
      AND a.action IN ('changePerson', 'endFormerAccess', 'invitePersonAgain', 'bindIdentity',
        'addPasskey', 'removePasskey')
      AND CASE WHEN a.action IN ('addPasskey', 'removePasskey') THEN a.person_id = ${key.personId}
        ELSE a.subject = ${key.personId} END`
}

export async function updateNoticesSeen(tx: Tx, key: PersonKey, until: Date): Promise<void> {
  await sql`UPDATE ${tablesOf(key).people} SET notices_seen_at = ${until}
    WHERE ${isPerson(key)} AND (notices_seen_at IS NULL OR notices_seen_at < ${until})`.execute(tx)
}

export async function updateNoticesSeenIn(
  tx: Tx,
  key: PersonKey,
  sessionId: string,
  until: Date,
): Promise<void> {
  await sql`UPDATE ${tablesOf(key).sessions} SET notices_seen_at = ${until}
    WHERE ${among(key)} AND session_id = ${sessionId}
      AND (notices_seen_at IS NULL OR notices_seen_at < ${until})`.execute(tx)
}

/** Of one of the lender's people. */
export async function withdrawProposalsSince(
  tx: Tx,
  operatorId: string,
  { after, now }: { after: Date; now: Date },
): Promise<void> {
  await sql`UPDATE approvals
    SET status = 'REJECTED', decided_by = ${operatorId}, decided_at = ${now}
    WHERE proposed_by = ${operatorId} AND status = 'PENDING' AND proposed_at >= ${after}`.execute(
    tx,
  )
}
