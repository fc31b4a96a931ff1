import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addMs, HOUR_MS, MINUTE_MS } from '../../../../src/core/time.ts'
import {
  type Due,
  LEAST_AFTER_PAUSE_MS,
  OUTAGE_MS,
  type Pause,
  resumeAt,
  resumeAtLast,
} from '../../../../src/domain/facilities/pauses/pauses.ts'

const START = new Date('2026-11-20T12:00:00Z')
const at = (minutes: number) => addMs(START, minutes * MINUTE_MS)

const pause = fc.record({
  kind: fc.constantFrom('outage' as const, 'hold' as const, 'forbearance' as const),
  from: fc.integer({ min: -30, max: 300 }).map(at),
  lastsMinutes: fc.option(fc.integer({ min: 0, max: 200 }), { nil: undefined, freq: 4 }),
})
const pauses = fc.array(pause, { maxLength: 5 }).map((all) =>
  all.map(({ kind, from, lastsMinutes }): Pause => {
    return {
      kind,
      from,
      until: lastsMinutes === undefined ? undefined : addMs(from, lastsMinutes * MINUTE_MS),
    }
  }),
)

/** Minute by minute: a minute in which anything pauses is given back while the instant lies ahead. */
function walk({ at: dueAt, from, leastMs }: Due, all: readonly Pause[], now: Date): Date {
  const counted = all.filter(({ kind, from: since, until }) => {
    const end = until && until < now ? until : now
    return kind !== 'outage' || end.getTime() - since.getTime() > OUTAGE_MS
  })
  let due = dueAt
  for (let minute = from; minute <= now; minute = addMs(minute, MINUTE_MS)) {
    const ends = counted.some(({ kind, from: since, until }) => {
      const end = until && until < now ? until : now
      return kind !== 'outage' && since <= minute && end.getTime() === minute.getTime()
    })
    if (ends && leastMs !== undefined && due < addMs(minute, leastMs)) due = addMs(minute, leastMs)
    const stands = counted.some(
      ({ from: since, until }) => since <= minute && minute < now && (!until || minute < until),
    )
    if (stands && due >= minute) due = addMs(due, MINUTE_MS)
  }
  return due
}

test('an instant stands still once in the union of all pauses, minute by minute, and has what is left at least after a hold', () => {
  fc.assert(
    fc.property(
      pauses,
      fc.record({
        from: fc.integer({ min: 0, max: 60 }),
        left: fc.integer({ min: 0, max: 240 }),
        leastMs: fc.constantFrom(undefined, LEAST_AFTER_PAUSE_MS),
        now: fc.integer({ min: 60, max: 600 }),
      }),
      (all, { from, left, leastMs, now }) => {
        const due = { at: at(from + left), from: at(from), ...(leastMs && { leastMs }) }
        expect(resumeAt(due, all, at(now))).toEqual(walk(due, all, at(now)))
      },
    ),
    { numRuns: 1_000 },
  )
})

test('an outage moves a deadline by its length and no more, and one of a minute by nothing', () => {
  const due = { at: at(60), from: at(0), leastMs: LEAST_AFTER_PAUSE_MS }
  const outage = (from: number, until: number): Pause => {
    return { kind: 'outage', from: at(from), until: at(until) }
  }
  expect(resumeAt(due, [outage(50, 55)], at(90))).toEqual(at(65))
  expect(resumeAt(due, [outage(50, 51)], at(90))).toEqual(at(60))
  // After the deadline has passed.
  expect(resumeAt(due, [outage(61, 80)], at(90))).toEqual(at(60))
})

test('pauses that overlap count once, whatever they are', () => {
  const due = { at: at(60), from: at(0) }
  const all: Pause[] = [
    { kind: 'outage', from: at(10), until: at(30) },
    { kind: 'hold', from: at(20), until: at(40) },
    { kind: 'forbearance', from: at(25), until: at(35) },
  ]
  expect(resumeAt(due, all, at(300))).toEqual(at(90))
})

test('a pause from before the instant was set does not move it', () => {
  const due = { at: at(60), from: at(20) }
  expect(resumeAt(due, [{ kind: 'hold', from: at(0), until: at(20) }], at(90))).toEqual(at(60))
})

test('a warning has two hours at the end of a hold, also one whose deadline had passed', () => {
  const due = { at: at(60), from: at(0), leastMs: LEAST_AFTER_PAUSE_MS }
  const hold: Pause = { kind: 'hold', from: at(70), until: at(600) }
  expect(resumeAt(due, [hold], at(700))).toEqual(addMs(at(600), 2 * HOUR_MS))
  expect(resumeAt(due, [{ ...hold, until: undefined }], at(100))).toEqual(
    addMs(at(100), 2 * HOUR_MS),
  )
})

test('the last instant counts an end that lies ahead, and has none while a hold lies', () => {
  const due = { at: at(60), from: at(0) }
  const forbearance: Pause = { kind: 'forbearance', from: at(10), until: at(500) }
  expect(resumeAtLast(due, [forbearance])).toEqual(at(550))
  expect(resumeAt(due, [forbearance], at(20))).toEqual(at(70))
  expect(
    resumeAtLast(due, [forbearance, { kind: 'hold', from: at(20), until: undefined }]),
  ).toBeUndefined()
})
