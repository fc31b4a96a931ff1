import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** The instants of a facility's acts never go back. A leap of a sandbox clock has left rows with an
 * end before their beginning: they end when they begin. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    UPDATE facilities SET decisioned_at = created_at WHERE decisioned_at < created_at;
    UPDATE facilities SET closed_at = coalesce(decisioned_at, created_at)
      WHERE closed_at < coalesce(decisioned_at, created_at);
    UPDATE draws SET payout_sent_at = requested_at WHERE payout_sent_at < requested_at;
    UPDATE draws SET completed_at = coalesce(payout_sent_at, requested_at)
      WHERE completed_at < coalesce(payout_sent_at, requested_at);
    UPDATE repayments SET applied_at = greatest(requested_at, reported_at)
      WHERE applied_at < greatest(requested_at, reported_at);
    UPDATE refunds SET paid_at = created_at WHERE paid_at < created_at;
    UPDATE margin_warnings SET cured_at = raised_at WHERE cured_at < raised_at;
    UPDATE margin_warnings SET escalated_at = raised_at WHERE escalated_at < raised_at;
    UPDATE margin_calls SET started_at = created_at WHERE started_at < created_at;
    UPDATE margin_calls SET completed_at = coalesce(started_at, created_at)
      WHERE completed_at < coalesce(started_at, created_at);
    UPDATE margin_sales SET acknowledged_at = ordered_at WHERE acknowledged_at < ordered_at;
    UPDATE margin_sales SET executed_at = ordered_at WHERE executed_at < ordered_at;

    -- Of the last act: none that comes after it, under the facility's lock, is dated before it. A build
    -- of before writes no such instant, so the others are not compared with it.
    ALTER TABLE facilities ADD COLUMN acted_at timestamptz,
      ADD CONSTRAINT facilities_in_order CHECK (acted_at >= created_at
        AND decisioned_at >= created_at
        AND closed_at >= coalesce(decisioned_at, created_at)) NOT VALID;
    ALTER TABLE draws ADD CONSTRAINT draws_in_order
      CHECK (payout_sent_at >= requested_at
        AND completed_at >= coalesce(payout_sent_at, requested_at)) NOT VALID;
    ALTER TABLE repayments ADD CONSTRAINT repayments_in_order
      CHECK (applied_at >= requested_at AND applied_at >= reported_at) NOT VALID;
    ALTER TABLE refunds ADD CONSTRAINT refunds_in_order CHECK (paid_at >= created_at) NOT VALID;
    ALTER TABLE margin_warnings ADD CONSTRAINT margin_warnings_in_order
      CHECK (cured_at >= raised_at AND escalated_at >= raised_at) NOT VALID;
    ALTER TABLE margin_calls ADD CONSTRAINT margin_calls_in_order
      CHECK (started_at >= created_at
        AND completed_at >= coalesce(started_at, created_at)) NOT VALID;
    ALTER TABLE margin_sales ADD CONSTRAINT margin_sales_in_order
      CHECK (acknowledged_at >= ordered_at AND executed_at >= ordered_at) NOT VALID`)
    .execute(db)
}
