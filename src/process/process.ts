import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { loadProcessConfig } from '../config/process-environment.ts'
import { ConfigError } from '../config/read-environment.ts'
import { drainAtSignals } from './early-signals.ts'

/** Ended in the order given, each before the next. */
export type Drain = { name: string; end: () => Promise<unknown> }

export type Started = { logger: Logger; drains: readonly Drain[] }

/** Undefined where it is invalid, which is printed. */
export function readConfig(): Config | undefined {
  try {
    return loadProcessConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(
      `Invalid configuration. Correct these variables and start again:\n${error.message}`,
    )
    return undefined
  }
}

/** Prints why a process cannot start. SIGTERM and SIGINT drain it within `drainSeconds`. */
export async function runProcess(
  { drainSeconds }: Config,
  start: () => Promise<Started>,
): Promise<void> {
  try {
    const { logger, drains } = await start()
    drainOnSignal(logger, drains, drainSeconds)
  } catch (error) {
    console.error(`The process could not start: ${explain(error)}`)
    process.exit(1)
  }
}

/** A store turned out to be another stack's after the start. */
export function endForeign(error: Error): void {
  console.error(`The process ends: ${error.message}`)
  process.exit(1)
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  switch ('code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
    case 'EACCES':
      return `${error.message}. Choose another PORT or METRICS_PORT.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${error.message}. HOST and METRICS_HOST must be addresses of this machine.`
    default:
      return error.message
  }
}

function drainOnSignal(logger: Logger, drains: readonly Drain[], drainSeconds: number): void {
  let stopping = false
  const stop = async (signal: string) => {
    if (stopping) return
    stopping = true
    logger.info({ signal }, 'draining')
    setTimeout(() => {
      logger.error({ drainSeconds }, 'drain took too long; ending')
      process.exit(1)
    }, drainSeconds * 1_000).unref()
    for (const { name, end } of drains) {
      try {
        await end()
      } catch (error) {
        logger.error({ err: error, drain: name }, 'drain step failed')
      }
    }
    logger.info('drained')
    process.exit(0)
  }
  // It handles what a step throws, and ends the process.
  drainAtSignals((signal) => void stop(signal))
}
