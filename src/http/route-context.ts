import type { Resources } from '../resources.ts'
import type { createReplayFirst, Mutate } from './plugins/idempotency.ts'
import type { PortfolioLine } from './plugins/portfolio-line.ts'

/** What routes work with: the resources, the one way to change anything, and where snapshots wait. */
export type RouteContext = Resources & {
  mutate: Mutate
  replayFirst: ReturnType<typeof createReplayFirst>
  line: PortfolioLine
}
