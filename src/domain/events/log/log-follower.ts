import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../../db/database.ts'
import { selectLogBounds } from './log-queries.ts'
import { type EventMark, selectMarksAfter } from './newest-queries.ts'

/** Both must not throw. */
export type LogReader = {
  /** In order, without a gap since the last call. */
  send(marks: readonly EventMark[]): void
  /** The events up to `sequence` are left out: too many, or no longer retained. */
  skip(sequence: bigint): void
}

export type LogFollower = {
  /** The number of the last event so far. */
  findEnd(tenantId: string): Promise<bigint>
  /** Sends what follows the number `after`, until the returned function is called. */
  follow(tenantId: string, after: bigint, reader: LogReader): Promise<() => void>
  close(): Promise<void>
}

export type LogFollowerOptions = { onError: (error: unknown) => void; pollMs?: number }

const PAGE = 500

/** A reader further behind reads the lists again sooner than it would read all of these. */
const MAX_BEHIND = 5_000n

/** One poll for each tenant that is followed, however many readers it has. */
type Channel = {
  /** Everything up to it has been sent to the readers. */
  position: bigint
  readers: Set<{ position: bigint; reader: LogReader }>
  isPolled: boolean
}

/** Follows the tenants' event logs by polling, so that it needs nothing but the database. */
export function createLogFollower(db: Db, options: LogFollowerOptions): LogFollower {
  const { onError, pollMs = 500 } = options
  const channels = new Map<string, Promise<Channel>>()
  const polls = new Set<Promise<void>>()
  const closing = new AbortController()
  // A poll takes its connections from no tenant's share, and belongs to no request's trace.
  const outside = AsyncLocalStorage.snapshot()

  const poll = async (tenantId: string, channel: Channel) => {
    while (channel.readers.size > 0 && !closing.signal.aborted) {
      const marks = await selectMarksAfter(db, tenantId, channel.position, PAGE).catch((error) => {
        onError(error)
        return []
      })
      channel.position = marks.at(-1)?.sequence ?? channel.position
      for (const { position, reader } of channel.readers) {
        const news = marks.filter(({ sequence }) => sequence > position)
        if (news.length > 0) reader.send(news)
      }
      if (marks.length === PAGE) continue
      await pause(pollMs, undefined, { signal: closing.signal }).catch(() => undefined)
    }
    channel.isPolled = false
    channels.delete(tenantId)
  }

  const open = (tenantId: string) => {
    let channel = channels.get(tenantId)
    if (!channel) {
      channel = selectLogBounds(db, tenantId).then(({ last }) => ({
        position: last,
        readers: new Set(),
        isPolled: false,
      }))
      channels.set(tenantId, channel)
      channel.catch(() => channels.delete(tenantId))
    }
    return channel
  }

  const join = (tenantId: string, channel: Channel, position: bigint, reader: LogReader) => {
    const joined = { position, reader }
    channel.readers.add(joined)
    if (!channel.isPolled) {
      channel.isPolled = true
      channels.set(tenantId, Promise.resolve(channel))
      const polling = outside(() => poll(tenantId, channel)).finally(() => polls.delete(polling))
      polls.add(polling)
    }
    return () => {
      channel.readers.delete(joined)
    }
  }

  return {
    findEnd: async (tenantId) => (await selectLogBounds(db, tenantId)).last,
    async follow(tenantId, after, reader) {
      const { oldest, last } = await selectLogBounds(db, tenantId)
      let position = after
      if (position > last || position + 1n < oldest || last - position > MAX_BEHIND) {
        position = last
        reader.skip(last)
      }
      for (;;) {
        const channel = await open(tenantId)
        // Nothing is awaited between, so no poll passes the reader by.
        if (position >= channel.position) return join(tenantId, channel, position, reader)
        const marks = await selectMarksAfter(db, tenantId, position, PAGE)
        if (marks.length > 0) reader.send(marks)
        position = marks.at(-1)?.sequence ?? channel.position
      }
    },
    async close() {
      closing.abort()
      await Promise.all(polls)
    },
  }
}
