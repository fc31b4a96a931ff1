import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** Reads the tables without holding up their readers and writers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE facilities VALIDATE CONSTRAINT facilities_in_order;
    ALTER TABLE draws VALIDATE CONSTRAINT draws_in_order;
    ALTER TABLE repayments VALIDATE CONSTRAINT repayments_in_order;
    ALTER TABLE refunds VALIDATE CONSTRAINT refunds_in_order;
    ALTER TABLE margin_warnings VALIDATE CONSTRAINT margin_warnings_in_order;
    ALTER TABLE margin_calls VALIDATE CONSTRAINT margin_calls_in_order;
    ALTER TABLE margin_sales VALIDATE CONSTRAINT margin_sales_in_order`)
    .execute(db)
}
