import type { z } from 'zod'
import type { ConfigFault, Environment } from './secrets.ts'

/** One line a fault: the variable and what it needs. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
  }
}

export function readEnvironment<T extends z.ZodType>(
  schema: T,
  env: Environment,
  findFaults: (given: Environment) => ConfigFault[] = () => [],
): z.output<T> {
  // An empty variable means unset: compose files and .env files write them so.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const result = schema.safeParse(given)
  // Also where a variable is unreadable, which skips the checks of the schema.
  const faults = findFaults(given).map(({ path, message }) => `${path} ${message}`)
  if (result.success && faults.length === 0) return result.data
  const issues = result.error?.issues ?? []
  const unread = issues.map((issue) => `${issue.path.join('.') || 'environment'} ${issue.message}`)
  throw new ConfigError([...unread, ...faults])
}
