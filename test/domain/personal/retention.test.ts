import { describe, expect, test } from 'vitest'
import {
  describeObstacles,
  findObstacles,
  type RetainedFacility,
  type RetentionFacts,
} from '../../../src/domain/personal/retention.ts'

const NOW = new Date('2031-06-15T12:00:00.000Z')
const FIVE_YEARS_AGO = new Date('2026-06-15T12:00:00.000Z')
const LESS = new Date('2026-06-15T12:00:00.001Z')

const NOTHING: RetentionFacts = {
  facilities: [],
  checksWaiting: 0,
  lastFailedAt: undefined,
  isBlocked: false,
  unblockedAt: undefined,
}

const ENDED: RetainedFacility = {
  id: 'fac_1',
  isOpen: false,
  owes: false,
  isOwedBack: false,
  isInSuspense: false,
  isUnderWay: false,
  isOnHold: false,
  endedAt: FIVE_YEARS_AGO,
}

const found = (facts: Partial<RetentionFacts>) => findObstacles({ ...NOTHING, ...facts }, NOW)

describe('retention', () => {
  test('a borrower without a facility, a check or a block may be erased immediately', () => {
    expect(found({})).toEqual([])
  })

  test.each([
    ['isOpen', 'facility fac_1 is open'],
    ['owes', 'facility fac_1 owes a deficit'],
    ['isOwedBack', 'facility fac_1 is owed a refund'],
    ['isInSuspense', 'facility fac_1 has money in suspense'],
    ['isUnderWay', 'facility fac_1 has a payment under way'],
    ['isOnHold', 'facility fac_1 is on hold'],
  ] as const)('a facility of which %s holds stands against it without an end', (member, detail) => {
    expect(found({ facilities: [{ ...ENDED, [member]: true }] })).toEqual([
      { detail, until: undefined },
    ])
  })

  test('a check that waits and a block that lies stand against it', () => {
    expect(found({ checksWaiting: 1, isBlocked: true }).map(({ detail }) => detail)).toEqual([
      'a check waits',
      'the borrower is blocked',
    ])
  })

  test.each([
    ['the last facility', (at: Date) => ({ facilities: [{ ...ENDED, endedAt: at }] })],
    ['a failed check', (at: Date) => ({ lastFailedAt: at })],
    ['a block that ended', (at: Date) => ({ unblockedAt: at })],
  ])('%s is kept for five years to the millisecond', (_what, factsAt) => {
    expect(found(factsAt(FIVE_YEARS_AGO))).toEqual([])
    const [obstacle, ...others] = found(factsAt(LESS))
    expect(others).toEqual([])
    expect(obstacle?.until).toEqual(new Date('2031-06-15T12:00:00.001Z'))
  })

  test('the refusal names all that stands against it, and until when', () => {
    const facts = { checksWaiting: 2, lastFailedAt: LESS }
    expect(describeObstacles(found(facts))).toBe(
      'The borrower cannot be erased yet: a check waits; a check failed less than 5 years ago, kept until 2031-06-15T12:00:00.001Z.',
    )
  })
})
