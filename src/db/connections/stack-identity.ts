import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../database.ts'
import { sqlState } from '../errors.ts'

export type StackName = 'live' | 'sandbox'

export type StackIdentity = { name: StackName; instanceId: string }

/** A store of another stack. PostgreSQL's code for a connection that the client may not have. */
export class ForeignStack extends Error {
  override readonly name = 'ForeignStack'
  readonly code = '08004'
}

/** Before the name once the tables are distributed: a release that could not serve them refuses it. */
export const DISTRIBUTED = 'distributed '

const SELECT_STACK = `SELECT replace(name, '${DISTRIBUTED}', '') AS name,
  instance_id AS "instanceId" FROM stack`

const VERIFIED_WITHIN_MS = 5_000

const UNDEFINED_TABLE = '42P01'

/** Undefined until `migrate` has written it. */
export async function readStack(db: Db): Promise<StackIdentity | undefined> {
  return await firstOrUndefined(sql.raw<StackIdentity>(SELECT_STACK).execute(db))
}

/** Writes the name where there is none. Throws `ForeignStack`. */
export async function claimDatabase(db: Db, stack: StackName): Promise<void> {
  await sql`INSERT INTO stack (name) VALUES (${stack}) ON CONFLICT DO NOTHING`.execute(db)
  assertStack(await readStack(db), stack)
}

/** For a pool's new connections, so that none to another stack's database is ever used. */
export function verifyStack(stack: StackName) {
  return (client: pg.ClientBase, done: (error?: Error) => void): void => {
    const query = { text: SELECT_STACK, query_timeout: VERIFIED_WITHIN_MS }
    firstOrUndefined(client.query<StackIdentity>(query))
      .then((found) => assertStack(found, stack))
      .then(() => done(), done)
  }
}

export function assertStack(found: StackIdentity | undefined, stack: StackName): void {
  if (found === undefined || found.name === stack) return
  throw new ForeignStack(
    `the database belongs to the ${found.name} stack, and STACK is ${stack}: set DATABASE_URL to the database of the ${stack} stack, or STACK to ${found.name}`,
  )
}

async function firstOrUndefined(
  answer: Promise<{ rows: StackIdentity[] }>,
): Promise<StackIdentity | undefined> {
  try {
    return (await answer).rows[0]
  } catch (error) {
    if (sqlState(error) === UNDEFINED_TABLE) return undefined
    throw error
  }
}
