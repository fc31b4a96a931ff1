import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from '../config/config.ts'
import { type LogOutput, openLogOutput } from './log-output.ts'

/** One JSON object a line. */
export function createLogger(
  config: Pick<Config, 'logLevel' | 'stack'>,
  destination: DestinationStream | LogOutput = openLogOutput(),
): Logger {
  const options = {
    level: config.logLevel,
    base: { stack: config.stack },
    serializers: { err: toLoggedError },
  }
  const logger = pino(options, destination)
  if ('onGoesOn' in destination) {
    destination.onGoesOn = (dropped) => logger.warn({ dropped }, 'log lines were dropped')
  }
  return logger
}

/** Without the members that libraries add: a refused row, a sent command may hold personal data. */
function toLoggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return { type: name, message, code, stack, ...(cause ? { cause: toLoggedError(cause) } : {}) }
}
