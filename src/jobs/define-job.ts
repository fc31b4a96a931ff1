import type { Logger } from 'pino'
import type { z } from 'zod'

export type Job<Context> = {
  name: string
  /** May run twice with the same payload. */
  run(context: Context, payload: unknown, log: Logger): Promise<void>
}

/** The payload holds ids only; an earlier release may have written it. */
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
