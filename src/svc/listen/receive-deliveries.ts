import type { EventType } from '../../client/resources/resources.ts'
import type { Session } from '../define-command.ts'
import { SvcError } from '../svc-error.ts'
import { bad, dim, good } from '../terminal.ts'
import { deleteLeftovers, isThisMachine, LISTEN_LABEL } from '../webhooks.ts'
import { formatEvent } from './format-event.ts'
import { type Forwarded, post } from './forward.ts'
import type { ListenOptions } from './listen.ts'
import { type Delivery, startReceiver } from './receiver.ts'
import {
  makeFirstSecret,
  makeSecret,
  readGivenSecret,
  readKeptSecret,
  unknownSecret,
} from './webhook-secret.ts'

/** Forwarded unchanged. */
const PASSED_ON = [
  'x-svc-webhook-signature',
  'x-svc-webhook-timestamp',
  'x-svc-event-id',
  'x-svc-delivery-attempt',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
]

/** Registers a webhook for this receiver and takes deliveries until Ctrl-C. */
export async function receiveDeliveries(session: Session, options: ListenOptions): Promise<void> {
  const { client, credentials, output, io } = session
  if (isThisMachine(credentials.baseUrl)) {
    for (const id of await deleteLeftovers(client)) {
      const note = `${id} of an earlier listen is removed: nothing took its deliveries.`
      output.line({ data: { note }, text: dim(note) })
    }
  }
  const secret = await findSecret(session, options)
  // Before anything needs to be cleaned up.
  const interrupted = io.takeInterruption()
  const { port, publicUrl, forward, events } = options
  const receiver = await startReceiver({ secret, ...(port && { port }) }, (delivery) =>
    take(session, delivery, forward),
  ).catch((error: Error) => {
    throw new SvcError('usage', `This machine cannot listen there: ${error.message}.`)
  })
  try {
    const url = publicUrl ?? receiver.url
    const webhookId = await client.registerWebhook({
      url,
      label: LISTEN_LABEL,
      ...(events && { event_types: events as EventType[] }),
    })
    try {
      const ready = { via: 'webhook', webhook_id: webhookId, url, secret, forward }
      output.line({
        data: { ready },
        text: `${good('Listening')} by ${webhookId} ${dim(`at ${url}`)}\nSigned with ${secret}${
          forward === undefined ? '' : `\nForwarding to ${forward}`
        }\n`,
      })
      await untilAborted(interrupted)
    } finally {
      await client.deleteWebhook(webhookId)
    }
  } finally {
    receiver.close()
  }
}

/** Passes on the receiver's answer, so that the service retries failures. */
async function take(
  { output }: Session,
  { headers, rawBody, verdict }: Delivery,
  target: string | undefined,
): Promise<number> {
  if (!verdict.ok) {
    const { reason } = verdict
    const cure =
      reason === 'signature_mismatch'
        ? ' Another signing secret is in force: pass it as --secret, or make one with --new-secret.'
        : ''
    output.line({ data: { refused: reason }, text: `${bad(`Refused: ${reason}.`)}${cure}` })
    return 400
  }
  const forwarded = target === undefined ? undefined : await passOn(target, headers, rawBody)
  const attempt = Number(headers['x-svc-delivery-attempt'])
  output.line(formatEvent(verdict.event, { how: 'signature verified', forwarded, attempt }))
  if (forwarded === undefined || forwarded.ok) return 204
  return forwarded.status ?? 502
}

function passOn(target: string, headers: Delivery['headers'], rawBody: Buffer): Promise<Forwarded> {
  const passed = PASSED_ON.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return post(target, new Uint8Array(rawBody), Object.fromEntries(passed))
}

/** Makes the first one on the local stack only: a new one would break every other receiver. */
async function findSecret(
  session: Session,
  { secret: given, newSecret, publicUrl }: ListenOptions,
): Promise<string> {
  const { client, credentials, output, io } = session
  const known = readGivenSecret(given, io.env) ?? readKeptSecret(credentials)
  if (known !== undefined && !newSecret) return known
  if (publicUrl !== undefined && !newSecret) throw unknownSecret()
  const make = newSecret ? makeSecret : makeFirstSecret
  const { secret, note } = await make(client, credentials)
  if (note !== undefined) output.line({ data: { note }, text: bad(note) })
  return secret
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
