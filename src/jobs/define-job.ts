import type { Logger } from 'pino'
import type { z } from 'zod'

/** What every job is given; a job holds nothing of its own. */
export type Job<Context> = {
  name: string
  /** Parses the payload and runs; may be called twice with the same payload. */
  run(context: Context, payload: unknown, log: Logger): Promise<void>
}

/**
 * A kind of work the worker does. Its payload holds ids only and is parsed when it runs, for it may
 * have been written by an earlier release.
 */
export function defineJob<Context, Schema extends z.ZodType>(job: {
  name: string
  payload: Schema
  run(context: Context, payload: z.output<Schema>, log: Logger): Promise<void>
}): Job<Context> {
  return {
    name: job.name,
    run: (context, payload, log) => job.run(context, job.payload.parse(payload), log),
  }
}
