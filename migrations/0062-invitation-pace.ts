import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** How many invitations a tenant's people have made lately. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE INDEX console_actions_of_invitations ON console_actions (tenant_id, acted_at)
      WHERE action IN ('invitePerson', 'invitePersonAgain') AND person_id IS NOT NULL;
  `)
    .execute(db)
}
