/** Anti-money-laundering law of the EU and of the United States keeps a customer's records for five years after
 * the relation has ended. */
const RETENTION_YEARS = 5

export type RetainedFacility = {
  id: string
  isOpen: boolean
  owes: boolean
  isOwedBack: boolean
  isInSuspense: boolean
  /** A draw, a repayment or a doubtful payment is not settled. */
  isUnderWay: boolean
  isOnHold: boolean
  endedAt: Date | undefined
}

export type RetentionFacts = {
  facilities: readonly RetainedFacility[]
  checksWaiting: number
  lastFailedAt: Date | undefined
  isBlocked: boolean
  unblockedAt: Date | undefined
}

/** `until` is undefined for what has no known end. */
export type Obstacle = { detail: string; until: Date | undefined }

/** Lists what prevents the erasure of a borrower now. Empty: it may be erased. */
export function findObstacles(facts: RetentionFacts, now: Date): Obstacle[] {
  const standing = [...facts.facilities.flatMap(findStanding), ...findOwnStanding(facts)]
  const lasting = [
    ...facts.facilities.map(({ id, endedAt }) => ({ what: `facility ${id} ended`, at: endedAt })),
    { what: 'a check failed', at: facts.lastFailedAt },
    { what: 'a block ended', at: facts.unblockedAt },
  ]
  return [
    ...standing.map((detail) => ({ detail, until: undefined })),
    ...lasting.flatMap(({ what, at }) => {
      const until = at && addYears(at, RETENTION_YEARS)
      return until && until > now
        ? [{ detail: `${what} less than ${RETENTION_YEARS} years ago`, until }]
        : []
    }),
  ]
}

function findStanding(facility: RetainedFacility): string[] {
  const found: [boolean, string][] = [
    [facility.isOpen, 'is open'],
    [facility.owes, 'owes a deficit'],
    [facility.isOwedBack, 'is owed a refund'],
    [facility.isInSuspense, 'has money in suspense'],
    [facility.isUnderWay, 'has a payment under way'],
    [facility.isOnHold, 'is on hold'],
  ]
  return found.flatMap(([holds, what]) => (holds ? [`facility ${facility.id} ${what}`] : []))
}

function findOwnStanding({ checksWaiting, isBlocked }: RetentionFacts): string[] {
  return [
    ...(checksWaiting > 0 ? ['a check waits'] : []),
    ...(isBlocked ? ['the borrower is blocked'] : []),
  ]
}

/** The same day and time of a later year; 29 February becomes 1 March. */
function addYears(at: Date, years: number): Date {
  const later = new Date(at)
  later.setUTCFullYear(at.getUTCFullYear() + years)
  return later
}

export function describeObstacles(obstacles: readonly Obstacle[]): string {
  const each = obstacles.map(({ detail, until }) =>
    until ? `${detail}, kept until ${until.toISOString()}` : detail,
  )
  return `The borrower cannot be erased yet: ${each.join('; ')}.`
}
