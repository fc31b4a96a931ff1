// GCRA: a bucket is one integer, the microsecond at which it is full again. The distance to it is
// the backlog; a token adds `intervalMicros`. All sums are integers below 2^53, exact in a number.

const SECOND_MICROS = 1_000_000
const MAX_REFILL_MICROS = 86_400 * SECOND_MICROS

export type BucketLimit = {
  readonly burst: number
  readonly intervalMicros: number
}

export type BucketReading = {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
  /** Rounded up, at least 1; undefined when a token is left. */
  readonly retryAfterSeconds: number | undefined
  readonly nextTokenMicros: number
}

export type TakeResult = BucketReading & { readonly fullAtMicros: number }

/** A sentence when not valid. The rate must be a whole number of microseconds a token. */
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

export function capacityMicros(limit: BucketLimit): number {
  return limit.burst * limit.intervalMicros
}

/** `fullAtMicros` undefined is a full bucket. A denial returns the state unchanged. */
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

export function peekBucket(
  fullAtMicros: number | undefined,
  nowMicros: number,
  limit: BucketLimit,
): BucketReading {
  const backlog = backlogAt(fullAtMicros, nowMicros, limit)
  return readBucket(backlog + limit.intervalMicros <= capacityMicros(limit), backlog, limit)
}

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
  // A backlog above capacity was written under another clock or limit. It counts as one token
  // left, so that a clock set back blocks no one.
  return backlog > capacity ? capacity - limit.intervalMicros : backlog
}
