import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readJson, writePrivateJson } from './private-file.ts'

export type RunningStack = {
  databaseUrl: string
  /** In the form of ENCRYPTION_KEYS. */
  encryptionKeys: string
  /** Undefined for a stack that an earlier build runs. */
  deskUrl?: string | undefined
}

const announcement = z
  .object({
    database_url: z.string(),
    encryption_keys: z.string(),
    desk_url: z.string().optional(),
  })
  .transform(
    ({ database_url: databaseUrl, encryption_keys: encryptionKeys, desk_url: deskUrl }) => ({
      ...{ databaseUrl, encryptionKeys, deskUrl },
    }),
  )

const fileOf = (folder: string) => join(folder, 'running.json')

export function announceStack(
  folder: string,
  { databaseUrl, encryptionKeys, deskUrl }: RunningStack,
): void {
  writePrivateJson(fileOf(folder), {
    database_url: databaseUrl,
    encryption_keys: encryptionKeys,
    desk_url: deskUrl,
  })
}

export function withdrawStack(folder: string): void {
  rmSync(fileOf(folder), { force: true })
}

/** Undefined where no stack runs from `folder`. */
export function findRunningStack(folder: string): RunningStack | undefined {
  return announcement.safeParse(readJson(fileOf(folder))).data
}
