import { spawnSync } from 'node:child_process'
import { findNativeRedis } from '../../../src/local/stores/redis.ts'

/**
 * Sees to a native Redis, which faults need to be done to something real: installs Debian's package
 * where there is none and that can be done, and reports where it cannot.
 */
export function ensureNativeRedis(say: (line: string) => void): void {
  if (findNativeRedis() !== undefined) return
  say('There is no redis-server or valkey-server of version 7 or later: installing redis-server.')
  const isRoot = process.getuid?.() === 0
  const install = ['apt-get', 'install', '--yes', '--no-install-recommends', 'redis-server']
  for (const command of [install, ['apt-get', 'update'], install]) {
    if (findNativeRedis() !== undefined) return
    const [program = '', ...args] = isRoot ? command : ['sudo', '--non-interactive', ...command]
    // At runlevel 1 the package starts no server of its own.
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
    spawnSync(program, args, { env, stdio: 'ignore', timeout: 180_000 })
  }
  if (findNativeRedis() === undefined) {
    say('That did not work. The packaged Valkey stands in: the runs are made, with a slow Redis.')
  }
}
