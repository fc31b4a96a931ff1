import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from './database.ts'
import { sqlState } from './errors.ts'

export type StackName = 'live' | 'sandbox'

export type StackIdentity = { name: StackName; instanceId: string; cell: string | undefined }

/** What a process is configured for. A command need not name the cell. */
export type OwnStack = { stack: StackName; cell: string | undefined }

/** A store of another stack. PostgreSQL's code for a connection that the client may not have. */
export class ForeignStack extends Error {
  override readonly name = 'ForeignStack'
  readonly code = '08004'
}

/** Before the name once the tables are distributed: a release that could not serve them refuses it. */
export const DISTRIBUTED = 'distributed '

// The cell as JSON, because a database that is yet to be migrated has no such column.
const SELECT_STACK = `SELECT replace(name, '${DISTRIBUTED}', '') AS name,
  instance_id AS "instanceId", to_jsonb(stack) ->> 'cell' AS cell FROM stack`

const UNDEFINED_TABLE = '42P01'

/** Undefined until `migrate` has written it. */
export async function readStack(db: Db): Promise<StackIdentity | undefined> {
  return await firstOrUndefined(sql.raw<StackRow>(SELECT_STACK).execute(db))
}

/** Writes the names where there are none; a cell once named keeps its name. Throws `ForeignStack`. */
export async function claimDatabase(db: Db, own: OwnStack): Promise<void> {
  await sql`INSERT INTO stack (name) VALUES (${own.stack}) ON CONFLICT DO NOTHING`.execute(db)
  if (own.cell !== undefined) {
    await sql`UPDATE stack SET cell = ${own.cell} WHERE cell IS NULL`.execute(db)
  }
  assertStack(await readStack(db), own)
}

/** For a pool's new connections, so that none to another stack's database is ever used. */
export function verifyStack(own: OwnStack) {
  return (client: pg.ClientBase, done: (error?: Error) => void): void => {
    firstOrUndefined(client.query<StackRow>(SELECT_STACK))
      .then((found) => {
        assertStack(found, own)
        assertCell(found, own)
      })
      .then(() => done(), done)
  }
}

/** A command that names no cell may use any cell's database. */
export function assertStack(found: StackIdentity | undefined, { stack, cell }: OwnStack): void {
  if (found === undefined) return
  if (found.name !== stack) {
    throw new ForeignStack(
      `the database belongs to the ${found.name} stack, and STACK is ${stack}: set DATABASE_URL to the database of the ${stack} stack, or STACK to ${found.name}`,
    )
  }
  if (cell !== undefined && found.cell !== undefined) assertCell(found, { stack, cell })
}

/** A process serves the cell that it names alone, and without a name one that has none. */
export function assertCell(found: StackIdentity | undefined, { cell }: OwnStack): void {
  if (found === undefined || found.cell === cell) return
  if (found.cell === undefined) {
    throw new ForeignStack(
      `the database names no cell, and CELL is ${cell}: run the migrate command with CELL=${cell} if this is its database`,
    )
  }
  throw new ForeignStack(
    `the database belongs to the cell ${found.cell}, and CELL is ${cell ?? 'not set'}: set DATABASE_URL to the database of this cell, or CELL to ${found.cell}`,
  )
}

type StackRow = Omit<StackIdentity, 'cell'> & { cell: string | null }

async function firstOrUndefined(
  answer: Promise<{ rows: StackRow[] }>,
): Promise<StackIdentity | undefined> {
  try {
    const row = (await answer).rows[0]
    return row && { ...row, cell: row.cell ?? undefined }
  } catch (error) {
    if (sqlState(error) === UNDEFINED_TABLE) return undefined
    throw error
  }
}
