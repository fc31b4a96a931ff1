import { execFile } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Postgres } from '../../support/world/stores.ts'

const run = promisify(execFile)

/** What `pg_basebackup` does: a copy of a running server's files, which WAL completes. */
export async function copyServer(server: Postgres, from: string, to: string): Promise<void> {
  await withClient(server, async (client) => {
    await client.query("SELECT pg_backup_start('drill', true)")
    await run('cp', ['--archive', from, to])
    rmSync(join(to, 'postmaster.pid'), { force: true })
    const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(true)')
    writeOwned(to, 'backup_label', rows[0].labelfile)
  })
}

/** In the folder of a server that is not running, as its own user would write it. */
export function writeOwned(folder: string, name: string, text = ''): void {
  const path = join(folder, name)
  const { uid, gid } = statSync(join(folder, 'PG_VERSION'))
  writeFileSync(path, text, { mode: 0o600 })
  if (process.getuid?.() === 0) chownSync(path, uid, gid)
}

export function appendSettings(folder: string, settings: Record<string, string>): void {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
  appendFileSync(join(folder, 'postgresql.auto.conf'), lines.join(''))
}

/** A folder that PostgreSQL may write to, whichever user it runs as. */
export function makeSharedFolder(path: string): string {
  mkdirSync(path)
  chmodSync(path, 0o777)
  return path
}

export async function withClient<T>(
  server: Pick<Postgres, 'urlOf'>,
  use: (client: pg.Client) => Promise<T>,
  database = 'postgres',
): Promise<T> {
  const client = new pg.Client({ connectionString: server.urlOf(database) })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** Until the query answers true. */
export async function untilTrue(server: Postgres, query: string): Promise<void> {
  await withClient(server, async (client) => {
    for (;;) {
      const { rows } = await client.query({ text: query, rowMode: 'array' })
      if (rows[0]?.[0] === true) return
      await pause(50)
    }
  })
}
