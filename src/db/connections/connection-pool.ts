import pg from 'pg'
import type { Client } from './session.ts'
import { type StackName, verifyStack } from './stack-identity.ts'
import { TurnSocket } from './turn-socket.ts'

/** A session gets its connection here. */
export type Connections = { connect(): Promise<Client> }

export type ConnectionPool = Connections &
  Pick<pg.Pool, 'end' | 'ending' | 'totalCount' | 'idleCount' | 'waitingCount'> & {
    on(event: 'connect' | 'remove', listener: (client: Client) => void): unknown
  }

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

/** PGSSLMODE of a shell is for other programs: the address alone decides on TLS, and overrides this. */
export const WITHOUT_TLS = { ssl: false } as const

/** The form of what is read: a database, a role or PGOPTIONS may set it otherwise. */
const OWN_FORMATS = { datestyle: 'ISO', timezone: 'UTC' }

/** The operating system's two hours are longer than anything here may wait. */
const KEEP_ALIVE_AFTER_MS = 5_000

class Connection extends pg.Client {
  readonly #socket: TurnSocket

  constructor(config: pg.ClientConfig) {
    const socket = new TurnSocket()
    super({ ...config, stream: () => socket })
    this.#socket = socket
  }

  /** Otherwise a login that fails stays open for a minute, and the server can neither make nor drop a
   * database meanwhile. */
  override connect = ((callback: (error?: Error) => void) => {
    super.connect((error?: Error) => {
      if (error) this.destroy()
      callback(error)
    })
  }) as pg.Client['connect']

  getStartupConf(): object {
    const { getStartupConf } = pg.Client.prototype as unknown as { getStartupConf(): object }
    return { ...getStartupConf.call(this), ...OWN_FORMATS }
  }

  destroy(): void {
    this.#socket.destroy()
  }
}

/** `numeric` and `int8` are bigint, so that money is never a number. */
export function createPool(options: PoolOptions): ConnectionPool {
  const types = {
    getTypeParser(oid: number, format?: 'text' | 'binary') {
      if (oid === INT8 || oid === NUMERIC) return parseBigInt
      return oid === TIMESTAMPTZ ? parseInstant : pg.types.getTypeParser(oid, format)
    },
  }
  const pool = new pg.Pool({
    ...WITHOUT_TLS,
    connectionString: options.connectionString,
    max: options.maxConnections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    pipeline: true,
    Client: Connection,
    ...SESSION_LIMITS_MS,
    types: types as pg.CustomTypesConfig,
    ...(options.stack && { verify: verifyStack(options.stack) }),
  } as unknown as pg.PoolConfig)
  const onError = options.onIdleError ?? (() => undefined)
  pool.on('error', onError)
  // A connection that dies while checked out emits here; without a listener the process would end.
  pool.on('connect', (client) => client.on('error', onError))
  return pool as unknown as ConnectionPool
}
