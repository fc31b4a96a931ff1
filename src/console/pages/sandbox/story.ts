import type { EventType } from '../../../client/index.ts'
import type { service } from '../../data/service.ts'

/** What a step may use. `waitFor` ends when the event has arrived in the log. */
export type Stage = {
  client: typeof service
  waitFor: (type: EventType, resourceId: string, matches?: EventMatch) => Promise<void>
  /** Names the loan that the page shows while the story plays. */
  showFacility: (facilityId: string) => void
}

export type EventMatch = (data: Record<string, unknown>) => boolean

/** Each step hands the next one what it has learned. */
export type Scene = { borrowerId: string; facilityId: string; repaymentId: string }

export type StoryStep = {
  title: string
  /** Returns what happened, in a line. */
  play: (stage: Stage, scene: Scene) => Promise<string>
}

export type Story = {
  id: string
  title: string
  about: string
  steps: readonly StoryStep[]
}
