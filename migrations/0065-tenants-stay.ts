import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** Tenants no longer move between stacks, and processes no longer ask whether one is away. So none may
 * be: it would be served here and there. `tenants.move`, `tenant_moves`, `stack.cell` and
 * `hold_tenant` stay for older builds, and a later release drops them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ tenant_id: string; move: string }>`
    SELECT tenant_id, move FROM tenants WHERE move IS NOT NULL ORDER BY tenant_id`.execute(db)
  if (rows.length > 0) throw new Error(describeAway(rows))
  // A command that was cut off may have left its triggers, which would refuse the tenant's changes.
  const triggers = await sql<{ drop: string }>`
    SELECT format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass) AS drop FROM pg_trigger
    WHERE tgfoid = 'hold_tenant'::regproc AND tgparentid = 0 ORDER BY 1`.execute(db)
  for (const { drop } of triggers.rows) await sql.raw(drop).execute(db)
  await sql.raw('ALTER TABLE tenants ADD CONSTRAINT tenants_stay CHECK (move IS NULL)').execute(db)
}

function describeAway(away: readonly { tenant_id: string; move: string }[]): string {
  const named = away.map(({ tenant_id: id, move }) => `${id} is ${move}`).join(', ')
  return `this release serves every tenant of its database, and ${named}: with the release before, end the move (tenants move), undo it (tenants move --abandon), or delete what a tenant that is gone has left (tenants forget), then migrate again`
}
