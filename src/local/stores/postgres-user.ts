import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { LocalFailure } from '../local-failure.ts'

type Owner = { uid: number; gid: number }

/** Command prefix, user to spawn as, and owner of the data. */
export type RunAs = { prefix: readonly string[]; spawnAs: Partial<Owner>; owner?: Owner }

// PostgreSQL refuses to run as root, and setpriv lets another user enter a clone under /root.
export function choosePostgresUser(folders: readonly string[], dataOwner?: Owner): RunAs {
  if (process.getuid?.() !== 0) return { prefix: [], spawnAs: {} }
  const owner = dataOwner?.uid ? dataOwner : findUser(readFileSync('/etc/passwd', 'utf8'))
  if (owner === undefined) {
    throw new LocalFailure(
      'PostgreSQL refuses to run as root and there is no user "postgres" or "nobody" to run it as: start as another user, or set DATABASE_URL.',
    )
  }
  const { uid, gid } = owner
  const closed = folders.map(findClosedFolder).find((folder) => folder !== undefined)
  if (closed === undefined) return { prefix: [], spawnAs: { uid, gid }, owner }
  if (spawnSync('setpriv', ['--version']).status !== 0) {
    throw new LocalFailure(
      `PostgreSQL refuses to run as root and user ${uid} may not enter ${closed}: start as another user, move the clone, or set DATABASE_URL.`,
    )
  }
  const identity = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override']
  // PostgreSQL finds its programs by access(2), which ignores capabilities otherwise.
  const securebits = '--securebits=+no_setuid_fixup'
  return { prefix: ['setpriv', ...identity, ...capability, securebits, '--'], spawnAs: {}, owner }
}

/** "postgres" where the machine has that user, else "nobody". */
export function findUser(passwd: string): Owner | undefined {
  const users = passwd.split('\n').map((line) => line.split(':'))
  for (const wanted of ['postgres', 'nobody']) {
    const [name, , uid, gid] = users.find(([candidate]) => candidate === wanted) ?? []
    if (name !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  return undefined
}

/** First folder of the path that only its owner and group may enter. */
export function findClosedFolder(folder: string): string | undefined {
  const above = dirname(folder)
  const closedAbove = above === folder ? undefined : findClosedFolder(above)
  if (closedAbove !== undefined) return closedAbove
  return (statSync(folder).mode & 0o001) === 0 ? folder : undefined
}
