import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** Since when people hold what they sign in with, when they last gave a passkey, and when what a new link
 * replaces ends. The defaults are for builds that know none of it: to them everything is new. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const { people, prefix } of SETS) await sql.raw(columnsOf(people, prefix)).execute(db)
  await sql
    .raw(`
    -- Null: not used yet, or made by the system's user.
    ALTER TABLE operator_tokens ADD COLUMN held_since timestamptz,
      ADD COLUMN is_trusted boolean NOT NULL DEFAULT false;
    UPDATE operator_tokens SET held_since = created_at;
    -- Of the credential by which it was proposed; null as there.
    ALTER TABLE approvals ADD COLUMN held_since timestamptz;
    CREATE INDEX console_actions_about_people ON console_actions (tenant_id, acted_at)
      WHERE action IN ('changePerson', 'endFormerAccess', 'invitePersonAgain', 'bindIdentity',
        'addPasskey', 'removePasskey');
    CREATE INDEX operator_actions_about_people ON operator_actions (acted_at)
      WHERE subject_kind = 'operator' AND action IN ('operators.invite', 'operators.link',
        'operators.change_role', 'operators.create_token', 'operators.add_passkey',
        'operators.remove_passkey', 'operators.bind_identity');
  `)
    .execute(db)
}

const SETS = [
  { people: 'console_people', prefix: 'console' },
  { people: 'operators', prefix: 'operator' },
]

const columnsOf = (people: string, prefix: string) => `
  ALTER TABLE ${people}
    -- When the identity of oidc_subject was bound.
    ADD COLUMN oidc_bound_at timestamptz,
    -- What was done to their account until then, they have seen.
    ADD COLUMN notices_seen_at timestamptz;
  ALTER TABLE ${prefix}_invitations
    -- Given by the system's user at the command line.
    ADD COLUMN is_trusted boolean NOT NULL DEFAULT false;
  ALTER TABLE ${prefix}_passkeys
    -- Null: since ever; the way back, by a link of the system's user.
    ADD COLUMN held_since timestamptz DEFAULT now(),
    -- Replaced by a new link from then on.
    ADD COLUMN ends_at timestamptz;
  UPDATE ${prefix}_passkeys SET held_since = created_at;
  ALTER TABLE ${prefix}_sessions
    -- Of the youngest credential that led to it; null as there.
    ADD COLUMN held_since timestamptz DEFAULT now(),
    -- The last new proof of who it is: a link, a sign-in at the provider that asked again. For the first
    -- passkey.
    ADD COLUMN proven_at timestamptz,
    -- When a passkey was last asked for within it.
    ADD COLUMN confirmed_at timestamptz,
    -- What was done to the account until then, was seen in it.
    ADD COLUMN notices_seen_at timestamptz,
    ADD COLUMN ends_at timestamptz;
  UPDATE ${prefix}_sessions SET held_since = created_at;`
