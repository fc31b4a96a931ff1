import type { Client } from '../../client/client.ts'
import type { FollowOptions } from '../../client/follow.ts'
import { UnreachableError } from '../../client/problem-error.ts'
import type { WebhookEvent } from '../../client/resources/resources.ts'
import { waitFor } from '../../client/wait.ts'
import type { Session } from '../define-command.ts'
import type { Output } from '../output.ts'
import { dim, good } from '../terminal.ts'
import { formatEvent } from './format-event.ts'
import { createForwarder, type Forward } from './forward.ts'
import type { ListenOptions } from './listen.ts'
import { newLocalSecret, readGivenSecret, readKeptSecret } from './webhook-secret.ts'

/** Attempts to post one event. */
const MOST_ATTEMPTS = 5

/** Pause while the service does not answer. */
const PAUSE_MS = 1_000

/** Posts each event of the log, in order, until Ctrl-C. */
export async function followLog(session: Session, options: ListenOptions): Promise<void> {
  const { client, credentials, output, io } = session
  const interrupted = io.takeInterruption()
  const { forward: target, events } = options
  const known = readGivenSecret(options.secret, io.env) ?? readKeptSecret(credentials)
  const secret = target === undefined ? undefined : (known ?? newLocalSecret())
  const forward =
    target === undefined || secret === undefined ? undefined : createForwarder(target, secret)
  try {
    const from = options.from ?? (await endOfLog(client, interrupted))
    const ready = { via: 'log', from, secret, forward: target }
    const forwarding =
      target === undefined ? '' : `\nForwarding to ${target}, signed with ${secret}`
    const text = `${good('Listening')} by the event log ${dim(`from ${from}`)}${forwarding}\n`
    output.line({ data: { ready }, text })
    for await (const event of followPatiently(session, from, interrupted)) {
      if (events !== undefined && !events.includes(event.type)) continue
      await handOver(output, event, { forward, interrupted })
    }
  } catch (error) {
    if (!interrupted.aborted) throw error
  }
}

/** Each event once, across restarts of the service. */
async function* followPatiently(
  { client, output }: Session,
  from: string,
  signal: AbortSignal,
): AsyncGenerator<WebhookEvent, void, undefined> {
  let resume: string | undefined = from
  let newest = 0
  for (;;) {
    try {
      const options: FollowOptions = resume === undefined ? { signal } : { from: resume, signal }
      for await (const { event, cursor } of client.followEvents(options)) {
        resume = cursor
        // The interrupted page is read again from its beginning.
        if (event.sequence <= newest) continue
        newest = event.sequence
        yield event
      }
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error
      const note = `${error.message} Trying again.`
      output.line({ data: { note }, text: dim(note) })
      await waitFor(PAUSE_MS, signal)
    }
  }
}

/** Cursor after the last event. */
export async function endOfLog(client: Client, signal: AbortSignal): Promise<string> {
  let page = await client.listEvents({ limit: 500 }, { signal })
  while (page.has_more) {
    page = await client.listEvents({ limit: 500, from: page.next_cursor }, { signal })
  }
  return page.next_cursor
}

/** The next event waits until this one is accepted or given up. */
async function handOver(
  output: Output,
  event: WebhookEvent,
  { forward, interrupted }: { forward: Forward | undefined; interrupted: AbortSignal },
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const forwarded = await forward?.(event)
    output.line(formatEvent(event, { how: 'from the log', forwarded, attempt }))
    if (forwarded === undefined || forwarded.ok || attempt >= MOST_ATTEMPTS) return
    await waitFor(250 * 2 ** (attempt - 1), interrupted)
  }
}
