import { type Insertable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Tables } from '../../db/schema/tables.ts'

/** Also deletes the processes that have been silent since `silentSince`. Returns the database's time. */
export async function upsertProcess(
  db: Db,
  process: Insertable<Tables['processes']>,
  silentSince: Date,
): Promise<Date> {
  const report = sql<unknown>`${JSON.stringify(process.report)}::jsonb`
  const { reported_at } = process
  const { at } = await db
    .with('silent', (from) =>
      from.deleteFrom('processes').where('reported_at', '<', silentSince).returning('process_id'),
    )
    .insertInto('processes')
    .values({ ...process, report })
    .onConflict((conflict) => conflict.column('process_id').doUpdateSet({ reported_at, report }))
    .returning(sql<Date>`clock_timestamp()`.as('at'))
    .executeTakeFirstOrThrow()
  return at
}

export async function deleteProcess(db: Db, processId: string): Promise<void> {
  await db.deleteFrom('processes').where('process_id', '=', processId).execute()
}

export async function selectProcesses(db: Db, limit: number) {
  return await db
    .selectFrom('processes')
    .selectAll()
    .orderBy('reported_at', 'desc')
    .orderBy('process_id')
    .limit(limit)
    .execute()
}
