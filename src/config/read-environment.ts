import type { z } from 'zod'
import { readSecretFiles } from './secret-files.ts'
import type { ConfigFault, Environment } from './secrets.ts'

/** One line a fault: the variable and what it needs. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
  }
}

/** `variables` has every name that the schema reads. */
export function readEnvironment<T extends z.ZodType>(
  schema: T,
  variables: object,
  env: Environment,
  findFaults: (given: Environment) => ConfigFault[] = () => [],
): z.output<T> {
  // An empty variable means unset: compose files and .env files write them so.
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const files = readSecretFiles(set, (name) => Object.hasOwn(variables, name))
  const result = schema.safeParse(files.env)
  // Also where a variable is unreadable, which skips the checks of the schema.
  const faults = findFaults(files.env)
  if (result.success && files.faults.length + faults.length === 0) return result.data
  const issues = (result.error?.issues ?? []).map(({ path, message }) => {
    return { path: path.join('.') || 'environment', message }
  })
  // A variable whose file cannot be read is not missing as well.
  const unread = new Set(files.faults.map(({ path }) => path))
  const others = [...issues, ...faults].filter(({ path }) => !unread.has(`${path}_FILE`))
  throw new ConfigError(
    [...files.faults, ...others].map(({ path, message }) => `${path} ${message}`),
  )
}
