import type { EventType } from '../../../client/index.ts'
import type { service } from '../../data/console-api.ts'

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
  /** The step applies this price of bitcoin and this much time to every loan of the tenant. */
  priceUsd?: string
  hours?: number
  /** Returns what happened, in a line. */
  play: (stage: Stage, scene: Scene) => Promise<string>
}

export type Story = {
  id: string
  title: string
  about: string
  steps: readonly StoryStep[]
}

/** The lowest price and all the time of a story, which count for other loans too. */
export function worstOf({ steps }: Story): { priceUsd: string | undefined; days: number } {
  const prices = steps.flatMap(({ priceUsd }) => priceUsd ?? [])
  const hours = steps.reduce((sum, step) => sum + (step.hours ?? 0), 0)
  return {
    priceUsd: prices.sort((a, b) => Number(a) - Number(b))[0],
    days: Math.ceil(hours / 24),
  }
}
