import { vi } from 'vitest'

/**
 * For one long scenario: processes that start, die and wait, or hundreds of clients. It takes
 * seconds on a quiet machine and has time on one that runs much else.
 */
export const LONG_SCENARIO_MS = 120_000

/** How long a condition is waited for: a test that passes does not need it, on a busy machine it may. */
export const PATIENCE_MS = 20_000

/** Waits until `condition` does not throw, for {@link PATIENCE_MS} where no `timeout` is given. */
export function waitFor<T>(
  condition: () => T | Promise<T>,
  { timeout = PATIENCE_MS, interval = 50 }: { timeout?: number; interval?: number } = {},
): Promise<T> {
  return vi.waitFor(condition, { timeout, interval })
}
