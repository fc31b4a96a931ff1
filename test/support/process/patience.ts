/**
 * For one long scenario: processes that start, die and wait, or hundreds of clients. It takes
 * seconds on a quiet machine and has time on one that runs much else.
 */
export const LONG_SCENARIO_MS = 120_000
