import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../../core/errors.ts'
import type { LogFollower, LogReader } from '../../domain/events/log/log-follower.ts'

export type EventStreams = {
  /** Writes until the reader goes, is too slow, or its session ends. Refuses `rate_limited`. */
  open(request: StreamRequest, start: () => ServerResponse): Promise<void>
  /** Ends all. */
  close(): void
}

type EventMark = Parameters<LogReader['send']>[0][number]

type StreamRequest = {
  tenantId: string
  personId: string
  /** The number after which to go on. */
  after: bigint | undefined
  /** The token of its session. */
  token: string
}

export type EventStreamOptions = {
  /** How often an event keeps the connection. */
  pingMs?: number
  /** How often the sessions of all streams are checked, by one query. */
  checkMs?: number
  maxPerPerson?: number
  /** What may wait for a slow reader before it is cut off. */
  maxWaitingBytes?: number
}

/** Streams of one process, as server-sent events. Each ends within a second of its session, whatever
 * ended that. `findOpen` returns those of the tokens that open a session now. */
export function createEventStreams(
  follower: LogFollower,
  findOpen: (tokens: readonly string[]) => Promise<ReadonlySet<string>>,
  options: EventStreamOptions = {},
): EventStreams {
  const { pingMs = 15_000, maxPerPerson = 6, maxWaitingBytes = 256 * 1024 } = options
  const { checkMs = 400 } = options
  const open = new Map<ServerResponse, string>()
  const counts = new Map<string, number>()
  // The check takes its connection from no tenant's share, and belongs to no request's trace.
  const outside = AsyncLocalStorage.snapshot()
  let isChecking = false

  const checkSessions = async () => {
    isChecking = true
    while (open.size > 0) {
      const tokens = new Set(open.values())
      // Nothing is known where it fails: the next check may be answered.
      const valid = await findOpen([...tokens]).catch(() => tokens)
      for (const [response, token] of open) {
        if (tokens.has(token) && !valid.has(token)) cutOff(response)
      }
      await pause(checkMs, undefined, { ref: false })
    }
    isChecking = false
  }

  const register = (response: ServerResponse, token: string) => {
    open.set(response, token)
    if (!isChecking) outside(() => void checkSessions())
  }

  const serve = async (response: ServerResponse, from: bigint, request: StreamRequest) => {
    const write = (text: string) => {
      if (response.writableEnded || response.destroyed) return
      response.write(text)
      // It resumes where it was by its last id.
      if (response.writableLength > maxWaitingBytes) response.destroy()
    }
    write('retry: 2000\n\n')
    const ping = setInterval(() => write('event: ping\ndata: {}\n\n'), pingMs)
    let leave: () => void = () => undefined
    try {
      leave = await follower.follow(request.tenantId, from, readerOf(write))
      if (!response.closed) await once(response, 'close')
    } catch {
      // The browser connects again, and polls meanwhile.
      response.end()
    } finally {
      clearInterval(ping)
      leave()
    }
  }

  return {
    async open(request, start) {
      const { personId } = request
      const streams = counts.get(personId) ?? 0
      if (streams >= maxPerPerson) {
        const detail = `At most ${maxPerPerson} streams of a person at once; close a page of the console.`
        throw new Refusal('rate_limited', detail, { retryAfterSeconds: Math.ceil(pingMs / 1_000) })
      }
      counts.set(personId, streams + 1)
      let response: ServerResponse | undefined
      try {
        // Before the answer: what a page reads once it is connected is no older.
        const from = request.after ?? (await follower.findEnd(request.tenantId))
        response = start()
        register(response, request.token)
        await serve(response, from, request)
      } finally {
        if (response) open.delete(response)
        const left = (counts.get(personId) ?? 1) - 1
        if (left > 0) counts.set(personId, left)
        else counts.delete(personId)
      }
    },
    close() {
      for (const response of open.keys()) response.end()
    },
  }
}

/** Ends a stream; data that still waits for a slow reader is not sent. */
function cutOff(response: ServerResponse): void {
  if (response.writableLength > 0) response.destroy()
  else response.end()
}

function readerOf(write: (text: string) => void): LogReader {
  return {
    send: (marks) => write(marks.map(formatMark).join('')),
    skip: (sequence) => write(`event: skipped\nid: ${sequence}\ndata: {}\n\n`),
  }
}

function formatMark(mark: EventMark): string {
  const data = {
    sequence: Number(mark.sequence),
    id: mark.event_id,
    type: mark.type,
    resource: { type: mark.resource_type, id: mark.resource_id },
    facility_id: mark.facility_id,
    borrower_id: mark.borrower_id,
    created_at: mark.recorded_at.toISOString(),
  }
  return `event: event\nid: ${mark.sequence}\ndata: ${JSON.stringify(data)}\n\n`
}
