import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** A new link replaces all that its person signs in with: identities at a provider and operators' tokens
 * end too. Earlier builds do not end them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const set of SETS) await sql.raw(columnsOf(set)).execute(db)
  await sql
    .raw(`
    ALTER TABLE operator_tokens
      -- Replaced by a new link from then on.
      ADD COLUMN ends_at timestamptz`)
    .execute(db)
}

const SETS = [
  {
    people: 'console_people',
    prefix: 'console',
    isSame: 'p.tenant_id = i.tenant_id AND p.person_id = i.person_id',
  },
  { people: 'operators', prefix: 'operator', isSame: 'p.operator_id = i.operator_id' },
]

const columnsOf = ({ people, prefix, isSame }: (typeof SETS)[number]) => `
  ALTER TABLE ${people}
    -- The identity of oidc_subject is replaced by a new link from then on.
    ADD COLUMN oidc_ends_at timestamptz;
  ALTER TABLE ${prefix}_invitations
    -- What its person signed in with when it was opened ends then. Null: there was nothing, or it was
    -- refused.
    ADD COLUMN replaces_at timestamptz
      CHECK (replaces_at IS NULL OR used_at IS NOT NULL AND used_at < replaces_at);
  -- Links that wait while this runs.
  UPDATE ${prefix}_invitations i SET replaces_at = i.expires_at FROM ${prefix}_passkeys p
    WHERE i.kind = 'invitation' AND i.used_at < i.expires_at AND p.ends_at = i.expires_at
      AND ${isSame};`
