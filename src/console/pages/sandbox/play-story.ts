import { type EventType, ProblemError, type WebhookEvent } from '../../../client/index.ts'
import { live, queryClient } from '../../../pages/data/query-client.ts'
import { service } from '../../data/console-api.ts'
import { createStore } from '../../data/store.ts'
import type { EventMatch, Scene, Stage, Story } from './story.ts'

export type PlayedStep = {
  title: string
  state: 'waiting' | 'playing' | 'done' | 'failed'
  note?: string
}

export type Performance = {
  storyId: string
  steps: readonly PlayedStep[]
  facilityId?: string
  isPlaying: boolean
}

/** What plays or was played last; a story goes on while other pages are read. */
export const performanceStore = createStore<Performance | undefined>(undefined)

const PATIENCE_MS = 30_000
const PAUSE_MS = 300
/** Time to see what a step did. */
const BETWEEN_STEPS_MS = 700

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** What comes instead when it does not work out. */
const FAILURES: Partial<Record<EventType, EventType>> = {
  'draw.completed': 'draw.failed',
  'repayment.applied': 'repayment.failed',
}

export class StoryEnd extends Error {
  override readonly name = 'StoryEnd'
}

let stop: AbortController | undefined

export function stopStory(): void {
  stop?.abort(new StoryEnd('Stopped.'))
}

/** Plays one step after the other; the first that fails ends the story. */
export async function playStory(story: Story): Promise<void> {
  stop = new AbortController()
  const { signal } = stop
  const steps: PlayedStep[] = story.steps.map(({ title }) => ({ title, state: 'waiting' }))
  let shown: Performance = { storyId: story.id, steps, isPlaying: true }
  const show = (change: Partial<Performance> = {}) => {
    shown = { ...shown, ...change, steps: [...steps] }
    performanceStore.write(shown)
  }
  const stage: Stage = {
    client: service,
    waitFor: (type, resourceId, matches) => waitFor({ type, resourceId, matches }, signal),
    showFacility: (facilityId) => show({ facilityId }),
  }
  const scene: Scene = { borrowerId: '', facilityId: '', repaymentId: '' }
  for (const [at, { title, play }] of story.steps.entries()) {
    steps[at] = { title, state: 'playing' }
    show()
    try {
      signal.throwIfAborted()
      steps[at] = { title, state: 'done', note: await play(stage, scene) }
    } catch (error) {
      steps[at] = { title, state: 'failed', note: describe(error) }
      break
    } finally {
      void queryClient.invalidateQueries({ queryKey: live() })
    }
    show()
    // Prices and clock are read between two steps, so that the chart has each of them.
    await queryClient.refetchQueries({ queryKey: live('sandbox') })
    await pause(BETWEEN_STEPS_MS)
  }
  show({ isPlaying: false })
}

function describe(error: unknown): string {
  if (error instanceof ProblemError) return `${error.detail} (${error.code}, ${error.requestId})`
  return error instanceof Error ? error.message : String(error)
}

type Wanted = { type: EventType; resourceId: string; matches: EventMatch | undefined }

async function waitFor({ type, resourceId, matches }: Wanted, signal: AbortSignal): Promise<void> {
  const until = Date.now() + PATIENCE_MS
  const isOf = (event: WebhookEvent, wanted: EventType | undefined) =>
    event.type === wanted && (matches?.(event.data) ?? true)
  while (Date.now() < until) {
    const { items } = await service.listEvents({ resource_id: resourceId, limit: 200 }, { signal })
    if (items.some((event) => isOf(event, type))) return
    const failed = items.find((event) => event.type === FAILURES[type])
    if (failed)
      throw new StoryEnd(`${failed.type} came in place of ${type}: ${JSON.stringify(failed.data)}`)
    await pause(PAUSE_MS)
    signal.throwIfAborted()
  }
  throw new StoryEnd(`No ${type} came within ${PATIENCE_MS / 1_000} s. Is the worker running?`)
}
