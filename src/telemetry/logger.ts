import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from '../config/config.ts'

/** One JSON object a line. */
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

/** Without the members that libraries add: a refused row, a sent command may hold personal data. */
function toLoggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return { type: name, message, code, stack, ...(cause ? { cause: toLoggedError(cause) } : {}) }
}
