import type { EventType, WebhookEvent } from '../../client/resources.ts'
import { bold, dim } from '../terminal.ts'
import { StoryError } from './story-error.ts'
import type { Tell } from './tell.ts'

const PATIENCE_SECONDS = 20

export type Inbox = ReturnType<typeof openInbox>

/** Shows each event as it comes and lets the story wait for one. */
export function openInbox(tell: Tell) {
  const arrived: WebhookEvent[] = []
  let onArrival = () => {}
  return {
    /** `how` it came, such as that its signature was verified. */
    accept(event: WebhookEvent, how: string, about: string) {
      const where = dim(`(${event.id}, ${about}sequence ${event.sequence})`)
      tell('Delivery', `${bold(event.type)}, ${how} ${where}`, dim(JSON.stringify(event.data)))
      arrived.push(event)
      onArrival()
    },

    /** The first event of this type about this resource that `matches`. */
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
          const event = arrived.find(
            (it) => isOf(it, type) && it.resource.id === resourceId && matches(it),
          )
          if (!event) return
          clearTimeout(timer)
          resolve(event)
        }
        onArrival()
      })
    },
  }
}

function isOf<Type extends EventType>(
  event: WebhookEvent,
  type: Type,
): event is WebhookEvent & { type: Type } {
  return event.type === type
}
