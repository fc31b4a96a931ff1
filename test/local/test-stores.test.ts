import { spawnSync } from 'node:child_process'
import { Redis } from 'ioredis'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readState } from '../../src/db/migrate/migrate.ts'
import { createTestDatabase } from '../support/stores/database.ts'
import { testRedisUrl } from '../support/stores/redis.ts'

test('two test databases are migrated and see nothing of each other', async () => {
  await using first = await createTestDatabase()
  await using second = await createTestDatabase()
  await sql`CREATE TABLE only_here (id integer)`.execute(first.db)
  expect(await readState(first.db)).toMatchObject({ kind: 'at_head' })
  expect(await readState(second.db)).toMatchObject({ kind: 'at_head' })
  await expect(sql`SELECT FROM only_here`.execute(second.db)).rejects.toThrow('does not exist')
})

test('a test file finds its Redis database empty', async () => {
  const redis = new Redis(await testRedisUrl())
  await redis.set('left', 'over')
  await testRedisUrl()
  expect(await redis.dbsize()).toBe(0)
  await redis.quit()
})

test('a run over PgBouncer and Clusters without a PgBouncer ends in one sentence', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['scripts/run.mjs', 'vitest', 'run', '--mode', 'scale'],
    { encoding: 'utf8', env: { ...process.env, PGBOUNCER: '/nowhere/pgbouncer' } },
  )
  expect(status).toBe(1)
  expect(stderr.trim().split('\n')).toEqual([
    'PgBouncer 1.21 or later is needed on the path, or named by PGBOUNCER; found none.',
  ])
  expect(stdout).not.toContain('Error')
}, 60_000)
