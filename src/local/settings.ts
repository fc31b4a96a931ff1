import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { isIP } from 'node:net'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { LocalFailure, messageOf } from './local-failure.ts'
import { readJson, writePrivateJson } from './private-file.ts'

export type LocalSettings = {
  port: number
  host: string
  baseUrl: string
  /** Loopback, where only this machine reaches the API. */
  webhookRanges: string
  /** Absolute; keeps everything between runs. */
  folder: string
  databaseUrl: string | undefined
  redisUrl: string | undefined
  /** Undefined: the folder's own. */
  encryptionKeys: string | undefined
}

const DEFAULT_FOLDER = '.local'

const environment = z.object({
  PORT: z.coerce
    .number('PORT must be a port number')
    .int()
    .min(1, 'PORT must be at least 1')
    .max(65_535, 'PORT must be at most 65535')
    .default(8080),
  HOST: z.string().default('127.0.0.1'),
  LOCAL_DIR: z.string().default(DEFAULT_FOLDER),
  DATABASE_URL: z.string().optional(),
  REDIS_URL: z.string().optional(),
  ENCRYPTION_KEYS: z.string().optional(),
})

export function readSettings(env: NodeJS.ProcessEnv): LocalSettings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const { data, error } = environment.safeParse(given)
  if (error) throw new LocalFailure(`${error.issues[0]?.message}.`)
  const isAnyAddress = data.HOST === '0.0.0.0' || data.HOST === '::'
  const host = isAnyAddress ? '127.0.0.1' : data.HOST
  return {
    port: data.PORT,
    host: data.HOST,
    baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${data.PORT}`,
    webhookRanges: isLoopback(data.HOST) ? '127.0.0.0/8,::1/128' : '',
    folder: resolve(data.LOCAL_DIR),
    databaseUrl: data.DATABASE_URL,
    redisUrl: data.REDIS_URL,
    encryptionKeys: data.ENCRYPTION_KEYS,
  }
}

function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true
  const isIpv4 = isIP(host) === 4 && host.startsWith('127.')
  return isIpv4 || (isIP(host) === 6 && new URL(`http://[${host}]`).hostname === '[::1]')
}

/** The default folder, or one made here, is for its owner only. Any other may be one that others use
 * too, so only its logs are. */
export function prepareFolder(folder: string): string {
  const logs = join(folder, 'logs')
  try {
    const isOurs = !existsSync(folder) || basename(folder) === DEFAULT_FOLDER
    makeFolder(logs)
    for (const ours of isOurs ? [folder, logs] : [logs]) chmodSync(ours, 0o700)
    for (const name of readdirSync(logs)) chmodSync(join(logs, name), 0o600)
  } catch (error) {
    throw new LocalFailure(
      `LOCAL_DIR ${folder} cannot be used: ${messageOf(error)}. Choose a folder you may write to.`,
      { cause: error },
    )
  }
  return logs
}

/** Node's own way to make those above it never ends where one of them cannot be made, as below /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

const secrets = z.object({ database_password: z.string(), encryption_keys: z.string() })

/** Created on the first start; without them the data is lost. Throws where they are damaged, and leaves them. */
export function ensureSecrets(folder: string): {
  databasePassword: string
  encryptionKeys: string
} {
  const file = join(folder, 'secrets.json')
  const kept = secrets.safeParse(readJson(file)).data
  if (!kept && existsSync(file)) {
    throw new LocalFailure(
      `${file} cannot be read: it is cut off, or changed. Put a copy back, because the data of ${folder} cannot be used without it. If you do not need the data, move the folder away and start again.`,
    )
  }
  const current = kept ?? {
    database_password: randomBytes(18).toString('base64url'),
    encryption_keys: `local:${randomBytes(32).toString('base64')}`,
  }
  if (!kept) writePrivateJson(file, current)
  return { databasePassword: current.database_password, encryptionKeys: current.encryption_keys }
}
