import { join } from 'node:path'
import { ensureDatabase } from '../../../src/local/stores/postgres.ts'
import { settle } from '../../faults/world/settle.ts'
import type { Keep } from '../../support/world/keep.ts'
import {
  CROWDED,
  createPostgres,
  createRedis,
  DATABASE,
  type Postgres,
} from '../../support/world/stores.ts'
import { type Drill, findLosses } from '../drill.ts'
import {
  appendSettings,
  copyServer,
  makeSharedFolder,
  untilTrue,
  withClient,
  writeOwned,
} from '../world/clusters.ts'
import { openStack } from '../world/stack.ts'
import { startTraffic } from '../world/traffic.ts'

/** As docs/drills.md has it: a base backup, the archived WAL, and the instant before the mistake. */
export const pointInTime: Drill = {
  name: 'point-in-time',
  title: 'every draw is deleted by mistake; recovery by WAL archive to the instant before',
  aim: {},
  stops: 'the chosen instant',
  async run({ keep, say }) {
    const servers = await startArchived(keep)
    const stack = await openStack(keep, servers)
    await servers.takeBaseBackup()
    const traffic = await startTraffic(keep, stack)
    await traffic.untilServed(200)
    const measured = await traffic.stop()
    await settle(stack, say)
    const instant = await readInstant(servers.primary)
    await makeMistake(servers.primary)
    await Promise.all([...stack.apis, ...stack.workers].map((part) => part.stop()))
    await stack.db.destroy()
    await servers.recover(instant)
    await servers.forgetRedis()
    const restored = await stack.reopen()
    say('recovered; everything acknowledged before the mistake is held against the database')
    return { measured, problems: await findLosses(restored, traffic, say) }
  },
}

async function readInstant(server: Postgres): Promise<string> {
  return await withClient(server, async (client) => {
    const { rows } = await client.query('SELECT clock_timestamp()::text AS instant')
    return rows[0].instant
  })
}

async function makeMistake(server: Postgres): Promise<void> {
  await withClient(server, (client) => client.query('TRUNCATE draws CASCADE'), DATABASE)
}

async function startArchived(keep: Keep) {
  const archive = makeSharedFolder(join(keep.folder, 'archive'))
  const primary = await createPostgres(keep, {
    name: 'primary',
    settings: {
      ...CROWDED,
      archive_mode: 'on',
      archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
    },
  })
  const { port, password } = primary
  const place = { name: 'recovered', port, password, settings: CROWDED }
  const recovered = await createPostgres(keep, place)
  const redis = await createRedis(keep)
  await Promise.all([primary.start(), redis.start()])
  await ensureDatabase(primary, DATABASE)
  const folderOf = (name: string) => join(keep.folder, name)
  return {
    databaseUrl: primary.urlOf(DATABASE),
    redisUrl: redis.url,
    primary,
    takeBaseBackup: () => copyServer(primary, folderOf('primary'), folderOf('recovered')),
    /** Ends the damaged server; resolves once the recovered one takes writes. */
    async recover(instant: string) {
      await withClient(primary, (client) => client.query('SELECT pg_switch_wal()'))
      await untilTrue(
        primary,
        'SELECT last_archived_wal IS NOT NULL AND failed_count = 0 FROM pg_stat_archiver',
      )
      await primary.stop()
      const folder = folderOf('recovered')
      appendSettings(folder, {
        restore_command: `cp ${archive}/%f %p`,
        recovery_target_time: instant,
        recovery_target_action: 'promote',
      })
      writeOwned(folder, 'recovery.signal')
      await recovered.start()
      await untilTrue(recovered, 'SELECT NOT pg_is_in_recovery()')
    },
    async forgetRedis() {
      await redis.kill()
      redis.forget()
      await redis.start()
    },
  }
}
