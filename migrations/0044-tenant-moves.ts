import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** A tenant may leave for another cell. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- leaving: read here, changed nowhere. gone: served by another cell. arriving: not served yet.
    ALTER TABLE tenants ADD COLUMN move text CHECK (move IN ('leaving', 'gone', 'arriving'));
    CREATE INDEX tenants_away ON tenants (tenant_id) WHERE move IS NOT NULL;

    -- This database's own record of each move, out of it or into it; it does not move.
    CREATE TABLE tenant_moves (
      tenant_id      text NOT NULL,
      move_id        uuid NOT NULL,
      direction      text NOT NULL CHECK (direction IN ('out', 'in')),
      other_instance uuid NOT NULL,
      other_cell     text,
      started_at     timestamptz NOT NULL DEFAULT now(),
      -- From when nothing can write the tenant's rows here.
      held_at        timestamptz,
      ended_at       timestamptz,
      PRIMARY KEY (tenant_id, move_id)
    );
    CREATE UNIQUE INDEX tenant_moves_one_open ON tenant_moves (tenant_id) WHERE ended_at IS NULL;

    -- Called by triggers that stand while a tenant is away, for its rows alone. Arguments: what is held
    -- (claims, or all), and which column's change is passed over ('*': any change is).
    CREATE FUNCTION hold_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF current_setting('lending.mover', true) IN (OLD.tenant_id, NEW.tenant_id) THEN
        IF TG_OP = 'DELETE' THEN
          RETURN OLD;
        END IF;
        RETURN NEW;
      END IF;
      IF TG_ARGV[0] = 'claims' THEN
        IF NEW.lease IS NULL OR NEW.lease IS NOT DISTINCT FROM OLD.lease THEN
          RETURN NEW;
        END IF;
        RETURN NULL;
      END IF;
      -- Purges pass over; a deletion that is acknowledged writes other rows too.
      IF TG_OP = 'DELETE' THEN
        RETURN NULL;
      END IF;
      IF TG_OP = 'UPDATE' AND (TG_ARGV[1] = '*'
          OR to_jsonb(OLD) - TG_ARGV[1] = to_jsonb(NEW) - TG_ARGV[1]) THEN
        RETURN NULL;
      END IF;
      RAISE EXCEPTION 'tenant % is moving to another cell', NEW.tenant_id USING ERRCODE = 'TM001';
    END $$`)
    .execute(db)
}
