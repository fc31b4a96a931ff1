// A token bucket as the interface words it: a level of tokens that refills continuously at the
// sustained rate up to the burst. Levels are exact fractions, and nothing is shared with the
// implementation: the independent opinion that limits are checked against.

/** `numerator / denominator`, in lowest terms, the denominator above 0. */
type Fraction = { numerator: bigint; denominator: bigint }

export type RationalBucket = {
  readonly tokensPerSecond: Fraction
  readonly burst: bigint
  level: Fraction
  atMicros: bigint
}

export function createRationalBucket(tokensPerSecond: string, burst: number): RationalBucket {
  const [whole = '', decimals = ''] = tokensPerSecond.split('.')
  return {
    tokensPerSecond: fraction(BigInt(whole + decimals), 10n ** BigInt(decimals.length)),
    burst: BigInt(burst),
    level: fraction(BigInt(burst), 1n),
    atMicros: 0n,
  }
}

/** Takes a token at `nowMicros`, which never goes back, and answers what the headers must say. */
export function takeRationally(bucket: RationalBucket, nowMicros: number) {
  refill(bucket, BigInt(nowMicros))
  const { burst, tokensPerSecond } = bucket
  const one = fraction(1n, 1n)
  const allowed = compare(bucket.level, one) >= 0
  if (allowed) bucket.level = subtract(bucket.level, one)
  const missing = subtract(fraction(burst, 1n), bucket.level)
  const wait = ceil(divide(subtract(one, bucket.level), tokensPerSecond))
  return {
    allowed,
    limit: Number(burst),
    remaining: Number(bucket.level.numerator / bucket.level.denominator),
    resetSeconds: Number(ceil(divide(missing, tokensPerSecond))),
    retryAfterSeconds: allowed ? undefined : Number(wait < 1n ? 1n : wait),
    nextTokenMicros: microsUntilLevel(bucket, 1n),
  }
}

/** Microseconds, rounded up, from the last request until the level is `tokens`. */
export function microsUntilLevel(bucket: RationalBucket, tokens: bigint): number {
  const missing = subtract(fraction(tokens, 1n), bucket.level)
  const seconds = divide(missing, bucket.tokensPerSecond)
  const micros = ceil(fraction(seconds.numerator * 1_000_000n, seconds.denominator))
  return Number(micros < 0n ? 0n : micros)
}

function refill(bucket: RationalBucket, nowMicros: bigint): void {
  const seconds = fraction(nowMicros - bucket.atMicros, 1_000_000n)
  const refilled = add(bucket.level, multiply(seconds, bucket.tokensPerSecond))
  const full = fraction(bucket.burst, 1n)
  bucket.level = compare(refilled, full) > 0 ? full : refilled
  bucket.atMicros = nowMicros
}

function fraction(numerator: bigint, denominator: bigint): Fraction {
  let [a, b] = [numerator < 0n ? -numerator : numerator, denominator]
  while (b !== 0n) [a, b] = [b, a % b]
  return { numerator: numerator / a, denominator: denominator / a }
}

function add(a: Fraction, b: Fraction): Fraction {
  const numerator = a.numerator * b.denominator + b.numerator * a.denominator
  return fraction(numerator, a.denominator * b.denominator)
}

function subtract(a: Fraction, b: Fraction): Fraction {
  return add(a, { numerator: -b.numerator, denominator: b.denominator })
}

function multiply(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.numerator, a.denominator * b.denominator)
}

/** `b` above 0. */
function divide(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.denominator, a.denominator * b.numerator)
}

function compare(a: Fraction, b: Fraction): bigint {
  return a.numerator * b.denominator - b.numerator * a.denominator
}

function ceil({ numerator, denominator }: Fraction): bigint {
  const floor = numerator / denominator
  return floor * denominator < numerator ? floor + 1n : floor
}
