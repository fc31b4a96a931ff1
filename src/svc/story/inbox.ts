import type { EventType, WebhookEvent } from '../../client/resources/resources.ts'
import { bold, dim } from '../terminal.ts'
import { StoryError } from './story-error.ts'

const PATIENCE_SECONDS = 20

/** Arrives instead on failure, with a code. */
const FAILURES: Partial<Record<EventType, EventType>> = {
  'draw.completed': 'draw.failed',
  'repayment.applied': 'repayment.failed',
}

export const CONTROLS_CURE =
  'The controls of your sandbox decide it. To set them back: svc sandbox price BTC market, svc sandbox custodian succeed, svc sandbox payments succeed.'

export type ShowEvent = (event: WebhookEvent, ...lines: string[]) => void

export type Inbox = ReturnType<typeof openInbox>

/** Prints events as they arrive, and lets the story wait for one. */
export function openInbox(show: ShowEvent) {
  const arrived: WebhookEvent[] = []
  const own = new Set<string>()
  let failure: StoryError | undefined
  let onArrival = () => {}
  return {
    /** Only events of included borrowers and facilities belong to the story. */
    include(id: string) {
      own.add(id)
    },

    accept(event: WebhookEvent, how: string, about: string) {
      const subjects = subjectsOf(event)
      if (!subjects.some((id) => own.has(id))) return
      // The decision may arrive before the response that names the facility.
      for (const id of subjects) own.add(id)
      const where = dim(`(${event.id}, ${about}sequence ${event.sequence})`)
      show(event, `${bold(event.type)}, ${how} ${where}`, dim(JSON.stringify(event.data)))
      arrived.push(event)
      onArrival()
    },

    /** No more events will arrive: ends the wait with this error. */
    fail(reason: StoryError) {
      failure ??= reason
      onArrival()
    },

    /** The first matching event about a resource; throws StoryError on failure or timeout. */
    waitFor<Type extends EventType>(
      type: Type,
      resourceId: string,
      matches: (event: WebhookEvent & { type: Type }) => boolean = () => true,
    ): Promise<WebhookEvent> {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          const missing = `No ${type} arrived within ${PATIENCE_SECONDS} s.`
          reject(new StoryError(`${missing} Is the worker running? See what npm start prints.`))
        }, PATIENCE_SECONDS * 1000).unref() // what brings the events keeps the process up
        onArrival = () => {
          const about = arrived.filter(({ resource }) => resource.id === resourceId)
          const event = about.find((it) => isOf(it, type) && matches(it))
          const error = failure ?? explainFailed(type, about)
          if (event === undefined && error === undefined) return
          clearTimeout(timer)
          if (event !== undefined) resolve(event)
          else reject(error)
        }
        onArrival()
      })
    },
  }
}

function subjectsOf({ resource, data }: WebhookEvent): string[] {
  const ids = [
    resource.id,
    ...Object.entries(data).flatMap(([name, value]) =>
      name === 'borrower_id' || name === 'facility_id' ? [String(value)] : [],
    ),
  ]
  return ids.filter((id) => /^(bor|fac)_\w+$/.test(id))
}

function explainFailed(type: EventType, events: readonly WebhookEvent[]): StoryError | undefined {
  const failed = events.find((event) => event.type === FAILURES[type])
  if (failed === undefined) return undefined
  const code = 'code' in failed.data ? String(failed.data.code) : 'no code'
  return new StoryError(`${failed.type} came, not ${type}: ${code}. ${CONTROLS_CURE}`)
}

function isOf<Type extends EventType>(
  event: WebhookEvent,
  type: Type,
): event is WebhookEvent & { type: Type } {
  return event.type === type
}
