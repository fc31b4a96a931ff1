import type { ConfigFault } from './secrets.ts'

/** An address in the configuration, and the password in a secret of its own. */
export function withPassword(databaseUrl: string, password: string | undefined): string {
  if (password === undefined) return databaseUrl
  const url = new URL(databaseUrl)
  url.password = encodeURIComponent(password)
  return url.href
}

export function findPasswordFaults(env: {
  DATABASE_URL?: string | undefined
  DATABASE_PASSWORD?: string | undefined
}): ConfigFault[] {
  const { DATABASE_URL: databaseUrl, DATABASE_PASSWORD: password } = env
  if (password === undefined) return []
  const path = 'DATABASE_PASSWORD'
  const { host = '', password: first = '' } = URL.parse(databaseUrl ?? '') ?? {}
  if (host === '') return [{ path, message: 'needs a DATABASE_URL that names a host' }]
  if (first === '') return []
  return [{ path, message: 'and DATABASE_URL each have a password' }]
}
