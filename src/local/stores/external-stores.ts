import pg from 'pg'
import { WITHOUT_TLS } from '../../db/connections/connection-pool.ts'
import { openRedis } from '../../redis/redis.ts'
import { LocalFailure, messageOf } from '../local-failure.ts'

const CONNECT_TIMEOUT_MS = 5_000

/** Throws a line with the remedy where it does not answer. */
export async function checkDatabase(url: string): Promise<void> {
  try {
    const client = new pg.Client({
      ...WITHOUT_TLS,
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    })
    client.on('error', () => undefined)
    await client.connect()
    await client.end()
  } catch (error) {
    throw new LocalFailure(
      `The PostgreSQL of DATABASE_URL does not answer (${messageOf(error)}): start it, or unset DATABASE_URL to use the packaged one.`,
      { cause: error },
    )
  }
}

export async function checkRedis(url: string): Promise<void> {
  const redis = openRedis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: () => null,
  })
  let reason: unknown
  redis.on('error', (error: unknown) => {
    reason = error
  })
  try {
    await redis.connect()
    await redis.ping()
  } catch (error) {
    throw new LocalFailure(
      `The Redis of REDIS_URL does not answer (${messageOf(reason ?? error)}): start it, or unset REDIS_URL to use another.`,
      { cause: error },
    )
  } finally {
    redis.disconnect()
  }
}
