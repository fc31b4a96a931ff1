import type { CompiledQuery, Kysely } from 'kysely'
import type { Statement } from '../connections/session.ts'
import { Database } from '../database.ts'
import type { Tables } from '../schema/tables.ts'
import { showCallers } from './callers.ts'

type Db = Kysely<Tables>

/** A builder of Kysely, `sql` or a prebuilt statement makes it: it can be sent. */
export type Query<Row> = { compile(db: Db): CompiledQuery<Row> }

/** On its own, or as part of a transaction. */
export async function execute<Row>(db: Db, query: Query<Row>): Promise<Row[]> {
  try {
    return (await db.executeQuery(query.compile(db))).rows
  } catch (error) {
    throw showCallers(error, execute)
  }
}

/** For a SELECT by key without a lock: outside a transaction those of one tenant that come at one time share a
 * connection and a packet. */
export async function executeShared<Row>(
  db: Db,
  tenantId: string,
  query: Query<Row>,
): Promise<Row[]> {
  if (!(db instanceof Database)) return await execute(db, query)
  try {
    return (await db.runShared({ tenantId, statement: query.compile(db) })).rows as Row[]
  } catch (error) {
    throw showCallers(error, executeShared)
  }
}

/** For a statement whose best plan depends on its parameters, such as the length of a list. */
export function unprepared<Row>(query: Query<Row>): Query<Row> {
  return {
    compile: (db): Statement<Row> => ({ ...query.compile(db), isUnprepared: true }),
  }
}
