import { isRepeated } from '../errors.ts'

const RETRIES = 3

/** Again, a few times, where that is enough for it to succeed: after a deadlock, say. */
export async function repeated<T>(
  run: () => Promise<T>,
  isWorthIt: (error: unknown) => boolean = isRepeated,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      if (attempt >= RETRIES || !isWorthIt(error)) throw error
    }
  }
}
