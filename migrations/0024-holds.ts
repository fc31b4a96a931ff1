import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0022-audit'

/** Holds, and what was sent and is recalled. An older build knows no hold: place none until it has ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE facility_pauses
      ADD COLUMN hold_kind text CHECK (hold_kind IN
        ('bankruptcy', 'court_order', 'freeze', 'death', 'dispute', 'other')),
      ADD COLUMN reason text,
      ADD CONSTRAINT facility_pauses_holds CHECK ((kind = 'hold') = (hold_kind IS NOT NULL)
        AND (kind = 'hold') = (reason IS NOT NULL));
    CREATE INDEX facility_pauses_holds_lying ON facility_pauses (started_at, pause_id)
      WHERE kind = 'hold' AND ended_at IS NULL;

    ALTER TABLE facilities
      -- While holds lie: since when one has, without a break.
      ADD COLUMN held_since timestamptz CHECK (held_since IS NULL OR state <> 'DECLINED'),
      -- How often one began to lie.
      ADD COLUMN times_held integer NOT NULL DEFAULT 0
        CHECK (times_held >= (held_since IS NOT NULL)::int),
      -- The release of the lien under the newest floor's number may have reached the custodian.
      ADD COLUMN release_sent_at timestamptz,
      ADD COLUMN release_recalled_at timestamptz
        CHECK (release_recalled_at IS NULL OR release_sent_at IS NOT NULL);
    UPDATE facilities SET release_sent_at = updated_at WHERE state = 'CLOSING';
    -- From then on only the cancellation of what was sent is called.
    ALTER TABLE draws ADD COLUMN recalled_at timestamptz
      CHECK (recalled_at IS NULL OR payout_sent_at IS NOT NULL);
    ALTER TABLE margin_sales ADD COLUMN recalled_at timestamptz;
    ALTER TABLE refunds ADD COLUMN recalled_at timestamptz
        CHECK (recalled_at IS NULL OR ordered IS NOT NULL),
      -- Payments that were recalled and refused: the next is ordered under a new id.
      ADD COLUMN recalls integer NOT NULL DEFAULT 0;
  `)
    .execute(db)
}
