import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Refusal } from '../../../src/core/errors.ts'
import { type BucketLimit, takeToken } from '../../../src/core/limits/gcra.ts'
import {
  createPortfolioLine,
  type PortfolioLine,
  type PortfolioLineOptions,
} from '../../../src/http/limits/portfolio-line.ts'
import type { WaitEnd } from '../../../src/http/limits/portfolio-slots.ts'
import type { BucketDecision, TokenBuckets } from '../../../src/http/limits/token-buckets.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A token every 100 ms for each tenant; buckets begin empty unless one is filled. */
const LIMIT: BucketLimit = { burst: 1, intervalMicros: 100_000 }

function openLine(options: Partial<PortfolioLineOptions> = {}) {
  const buckets = new EmptyBuckets()
  const line = createPortfolioLine({
    buckets,
    waitMs: 1_000,
    maxSlots: 500,
    maxBytes: 1_000_000,
    ...options,
  })
  return { line, buckets, push: pusher(line, buckets) }
}

class EmptyBuckets implements Pick<TokenBuckets, 'take'> {
  asked = 0
  #fullAt = new Map<string, number>()

  take(scope: { tenantId: string } | { source: string }): Promise<BucketDecision> {
    this.asked += 1
    return Promise.resolve(this.takeNow('tenantId' in scope ? scope.tenantId : scope.source))
  }

  takeNow(tenantId: string): BucketDecision {
    const nowMicros = Math.round(performance.now() * 1_000)
    const fullAt = this.#fullAt.get(tenantId) ?? nowMicros + 100_000
    const { fullAtMicros, ...reading } = takeToken(fullAt, nowMicros, LIMIT)
    this.#fullAt.set(tenantId, fullAtMicros)
    return { ...reading, degraded: false }
  }
}

type Pushed = {
  /** How it ended: a kind of `WaitEnd`, a code of refusal, undefined while it waits. */
  end: () => string | undefined
  ended: Promise<WaitEnd>
  leave(): void
}

type Given = { tenantId?: string; content?: string; bytes?: number; store?: () => Promise<void> }

/** Pushes a borrower's snapshot of an `as_of`; what is stored is noted in `stored`, in order. */
function pusher(line: PortfolioLine, buckets: EmptyBuckets) {
  const stored: string[] = []
  const push = (borrowerId: string, asOf: number, given: Given = {}): Pushed => {
    const { tenantId = 'ten', content = 'same', bytes = 100 } = given
    const asOfMicros = BigInt(asOf)
    const { ended, leave } = line.enter(
      {
        tenantId,
        borrowerId,
        asOfMicros,
        digest: Buffer.from(content),
        bytes,
        store: async () => {
          await given.store?.()
          stored.push(`${borrowerId}@${asOf}`)
          return { applied: true, asOfMicros }
        },
      },
      buckets.takeNow(tenantId),
    )
    let end: string | undefined
    ended.then(
      ({ kind }) => {
        end = kind
      },
      (error) => {
        end = error instanceof Refusal ? error.code : String(error)
      },
    )
    return { end: () => end, ended, leave }
  }
  return Object.assign(push, { stored })
}

function refusalOf(attempt: () => unknown): Refusal {
  try {
    attempt()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('nothing was refused')
}

test('a place in the line of pushes is served when its token comes, and not before', async () => {
  const { push } = openLine()
  const waiting = push('a', 1)
  await vi.advanceTimersByTimeAsync(99)
  expect(waiting.end()).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(waiting.end()).toBe('stored')
  expect(push.stored).toEqual(['a@1'])
})

test('a place in the line of pushes is answered only once its snapshot is stored', async () => {
  const { push } = openLine()
  const { promise: commit, resolve } = Promise.withResolvers<void>()
  const waiting = push('a', 1, { store: () => commit })
  await vi.advanceTimersByTimeAsync(500)
  expect(waiting.end()).toBeUndefined()
  resolve()
  await vi.advanceTimersByTimeAsync(0)
  expect(waiting.end()).toBe('stored')
})

test('a place in the line of pushes is taken over by a newer snapshot, and the older one is answered at once', async () => {
  const { push } = openLine()
  const older = push('a', 1)
  const newer = push('a', 2)
  await expect(older.ended).resolves.toEqual({ kind: 'superseded', byAsOfMicros: 2n })
  expect(newer.end()).toBeUndefined()
  await vi.advanceTimersByTimeAsync(100)
  expect(newer.end()).toBe('stored')
  expect(push.stored).toEqual(['a@2'])
})

test('a place in the line of pushes is kept from an older snapshot, which is answered at once', async () => {
  const { push } = openLine()
  const newer = push('a', 2)
  const older = push('a', 1)
  await expect(older.ended).resolves.toEqual({ kind: 'superseded', byAsOfMicros: 2n })
  await vi.advanceTimersByTimeAsync(100)
  expect(newer.end()).toBe('stored')
})

test('a place in the line of pushes is shared by the same snapshot sent twice, stored once for both', async () => {
  const { push } = openLine()
  const twice = [push('a', 1), push('a', 1)]
  await vi.advanceTimersByTimeAsync(1_000)
  expect(twice.map(({ end }) => end())).toEqual(['stored', 'stored'])
  expect(push.stored).toEqual(['a@1'])
})

test('a place in the line of pushes refuses other content under the as_of that waits', async () => {
  const { push } = openLine()
  const first = push('a', 1)
  expect(refusalOf(() => push('a', 1, { content: 'other' })).code).toBe('as_of_conflict')
  await vi.advanceTimersByTimeAsync(100)
  expect(first.end()).toBe('stored')
})

test('a place in the line of pushes is given up after its wait, however often it was taken over, and shows when to retry', async () => {
  const { line, push } = openLine({ waitMs: 50 })
  const older = push('a', 1)
  await vi.advanceTimersByTimeAsync(40)
  const newer = push('a', 2)
  await vi.advanceTimersByTimeAsync(10)
  expect([older.end(), newer.end()]).toEqual(['superseded', 'rate_limited'])
  const refusal = await newer.ended.catch((error: Refusal) => error)
  expect(refusal).toMatchObject({ extras: { retryAfterSeconds: 1 } })
  expect(line.isWaiting('ten')).toBe(false)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(push.stored).toEqual([])
})

test('a place in the line of pushes that is left counts no longer, and takes no token', async () => {
  const { line, buckets, push } = openLine()
  const gone = push('a', 1)
  gone.leave()
  expect(line.isWaiting('ten')).toBe(false)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(gone.end()).toBe('left')
  expect(buckets.asked).toBe(0)
  expect(push.stored).toEqual([])
})

test('a place in the line of pushes goes on for the other requests that wait at it when one leaves', async () => {
  const { push } = openLine()
  const gone = push('a', 1)
  const still = push('a', 1)
  gone.leave()
  await vi.advanceTimersByTimeAsync(100)
  expect([gone.end(), still.end()]).toEqual(['left', 'stored'])
})

test('a place in the line of pushes that is being stored can no longer be left, nor taken over', async () => {
  const { push } = openLine()
  const { promise: commit, resolve } = Promise.withResolvers<void>()
  const first = push('a', 1, { store: () => commit })
  await vi.advanceTimersByTimeAsync(100)
  first.leave()
  const second = push('a', 2)
  resolve()
  await vi.advanceTimersByTimeAsync(100)
  expect([first.end(), second.end()]).toEqual(['stored', 'stored'])
  expect(push.stored).toEqual(['a@1', 'a@2'])
})

test('a place in the line of pushes with a snapshot that cannot be stored fails alone', async () => {
  const { push } = openLine()
  const broken = push('a', 1, { store: () => Promise.reject(new Error('lost')) })
  const next = push('b', 1)
  await vi.advanceTimersByTimeAsync(200)
  expect([broken.end(), next.end()]).toEqual(['Error: lost', 'stored'])
})

test('a line of waiting pushes serves borrowers in the order they came, a token each, takeovers where they stood', async () => {
  const { push } = openLine()
  for (const borrower of ['a', 'b', 'c']) push(borrower, 1)
  push('a', 2)
  await vi.advanceTimersByTimeAsync(200)
  expect(push.stored).toEqual(['a@2', 'b@1'])
  push('a', 3)
  await vi.advanceTimersByTimeAsync(200)
  expect(push.stored).toEqual(['a@2', 'b@1', 'c@1', 'a@3'])
})

test('a line of waiting pushes asks once for each token, and never while no push waits', async () => {
  const { buckets, push } = openLine()
  for (let borrower = 0; borrower < 8; borrower += 1) push(String(borrower), 1)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(push.stored).toHaveLength(8)
  expect(buckets.asked).toBe(8)
  expect(vi.getTimerCount()).toBe(0)
})

test('a line of waiting pushes loses a token to another process and waits for the next', async () => {
  const { buckets, push } = openLine()
  setTimeout(() => buckets.takeNow('ten'), 100)
  const waiting = push('a', 1)
  await vi.advanceTimersByTimeAsync(199)
  expect(waiting.end()).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(buckets.asked).toBe(2)
  expect(waiting.end()).toBe('stored')
})

test('a line of waiting pushes of one tenant holds up none of another', async () => {
  const { push } = openLine()
  for (let borrower = 0; borrower < 50; borrower += 1) push(String(borrower), 1)
  const other = push('z', 1, { tenantId: 'other' })
  await vi.advanceTimersByTimeAsync(100)
  expect(other.end()).toBe('stored')
})

test('a line of waiting pushes takes so many borrowers and no more; who is in it already can still take over', async () => {
  const { push } = openLine({ maxSlots: 2 })
  push('a', 1)
  push('b', 1)
  const refusal = refusalOf(() => push('c', 1))
  expect(refusal).toMatchObject({ code: 'rate_limited', extras: { retryAfterSeconds: 1 } })
  expect(refusal.message).toContain('class Portfolio ingest')
  const newer = push('b', 2)
  push('d', 1, { tenantId: 'other' })
  await vi.advanceTimersByTimeAsync(200)
  expect(newer.end()).toBe('stored')
})

test('a line of waiting pushes holds so many bytes and no more, over all tenants, and frees them as places end', async () => {
  const { push } = openLine({ maxBytes: 350 })
  push('a', 1)
  const held = push('b', 1, { tenantId: 'other' })
  expect(refusalOf(() => push('c', 1)).code).toBe('rate_limited')
  expect(refusalOf(() => push('b', 1, { tenantId: 'other' })).code).toBe('rate_limited')
  expect(refusalOf(() => push('a', 2, { bytes: 126 })).code).toBe('rate_limited')
  expect(push('a', 2, { bytes: 125 }).end()).toBeUndefined()
  held.leave()
  push('c', 1, { bytes: 50 })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(push.stored).toEqual(['a@2', 'c@1'])
  for (const borrower of ['d', 'e']) push(borrower, 1, { bytes: 87 })
  await vi.advanceTimersByTimeAsync(200)
  expect(push.stored).toEqual(['a@2', 'c@1', 'd@1', 'e@1'])
})

test('tenants that push as much as they can leave room for the pushes of another', () => {
  const { push } = openLine({ maxBytes: 1_600 })
  const fill = (tenantId: string) => {
    let count = 0
    const pushOn = () => {
      for (; count < 100; count += 1) push(`${tenantId}${count}`, 1, { tenantId })
    }
    expect(refusalOf(pushOn).code).toBe('rate_limited')
    return count
  }
  expect(['one', 'two', 'three'].map(fill)).toEqual([8, 4, 2])
  expect(push('b', 1, { tenantId: 'other' }).end()).toBeUndefined()
})

test('a line of waiting pushes that drains refuses all that wait and all that come, and keeps no timer', async () => {
  const { line, push } = openLine()
  const waiting = [push('a', 1), push('b', 1, { tenantId: 'other' })]
  line.drain()
  await vi.advanceTimersByTimeAsync(0)
  expect(waiting.map(({ end }) => end())).toEqual(['unavailable', 'unavailable'])
  expect(refusalOf(() => push('a', 2)).code).toBe('unavailable')
  expect(vi.getTimerCount()).toBe(0)
})
