import { Refusal } from '../../core/errors.ts'
import { findRunningStack } from '../../local/running-stack.ts'
import { readDemoTenant } from '../../local/seed.ts'
import type { CliIo } from './cli-io.ts'

/** From PUBLIC_URL, else the local stack's; refuses `unavailable` without either. */
export function locateConsole(io: CliIo): string {
  const { publicUrl, databaseUrl, localFolder } = io.loadConfig()
  const local = databaseUrl === undefined ? readDemoTenant(localFolder)?.base_url : undefined
  const address = publicUrl ?? local
  if (address !== undefined) return address
  throw new Refusal('unavailable', 'PUBLIC_URL is not set: set it to the address that people open.')
}

/** The addresses of the local stack, where the command reaches its database; else as the API has it. */
export function locateDesk(io: CliIo): string {
  const { databaseUrl, localFolder, deskUrl } = io.loadConfig()
  const local = databaseUrl === undefined ? findRunningStack(localFolder)?.deskUrl : undefined
  return local ?? deskUrl
}
