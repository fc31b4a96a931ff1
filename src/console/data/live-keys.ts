const LIVE = 'live'

/** Key of a query that is read again when an event arrives. */
export const live = (...parts: readonly unknown[]) => [LIVE, ...parts]
