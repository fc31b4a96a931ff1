import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

/** People of the tenant's console who asked for mails and have confirmed their address. */
export async function selectRecipients(tx: Tx, tenantId: string): Promise<string[]> {
  const rows = await recipients(tx, tenantId).orderBy('person_id').execute()
  return rows.map(({ person_id }) => person_id)
}

/** Orders the mails of one person. Returns false for one who gets none. */
export async function lockRecipient(tx: Tx, tenantId: string, personId: string): Promise<boolean> {
  const row = await recipients(tx, tenantId)
    .where('person_id', '=', personId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

function recipients(tx: Tx, tenantId: string) {
  return tx
    .selectFrom('console_people')
    .select('person_id')
    .where('tenant_id', '=', tenantId)
    .where('failure_mails', '=', true)
    .whereRef('confirmed_email', '=', 'email')
    .where('removed_at', 'is', null)
}

/** What happened to one webhook. */
export type Failures = {
  webhookId: string
  failedAttempts: number
  deadLetters: number
  isDisabled: boolean
}

export type NewNotice = Failures & { noticeId: string; personId: string; now: Date }

/** Adds to what the person's next mail about the webhook says. In the order of `notices`. */
export async function collectNotices(
  tx: Tx,
  tenantId: string,
  notices: readonly NewNotice[],
): Promise<void> {
  if (notices.length === 0) return
  const rows = notices.map(
    (notice) => sql`(${tenantId}, ${notice.noticeId}::uuid, ${notice.personId}, ${notice.webhookId},
      ${notice.failedAttempts}::integer, ${notice.deadLetters}::integer,
      ${notice.isDisabled}::boolean, ${notice.now}::timestamptz, ${notice.now}::timestamptz)`,
  )
  await sql`
    INSERT INTO failure_notices AS n (tenant_id, notice_id, person_id, webhook_id, failed_attempts,
      dead_letters, is_disabled, first_at, last_at)
    VALUES ${sql.join(rows)}
    ON CONFLICT (tenant_id, person_id, webhook_id) WHERE mail_id IS NULL DO UPDATE SET
      failed_attempts = greatest(n.failed_attempts, excluded.failed_attempts),
      dead_letters = n.dead_letters + excluded.dead_letters,
      is_disabled = n.is_disabled OR excluded.is_disabled,
      first_at = least(n.first_at, excluded.first_at),
      last_at = greatest(n.last_at, excluded.last_at)`.execute(tx)
}

/** The webhooks of what no mail has yet, the first to fail first. Locks it, in the order of webhooks:
 * who collects locks one webhook's in the order of people, so that none waits for another. */
export async function lockCollected(tx: Tx, tenantId: string, personId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('failure_notices')
    .select(['webhook_id', 'first_at'])
    .where('tenant_id', '=', tenantId)
    .where('person_id', '=', personId)
    .where('mail_id', 'is', null)
    .orderBy('webhook_id')
    .forUpdate()
    .execute()
  return rows
    .toSorted((a, b) => a.first_at.getTime() - b.first_at.getTime())
    .map(({ webhook_id }) => webhook_id)
}

/** The webhooks of the mails that were reserved after `after`. */
export async function selectReserved(
  tx: Tx,
  tenantId: string,
  personId: string,
  after: Date,
): Promise<{ mail_id: string; reserved_at: Date; webhook_id: string }[]> {
  return await tx
    .selectFrom('failure_notices')
    .select(['mail_id', 'reserved_at', 'webhook_id'])
    .where('tenant_id', '=', tenantId)
    .where('person_id', '=', personId)
    .where('mail_id', 'is not', null)
    .where('reserved_at', '>', after)
    .$narrowType<{ mail_id: string; reserved_at: Date }>()
    .execute()
}

export async function reserveCollected(
  tx: Tx,
  { tenantId, personId, webhookIds }: { tenantId: string; personId: string; webhookIds: string[] },
  mailId: string,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('failure_notices')
    .set({ mail_id: mailId, reserved_at: now })
    .where('tenant_id', '=', tenantId)
    .where('person_id', '=', personId)
    .where('mail_id', 'is', null)
    .where(sql<boolean>`webhook_id = ANY (${webhookIds}::text[])`)
    .execute()
}

export type NoticeRow = {
  webhook_id: string
  failed_attempts: number
  dead_letters: number
  is_disabled: boolean
  first_at: Date
  last_at: Date
  mail_id: string
}

/** What the person's mail says that is reserved and not sent; empty without one. */
export async function selectUnsent(
  db: Db,
  tenantId: string,
  personId: string,
): Promise<NoticeRow[]> {
  return await db
    .selectFrom('failure_notices')
    .select([
      ...(['webhook_id', 'failed_attempts', 'dead_letters', 'is_disabled'] as const),
      ...(['first_at', 'last_at', 'mail_id'] as const),
    ])
    .where('tenant_id', '=', tenantId)
    .where('person_id', '=', personId)
    .where('mail_id', 'is not', null)
    .where('sent_at', 'is', null)
    .orderBy('first_at')
    .orderBy('webhook_id')
    .$narrowType<{ mail_id: string }>()
    .execute()
}

export async function updateSent(
  db: Db,
  tenantId: string,
  { personId, mailId }: { personId: string; mailId: string },
  now: Date,
): Promise<void> {
  await db
    .updateTable('failure_notices')
    .set({ sent_at: now })
    .where('tenant_id', '=', tenantId)
    .where('person_id', '=', personId)
    .where('mail_id', '=', mailId)
    .where('sent_at', 'is', null)
    .execute()
}

/** What was not mailed yet. */
export async function deleteUnsent(tx: Tx, tenantId: string, personId: string): Promise<void> {
  await tx
    .deleteFrom('failure_notices')
    .where('tenant_id', '=', tenantId)
    .where('person_id', '=', personId)
    .where('sent_at', 'is', null)
    .execute()
}
