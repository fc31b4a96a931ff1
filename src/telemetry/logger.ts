import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from '../config/config.ts'

/** How long a line waits for others, so that one write takes them all. */
const FLUSH_MS = 10
const WRITE_BYTES = 8 * 1024

/** One JSON object a line. */
export function createLogger(
  config: Pick<Config, 'logLevel' | 'stack'>,
  destination: DestinationStream = writeTogether(),
): Logger {
  const options = {
    level: config.logLevel,
    base: { stack: config.stack },
    serializers: { err: toLoggedError },
  }
  return pino(options, destination)
}

/**
 * To the standard output. What waits is written at the exit too; only a kill loses it. A thread of
 * its own would write what it still holds after the lines of the exit.
 */
function writeTogether(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true, minLength: WRITE_BYTES })
  let isWaiting = false
  const flush = () => {
    isWaiting = false
    output.flush()
  }
  process.once('exit', () => output.flushSync())
  return {
    write(line) {
      output.write(line)
      if (isWaiting) return
      isWaiting = true
      setTimeout(flush, FLUSH_MS).unref()
    },
  }
}

/** Without the members that libraries add: a refused row, a sent command may hold personal data. */
function toLoggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return { type: name, message, code, stack, ...(cause ? { cause: toLoggedError(cause) } : {}) }
}
