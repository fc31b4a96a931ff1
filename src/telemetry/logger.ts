import { hostname } from 'node:os'
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from '../config/config.ts'
import { type LogOutput, openLogOutput } from './log-output.ts'

export type ProcessKind = 'api' | 'worker'

/** One JSON object a line, each with the process that wrote it. */
export function createLogger(
  { logLevel, stack, kind }: Pick<Config, 'logLevel' | 'stack'> & { kind: ProcessKind },
  destination: DestinationStream | LogOutput = openLogOutput(),
): Logger {
  const options = {
    level: logLevel,
    base: { stack, kind, host: hostname(), pid: process.pid },
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
