import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Db, Tx } from '../../../src/db/database.ts'
import type { Tables } from '../../../src/db/schema/tables.ts'
import { claimDue } from '../../../src/domain/webhooks/deliveries/claim-queries.ts'
import { selectWebhooksWithDue } from '../../../src/domain/webhooks/deliveries/due-queries.ts'

export type Plan = { name: string; text: string }

/** Fresh statistics, as autovacuum keeps them. */
export async function analyse(db: Db): Promise<void> {
  await sql`SET statement_timeout = 0`.execute(db)
  await sql`VACUUM (ANALYZE) events, deliveries`.execute(db)
}

/** How PostgreSQL runs the worker's two queries over all deliveries: the claim and the sweep. */
export async function explainDeliveryQueries(
  databaseUrl: string,
  webhook: { tenantId: string; webhookId: string },
): Promise<Plan[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const now = new Date()
    return [
      await explain('claim', client, (db) =>
        claimDue(db as Tx, [{ ...webhook, limit: 10 }], { now, distributed: false }),
      ),
      await explain('sweep', client, (db) => selectWebhooksWithDue(db, now)),
    ]
  } finally {
    await client.end()
  }
}

/** Runs a query of ours under EXPLAIN ANALYZE, in a transaction that is rolled back. */
async function explain(
  name: string,
  client: pg.Client,
  run: (db: Db) => Promise<unknown>,
): Promise<Plan> {
  let text = ''
  const connection = {
    query: async (statement: string, parameters: unknown[]) => {
      await client.query('BEGIN')
      const explained = await client.query(
        `EXPLAIN (ANALYZE, COSTS OFF, BUFFERS OFF, SUMMARY OFF) ${statement}`,
        parameters,
      )
      await client.query('ROLLBACK')
      text = explained.rows.map((row) => row['QUERY PLAN']).join('\n')
      return { command: 'SELECT', rowCount: 0, rows: [] }
    },
    release: () => undefined,
  }
  const pool = { connect: async () => connection, end: async () => undefined }
  await run(new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool as never }) }))
  if (/Seq Scan on deliveries\S* .*rows=(?!0\.00)|Rows Removed by Filter: \d{4}/.test(text)) {
    throw new Error(`The ${name} reads deliveries without an index:\n${text}`)
  }
  return { name, text: shorten(text) }
}

/** Leaves out the partitions in which nothing was found, and all but nodes and their conditions. */
function shorten(plan: string): string {
  let isKept = true
  return plan
    .split('\n')
    .filter((line) => {
      const isNode = /->|actual time/.test(line)
      if (isNode) isKept = !/never executed|rows=0\.00/.test(line)
      return isKept && (isNode || /(Cond|Key|CTE|Filter)\b/.test(line))
    })
    .map((line) => line.replace(/'(\w{3})_\w{26}'/g, "'$1_…'"))
    .join('\n')
}
