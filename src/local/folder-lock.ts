import { linkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { stopLeftover } from './child.ts'
import { LocalFailure } from './local-failure.ts'
import { readJson, writePrivateJson } from './private-file.ts'
import { identifyProcess, isAlive, type ProcessIdentity } from './process-identity.ts'

const identity = z.object({ pid: z.number().int(), startedAt: z.string() })
const lockFile = z.object({
  launcher: identity,
  children: z.array(
    identity.extend({
      signal: z.literal(['SIGTERM', 'SIGINT']).transform((s): NodeJS.Signals => s),
    }),
  ),
})

export type FolderLock = {
  /** Records a process: the next launcher stops it if this one is killed. */
  note(child: { identity: ProcessIdentity; stopSignal: NodeJS.Signals }): void
  release(): void
}

/** Throws while another launcher is alive; stops what a dead one left, in reverse order. */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const file = join(folder, 'launcher.json')
  const mine = `${file}.${process.pid}`
  const launcher = identifyProcess(process.pid)
  const children: (ProcessIdentity & { signal: NodeJS.Signals })[] = []
  writePrivateJson(mine, { launcher, children })
  try {
    while (!tryLink(mine, file)) await clearStaleLock(file, folder)
  } finally {
    rmSync(mine, { force: true })
  }
  return {
    note(child) {
      children.push({ ...child.identity, signal: child.stopSignal })
      writePrivateJson(file, { launcher, children })
    },
    release() {
      rmSync(file, { force: true })
    },
  }
}

async function clearStaleLock(file: string, folder: string): Promise<void> {
  const { data: lock } = lockFile.safeParse(readJson(file))
  if (lock && isAlive(lock.launcher)) {
    throw new LocalFailure(
      `Another npm start (process ${lock.launcher.pid}) runs from ${folder}: stop it, or set LOCAL_DIR and PORT to run a second one.`,
    )
  }
  for (const child of lock?.children.toReversed() ?? []) await stopLeftover(child, child.signal)
  rmSync(file, { force: true })
}

/** A hard link is atomic, and only one process can create it. */
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
