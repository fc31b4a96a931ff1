import type { DeadlineHandlers } from './domain/deadlines/deadlines.ts'

/** Who looks at what when its instant comes: run by the sweeper, and by a sandbox clock set ahead. */
export function createDeadlineHandlers(): DeadlineHandlers {
  return new Map()
}
