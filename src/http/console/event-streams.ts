import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Refusal } from '../../core/errors.ts'
import type { LogFollower, LogReader } from '../../domain/events/log-follower.ts'

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
  isSessionOpen: () => Promise<boolean>
}

export type EventStreamOptions = {
  /** How often a comment keeps the connection, and the session is checked. */
  pingMs?: number
  maxPerPerson?: number
  /** What may wait for a slow reader before it is cut off. */
  maxWaitingBytes?: number
}

/** Streams of one process, as server-sent events. */
export function createEventStreams(
  follower: LogFollower,
  options: EventStreamOptions = {},
): EventStreams {
  const { pingMs = 15_000, maxPerPerson = 6, maxWaitingBytes = 256 * 1024 } = options
  const open = new Set<ServerResponse>()
  const counts = new Map<string, number>()

  const serve = async (response: ServerResponse, from: bigint, request: StreamRequest) => {
    const write = (text: string) => {
      if (response.writableEnded || response.destroyed) return
      response.write(text)
      // It resumes where it was by its last id.
      if (response.writableLength > maxWaitingBytes) response.destroy()
    }
    write('retry: 2000\n\n')
    const check = setInterval(() => {
      request.isSessionOpen().then(
        (isOpen) => (isOpen ? write('event: ping\ndata: {}\n\n') : response.end()),
        // Nothing is known: the next check may be answered.
        () => write(': ping\n\n'),
      )
    }, pingMs)
    let leave: () => void = () => undefined
    try {
      leave = await follower.follow(request.tenantId, from, readerOf(write))
      if (!response.closed) await once(response, 'close')
    } catch {
      // The browser connects again, and polls meanwhile.
      response.end()
    } finally {
      clearInterval(check)
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
        open.add(response)
        await serve(response, from, request)
      } finally {
        if (response) open.delete(response)
        const left = (counts.get(personId) ?? 1) - 1
        if (left > 0) counts.set(personId, left)
        else counts.delete(personId)
      }
    },
    close() {
      for (const response of open) response.end()
    },
  }
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
