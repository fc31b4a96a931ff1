import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readJson, writePrivateJson } from './private-file.ts'

/** What other programs of this user need to work beside a stack. */
export type RunningStack = {
  databaseUrl: string
  /** As its API and worker were given them, in the form of ENCRYPTION_KEYS. */
  encryptionKeys: string
}

const announcement = z.object({ database_url: z.string(), encryption_keys: z.string() }).transform(
  ({ database_url: databaseUrl, encryption_keys: encryptionKeys }): RunningStack => ({
    databaseUrl,
    encryptionKeys,
  }),
)

const fileOf = (folder: string) => join(folder, 'running.json')

/** Tells other programs of this user about the stack in `folder`. */
export function announceStack(folder: string, { databaseUrl, encryptionKeys }: RunningStack): void {
  writePrivateJson(fileOf(folder), {
    database_url: databaseUrl,
    encryption_keys: encryptionKeys,
  })
}

/** Takes the announcement back: the stack is stopping. */
export function withdrawStack(folder: string): void {
  rmSync(fileOf(folder), { force: true })
}

/** What the running stack has announced, or undefined when none runs from `folder`. */
export function findRunningStack(folder: string): RunningStack | undefined {
  return announcement.safeParse(readJson(fileOf(folder))).data
}
