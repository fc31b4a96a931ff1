import { availableParallelism, cpus, loadavg } from 'node:os'
import { Redis } from 'ioredis'
import { sql } from 'kysely'
import type { Db } from '../../src/db/database.ts'

/** One line on what this is measured on, and how busy that was with other work beforehand. */
export async function describeMachine(db: Db, redisUrl: string): Promise<string> {
  const settings = ['server_version', 'fsync', 'synchronous_commit', 'full_page_writes']
  const values = await Promise.all(
    settings.map(async (name) => {
      const { rows } = await sql<{ value: string }>`
        SELECT current_setting(${name}) AS value`.execute(db)
      return rows[0]?.value
    }),
  )
  const [version, fsync, commit, pages] = values
  const redis = new Redis(redisUrl)
  const redisVersion = /redis_version:(\S+)/.exec(await redis.info('server'))?.[1]
  redis.disconnect()
  return (
    `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version}, ` +
    `PostgreSQL ${version} (fsync ${fsync}, synchronous_commit ${commit}, full_page_writes ${pages}), ` +
    `Redis ${redisVersion}; load average before the start ${loadavg()[0]?.toFixed(1)}`
  )
}
