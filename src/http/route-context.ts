import type { Resources } from '../resources.ts'
import type { createReplayFirst, Mutate } from './plugins/idempotency.ts'

/** What routes work with: the resources, and the one way to change anything. */
export type RouteContext = Resources & {
  mutate: Mutate
  replayFirst: ReturnType<typeof createReplayFirst>
}
