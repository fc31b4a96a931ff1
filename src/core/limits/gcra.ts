// A token bucket held as one integer: the microsecond at which it is full again (GCRA). How far that
// lies ahead is the backlog, what the bucket still has to refill; each token costs `intervalMicros`
// of it. Exact in a JS number: an instant of today is below 2^51 and a backlog is at most a day, so
// every sum here is an integer below 2^53.

const SECOND_MICROS = 1_000_000
const MAX_REFILL_MICROS = 86_400 * SECOND_MICROS

export type BucketLimit = {
  /** Capacity, in whole tokens. */
  readonly burst: number
  /** Time to refill one token. */
  readonly intervalMicros: number
}

/** What the rate headers say of a bucket. */
export type BucketReading = {
  /** Whether the token was there. */
  readonly allowed: boolean
  /** The burst. */
  readonly limit: number
  /** Whole tokens left. */
  readonly remaining: number
  /** Whole seconds, rounded up, until the bucket is full. */
  readonly resetSeconds: number
  /** Whole seconds, rounded up and at least 1, until a token is there; only when none is. */
  readonly retryAfterSeconds: number | undefined
  /** Microseconds until a token is there; 0 when one is left. */
  readonly nextTokenMicros: number
}

export type TakeResult = BucketReading & { readonly fullAtMicros: number }

/**
 * Reads a limit of tokens per second, a decimal string, and a burst; or answers the sentence that
 * says what is wrong. The rate must be a whole number of microseconds per token, so that refill
 * never rounds.
 */
export function parseBucketLimit(perSecond: string, burst: number): BucketLimit | string {
  const [, whole = '', fraction = ''] = /^(\d{1,6})(?:\.(\d{1,6}))?$/.exec(perSecond) ?? []
  const tokensPerMillionSeconds = Number(whole + fraction.padEnd(6, '0'))
  if (whole === '' || tokensPerMillionSeconds === 0) {
    return `The rate "${perSecond}" must be a decimal number of tokens per second above 0.`
  }
  const intervalMicros = SECOND_MICROS ** 2 / tokensPerMillionSeconds
  if (!Number.isInteger(intervalMicros)) {
    return `The rate ${perSecond}/s must take a whole number of microseconds per token.`
  }
  if (!Number.isSafeInteger(burst) || burst < 1) {
    return `The burst ${burst} must be a whole number of at least 1.`
  }
  if (burst * intervalMicros > MAX_REFILL_MICROS) {
    return `A burst of ${burst} at ${perSecond}/s must not take more than a day to refill.`
  }
  return { burst, intervalMicros }
}

/** Microseconds an empty bucket takes to refill: the largest backlog it can have. */
export function capacityMicros(limit: BucketLimit): number {
  return limit.burst * limit.intervalMicros
}

/**
 * Takes one token (interface, Limits). Never seen is full: `fullAtMicros` undefined. A denial
 * returns the state it was given.
 */
export function takeToken(
  fullAtMicros: number | undefined,
  nowMicros: number,
  limit: BucketLimit,
): TakeResult {
  const before = backlogAt(fullAtMicros, nowMicros, limit)
  const after = before + limit.intervalMicros
  const allowed = after <= capacityMicros(limit)
  const backlog = allowed ? after : before
  return { ...readBucket(allowed, backlog, limit), fullAtMicros: nowMicros + backlog }
}

/** Reads a bucket without taking: `allowed` says whether a token is there. */
export function peekBucket(
  fullAtMicros: number | undefined,
  nowMicros: number,
  limit: BucketLimit,
): BucketReading {
  const backlog = backlogAt(fullAtMicros, nowMicros, limit)
  return readBucket(backlog + limit.intervalMicros <= capacityMicros(limit), backlog, limit)
}

/** The headers of a bucket whose backlog, after the decision, is `backlogMicros`. */
export function readBucket(
  allowed: boolean,
  backlogMicros: number,
  limit: BucketLimit,
): BucketReading {
  const freeMicros = capacityMicros(limit) - backlogMicros
  const nextTokenMicros = Math.max(0, limit.intervalMicros - freeMicros)
  return {
    allowed,
    limit: limit.burst,
    remaining: Math.floor(freeMicros / limit.intervalMicros),
    resetSeconds: Math.ceil(backlogMicros / SECOND_MICROS),
    // A token is missing for at least a microsecond, so rounding up already gives 1 or more.
    retryAfterSeconds: allowed ? undefined : Math.ceil(nextTokenMicros / SECOND_MICROS),
    nextTokenMicros,
  }
}

function backlogAt(
  fullAtMicros: number | undefined,
  nowMicros: number,
  limit: BucketLimit,
): number {
  const backlog = Math.max(0, (fullAtMicros ?? nowMicros) - nowMicros)
  const capacity = capacityMicros(limit)
  // More than the bucket holds was written under another clock or a larger limit. It counts as one
  // token left, which the next take writes: a clock set back never locks anyone out.
  return backlog > capacity ? capacity - limit.intervalMicros : backlog
}
