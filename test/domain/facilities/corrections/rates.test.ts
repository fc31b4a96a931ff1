import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Rates } from '../../../../src/core/interest.ts'
import { minOf } from '../../../../src/core/money.ts'
import { addMs, DAY_MS } from '../../../../src/core/time.ts'
import {
  agreedRates,
  correctRates,
  lowestCovered,
  type RateCorrection,
} from '../../../../src/domain/facilities/corrections/rates.ts'

const START = new Date('2026-01-01T00:00:00Z')
const onDay = (day: number) => addMs(START, day * DAY_MS)

const rateAt = ({ ratePpm, earlierRates }: Rates, at: Date) =>
  earlierRates.find(({ until }) => at < until)?.ratePpm ?? ratePpm

const ratePpm = fc.bigInt(0n, 10n).map((tenth) => tenth * 10_000n)
const happening = fc.record({
  kind: fc.constantFrom('correct', 'correct', 'undo', 'amend'),
  ratePpm,
  days: fc.integer({ min: 1, max: 10 }),
  agoDays: fc.integer({ min: 0, max: 40 }),
  nth: fc.nat({ max: 5 }),
})

test('each instant has the rate of the last correction that covers it, else the agreed one', () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 12 }), (all) => {
      // What is true: amendments by day, and corrections that hold, each with the day it was booked.
      const amendments: { day: number; ratePpm: bigint }[] = [{ day: 0, ratePpm: 100_000n }]
      let corrections: (RateCorrection & { fromDay: number })[] = []
      let facility = {
        debt: { ratePpm: 100_000n } as never as { ratePpm: bigint },
        earlierRates: [] as Rates['earlierRates'],
        agreed: undefined as never,
      } as unknown as Parameters<typeof agreedRates>[0]
      let day = 0
      const store = (rates: Rates, agreed = facility.agreed) => {
        const debt = { ...facility.debt, ratePpm: rates.ratePpm }
        facility = { debt, earlierRates: rates.earlierRates, agreed }
      }
      for (const one of all) {
        day += one.days
        if (one.kind === 'amend') {
          amendments.push({ day, ratePpm: one.ratePpm })
          const last = { ratePpm: facility.debt.ratePpm, until: onDay(day) }
          store({ ratePpm: one.ratePpm, earlierRates: [...facility.earlierRates, last] })
        } else {
          const fromDay = Math.max(0, day - one.agoDays)
          if (one.kind === 'correct') {
            corrections.push({ fromDay, from: onDay(fromDay), ratePpm: one.ratePpm })
          } else {
            const at = one.nth % Math.max(1, corrections.length)
            corrections = corrections.filter((_, index) => index !== at)
          }
          const agreed = agreedRates(facility)
          const rates = correctRates(agreed, corrections)
          store(rates, { rates: agreed, segments: rates.earlierRates.length })
        }
        const inForce = { ratePpm: facility.debt.ratePpm, earlierRates: facility.earlierRates }
        for (let at = 0; at <= day; at += 1) {
          const amended = amendments.findLast((amendment) => amendment.day <= at)
          const covering = corrections.findLast(
            ({ fromDay }) => fromDay <= at && fromDay >= (amended?.day ?? 0),
          )
          expect(rateAt(inForce, onDay(at))).toBe(covering?.ratePpm ?? amended?.ratePpm)
        }
        const from = day >> 1
        const next = amendments.find((amendment) => amendment.day > from)?.day ?? day + 1
        const covered = Array.from({ length: Math.max(1, next - from) }, (_, index) =>
          rateAt(inForce, onDay(from + index)),
        )
        const lowest = covered.reduce(minOf)
        expect(lowestCovered(agreedRates(facility), inForce, onDay(from))).toBe(lowest)
      }
    }),
    { numRuns: 300 },
  )
})
