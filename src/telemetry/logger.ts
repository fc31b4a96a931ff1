import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from '../config/config.ts'

/** The log of one process: a JSON object a line. */
export function createLogger(
  config: Pick<Config, 'logLevel' | 'stack'>,
  destination?: DestinationStream,
): Logger {
  const options = {
    level: config.logLevel,
    base: { stack: config.stack },
    serializers: { err: toLoggedError },
  }
  return destination ? pino(options, destination) : pino(options)
}

/**
 * An error without the members that libraries hang on theirs: a database error quotes the row it
 * refused, a Redis error the command it sent, both of which may hold what no log may.
 */
function toLoggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return { type: name, message, code, stack, ...(cause ? { cause: toLoggedError(cause) } : {}) }
}
