import { type BucketLimit, parseBucketLimit } from './gcra.ts'

const SECOND_MICROS = 1_000_000

export const LIMIT_CLASSES = {
  portfolio_ingest: {
    displayName: 'Portfolio ingest',
    limit: { intervalMicros: SECOND_MICROS / 50, burst: 500 },
  },
  portfolio_flood: {
    displayName: 'Portfolio ingest',
    limit: { intervalMicros: SECOND_MICROS / 500, burst: 5_000 },
  },
  reads: { displayName: 'Reads', limit: { intervalMicros: SECOND_MICROS / 20, burst: 200 } },
  valuation: { displayName: 'Valuation', limit: { intervalMicros: SECOND_MICROS / 5, burst: 50 } },
  money: { displayName: 'Money', limit: { intervalMicros: SECOND_MICROS / 2, burst: 20 } },
  platform_config: {
    displayName: 'Platform config',
    limit: { intervalMicros: SECOND_MICROS, burst: 10 },
  },
  simulate: { displayName: 'Simulate', limit: { intervalMicros: SECOND_MICROS, burst: 10 } },
  sandbox_controls: {
    displayName: 'Sandbox controls',
    limit: { intervalMicros: SECOND_MICROS / 10, burst: 100 },
  },
  console: {
    displayName: 'Console',
    limit: { intervalMicros: SECOND_MICROS / 20, burst: 100 },
  },
  // All people of a tenant share it: three at full speed, however many there are.
  console_tenant: {
    displayName: 'Console',
    limit: { intervalMicros: SECOND_MICROS / 60, burst: 300 },
  },
  console_sign_in: {
    displayName: 'Console sign-in',
    limit: { intervalMicros: SECOND_MICROS / 5, burst: 100 },
  },
  unverified: { displayName: 'unverified', limit: { intervalMicros: SECOND_MICROS, burst: 30 } },
} as const satisfies Record<string, { displayName: string; limit: BucketLimit }>

export type LimitClass = keyof typeof LIMIT_CLASSES

export type Limits = Readonly<Record<LimitClass, BucketLimit>>

/** `reads=20/200,money=2/20` replaces tokens per second / burst. A sentence when not valid. */
export function parseLimits(overrides: string): Limits | string {
  const chosen = new Map<LimitClass, BucketLimit>()
  for (const entry of overrides.trim() === '' ? [] : overrides.split(',')) {
    const [, name = '', rate = '', burst = ''] = /^(\w+)=([\d.]+)\/(\d+)$/.exec(entry.trim()) ?? []
    if (name === '') {
      return `"${entry.trim()}" must read class=rate/burst, for example reads=20/200.`
    }
    if (!isLimitClass(name)) {
      return `"${name}" is no class; the classes are ${Object.keys(LIMIT_CLASSES).join(', ')}.`
    }
    if (chosen.has(name)) return `"${name}" must be given only once.`
    const limit = parseBucketLimit(rate, Number(burst))
    if (typeof limit === 'string') return `${name}: ${limit}`
    chosen.set(name, limit)
  }
  return mapClasses((limitClass) => chosen.get(limitClass) ?? LIMIT_CLASSES[limitClass].limit)
}

export function mapClasses<Value>(
  toValue: (limitClass: LimitClass) => Value,
): Record<LimitClass, Value> {
  const classes = Object.keys(LIMIT_CLASSES).filter(isLimitClass)
  const entries = classes.map((limitClass) => [limitClass, toValue(limitClass)])
  return Object.fromEntries(entries) as Record<LimitClass, Value>
}

function isLimitClass(name: string): name is LimitClass {
  return Object.hasOwn(LIMIT_CLASSES, name)
}
