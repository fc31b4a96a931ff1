import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readJson, writePrivateJson } from './private-file.ts'

export type RunningStack = {
  databaseUrl: string
  /** In the form of ENCRYPTION_KEYS. */
  encryptionKeys: string
}

const announcement = z.object({ database_url: z.string(), encryption_keys: z.string() }).transform(
  ({ database_url: databaseUrl, encryption_keys: encryptionKeys }): RunningStack => ({
    databaseUrl,
    encryptionKeys,
  }),
)

const fileOf = (folder: string) => join(folder, 'running.json')

export function announceStack(folder: string, { databaseUrl, encryptionKeys }: RunningStack): void {
  writePrivateJson(fileOf(folder), {
    database_url: databaseUrl,
    encryption_keys: encryptionKeys,
  })
}

export function withdrawStack(folder: string): void {
  rmSync(fileOf(folder), { force: true })
}

/** Undefined where no stack runs from `folder`. */
export function findRunningStack(folder: string): RunningStack | undefined {
  return announcement.safeParse(readJson(fileOf(folder))).data
}
