import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readJson, writePrivateJson } from './private-file.ts'

const announcement = z.object({ database_url: z.string() })

const fileOf = (folder: string) => join(folder, 'running.json')

/** Tells other programs of this user where the database of the stack in `folder` is. */
export function announceDatabase(folder: string, databaseUrl: string): void {
  writePrivateJson(fileOf(folder), { database_url: databaseUrl })
}

/** Takes the announcement back: the stack is stopping. */
export function withdrawDatabase(folder: string): void {
  rmSync(fileOf(folder), { force: true })
}

/** The address of the running stack's database, or undefined when none runs from `folder`. */
export function findRunningDatabase(folder: string): string | undefined {
  return announcement.safeParse(readJson(fileOf(folder))).data?.database_url
}
