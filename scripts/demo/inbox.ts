import type { WebhookEvent } from '../../src/client/verify-webhook.ts'
import { DemoError } from './demo-error.ts'
import type { Delivery } from './receiver.ts'
import { bold, dim, good, showStep } from './terminal.ts'

const PATIENCE_SECONDS = 20

export type Inbox = ReturnType<typeof openInbox>

/** Shows each delivery as it comes and lets the story wait for one. */
export function openInbox() {
  const arrived: WebhookEvent[] = []
  let onArrival = () => {}
  return {
    receive({ headers, verdict }: Delivery) {
      if (!verdict.ok) {
        showStep('Delivery', `refused: ${verdict.reason}`)
        return
      }
      const { event } = verdict
      const about = `attempt ${headers['x-svc-delivery-attempt']}, sequence ${event.sequence}`
      showStep(
        'Delivery',
        `${bold(event.type)}, ${good('signature verified')} ${dim(`(${event.id}, ${about})`)}`,
        dim(JSON.stringify(event.data)),
      )
      arrived.push(event)
      onArrival()
    },

    /** The first event of this type about this resource that `matches`. */
    waitFor(
      type: string,
      resourceId: string,
      matches: (event: WebhookEvent) => boolean = () => true,
    ): Promise<WebhookEvent> {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          const missing = `No ${type} arrived within ${PATIENCE_SECONDS} s.`
          reject(new DemoError(`${missing} Is the worker running? See what npm start prints.`))
        }, PATIENCE_SECONDS * 1000).unref() // the receiver keeps the process up while it matters
        onArrival = () => {
          const event = arrived.find(
            (it) => it.type === type && it.resource.id === resourceId && matches(it),
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
