import { Refusal } from '../../core/errors.ts'
import { isStatementTimeout } from '../../db/errors.ts'

const RETRY_SECONDS = 5

const BUSY = 'Another run over the whole book has not ended. Retry after 5 seconds.'

/** Runs over the whole book, one at a time in this process. Refuses `rate_limited` while another
 * runs, and `unavailable` where a statement took more than `seconds` and was cancelled. */
export function createSingleRun(seconds: number) {
  let isRunning = false
  return async <T>(run: () => Promise<T>): Promise<T> => {
    if (isRunning) {
      throw new Refusal('rate_limited', BUSY, { retryAfterSeconds: RETRY_SECONDS })
    }
    isRunning = true
    try {
      return await run()
    } catch (error) {
      if (!isStatementTimeout(error)) throw error
      const detail = `It took more than ${seconds} seconds and was cancelled.`
      throw new Refusal('unavailable', detail, { retryAfterSeconds: RETRY_SECONDS })
    } finally {
      isRunning = false
    }
  }
}
