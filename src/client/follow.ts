import type { Call } from './call.ts'
import type { EventPage, WebhookEvent } from './resources/resources.ts'
import { waitFor } from './wait.ts'

export type FollowOptions = {
  /** A cursor to go on from; left out, from the first event that is kept. */
  from?: string
  /** Only what this webhook subscribes to, from its registration on. */
  webhookId?: string
  /** How long to wait before asking again once there is nothing new. */
  pollSeconds?: number
  signal?: AbortSignal
}

export type Followed = {
  event: WebhookEvent
  /**
   * Where the page of this event began; undefined for the first event that is kept. Whoever keeps
   * it and goes on from there misses nothing, and sees some events again.
   */
  cursor: string | undefined
}

/** Reads the log page by page and waits at its end. */
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
