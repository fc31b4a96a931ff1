import type { PostgresPool } from 'kysely'
import pg from 'pg'
import { createPreparingClient, endReadOnly } from './preparing-client.ts'
import { type StackName, verifyStack } from './stack-identity.ts'

export type PoolOptions = {
  connectionString: string
  maxConnections: number
  onIdleError?: (error: Error) => void
  /** Refuses connections to a database of another stack. */
  stack?: StackName
}

const parseBigInt = (text: string) => BigInt(text)

const { INT8, NUMERIC, TIMESTAMPTZ } = pg.types.builtins
const parseAnyInstant = pg.types.getTypeParser(TIMESTAMPTZ) as (text: string) => Date

/** `2026-11-20 12:00:00.123456+00`, to the millisecond. Others are left to `pg`. */
function parseInstant(text: string): Date {
  if (text[4] !== '-' || text[10] !== ' ' || !text.endsWith('+00')) return parseAnyInstant(text)
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
}

export const SESSION_LIMITS_MS = {
  lock_timeout: 2_000,
  statement_timeout: 10_000,
  idle_in_transaction_session_timeout: 10_000,
} as const

/** `numeric` and `int8` are bigint, so that money is never a number. */
export function createPool(options: PoolOptions): pg.Pool {
  const types = {
    getTypeParser(oid: number, format?: 'text' | 'binary') {
      if (oid === INT8 || oid === NUMERIC) return parseBigInt
      return oid === TIMESTAMPTZ ? parseInstant : pg.types.getTypeParser(oid, format)
    },
  }
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max: options.maxConnections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    ...SESSION_LIMITS_MS,
    types: types as pg.CustomTypesConfig,
    Client: createPreparingClient(),
    ...(options.stack && { verify: verifyStack(options.stack) }),
  })
  const onError = options.onIdleError ?? (() => undefined)
  pool.on('error', onError)
  // A connection that dies while checked out emits here; without a listener the process would end.
  pool.on('connect', (client) => client.on('error', onError))
  pool.on('release', endReadOnly)
  return pool
}

/** The same connections, for who is served before all that wait for one. */
export function aheadIn(pool: pg.Pool): PostgresPool {
  // `pg` appends who must wait, and its types leave the list out.
  const { _pendingQueue: waiting } = pool as unknown as { _pendingQueue: unknown[] }
  return {
    options: pool.options,
    end: () => pool.end(),
    connect() {
      const before = waiting.length
      const connecting = pool.connect()
      if (waiting.length > before) waiting.unshift(waiting.pop())
      return connecting
    },
  }
}
