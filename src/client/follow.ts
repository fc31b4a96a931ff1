import type { Call } from './call.ts'
import type { EventPage, WebhookEvent } from './resources/resources.ts'
import { waitFor } from './wait.ts'

export type FollowOptions = {
  /** Cursor to resume from; omitted: the first retained event. */
  from?: string
  /** Only events of this webhook's types since its registration. */
  webhookId?: string
  /** Pause at the end of the log. */
  pollSeconds?: number
  signal?: AbortSignal
}

export type Followed = {
  event: WebhookEvent
  /** Where this event's page begins. Resuming from it misses no event and repeats some. */
  cursor: string | undefined
}

export async function* follow(
  call: Call,
  { from, webhookId, pollSeconds = 1, signal }: FollowOptions,
): AsyncGenerator<Followed, void, undefined> {
  let cursor = from
  for (;;) {
    const input = { query: cursor === undefined ? {} : { from: cursor }, ...(signal && { signal }) }
    const answer = await (webhookId === undefined
      ? call('listEvents', input)
      : call('replayEvents', { ...input, path: { id: webhookId } }))
    const page = answer as EventPage
    for (const event of page.items) {
      signal?.throwIfAborted()
      yield { event, cursor }
    }
    cursor = page.next_cursor
    if (!page.has_more) await waitFor(pollSeconds * 1_000, signal)
  }
}
