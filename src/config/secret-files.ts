// Secrets as files: KYC_TOKEN_FILE names a file that contains KYC_TOKEN.
import { readFileSync } from 'node:fs'
import { type ConfigFault, type Environment, SECRET_LISTS, TEXT_SECRETS } from './secrets.ts'

/** Every variable that can be given as a file. */
export const SECRET_VARIABLES = [
  'DATABASE_URL',
  'DATABASE_PASSWORD',
  'APP_ROLE_PASSWORD',
  'REDIS_URL',
  'ENCRYPTION_KEYS',
  'CONSOLE_OIDC_CLIENT_SECRET',
  'DESK_OIDC_CLIENT_SECRET',
  'SMTP_URL',
  'HTTPS_PROXY',
  'WEBHOOK_PROXY',
  'OTEL_EXPORTER_OTLP_HEADERS',
  ...TEXT_SECRETS,
  ...SECRET_LISTS,
] as const

type SecretFiles = { env: Environment; faults: ConfigFault[] }

/** Reads the files of the variables that `isRead` accepts: others may not even be mounted here. */
export function readSecretFiles(env: Environment, isRead: (name: string) => boolean): SecretFiles {
  const given = { ...env }
  const faults: ConfigFault[] = []
  for (const name of SECRET_VARIABLES.filter(isRead)) {
    const path = env[`${name}_FILE`]
    if (path === undefined) continue
    const content =
      env[name] === undefined ? readSecret(path) : new Error(`and ${name} are both set`)
    if (content instanceof Error) faults.push({ path: `${name}_FILE`, message: content.message })
    else given[name] = content
  }
  return { env: given, faults }
}

/** The error does not repeat the path, which may be the secret itself, set by mistake. */
function readSecret(path: string): string | Error {
  try {
    const content = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    return content === '' ? new Error('names a file that is empty') : content
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    return new Error(`names a file that cannot be read${code}`)
  }
}
