import { z } from 'zod'
import { Refusal } from '../../core/errors.ts'
import { describeFault, issueOf, valueAt, withExample } from '../../core/field-errors.ts'
import {
  decimalPattern,
  findDecimalFault,
  formatDecimal,
  formatUsd,
  PRICED_ASSETS,
  parseDecimal,
} from '../../core/money.ts'
import { ONE_PPM } from '../../core/ratio.ts'
import { HOUR_MS, SECOND_MS } from '../../core/time.ts'
import { DEFAULT_MARGIN_POLICY, type MarginPolicy, type MarginTerms, type Tier } from './policy.ts'

const RATIO_DIGITS = 6
const USD_DIGITS = 2

const ratio = decimal(RATIO_DIGITS)
const usd = decimal(USD_DIGITS)
const tier = z.strictObject({ above_ltv: ratio, cure_hours: z.number().min(0.01).max(8_760) })
/** Null: the terms do not name it. Dollars are always named. */
const shares = z.strictObject(
  Object.fromEntries(
    PRICED_ASSETS.map((asset) => [
      asset,
      asset === 'USD' ? ratio.optional() : ratio.nullable().optional(),
    ]),
  ),
)

const EXAMPLE = {
  ...{ floor_ltv: '0.68', cure_ltv: '0.58', critical_ltv: '0.82', confirm_seconds: 60 },
  tiers: [
    { above_ltv: '0.68', cure_hours: 48 },
    { above_ltv: '0.73', cure_hours: 12 },
    { above_ltv: '0.78', cure_hours: 2 },
  ],
  ...{ relapse_hours: 24, relapse_least_hours: 2, least_usd: '10.00', target_ltv: '0.55' },
  ...{ sale_fee: '0.02', deep_ltv: '0.95', dust_usd: '1000.00' },
  haircuts: { BTC: '0.05', ETH: '0.10' },
}

/** Members that are left out keep the service's values. */
export const changedTerms = z
  .strictObject({
    floor_ltv: ratio,
    cure_ltv: ratio,
    tiers: z.tuple([tier, tier, tier]),
    critical_ltv: ratio,
    confirm_seconds: z.number().int().nonnegative().max(3_600),
    relapse_hours: z.number().nonnegative().max(8_760),
    relapse_least_hours: z.number().nonnegative().max(8_760),
    least_usd: usd,
    target_ltv: ratio,
    sale_fee: ratio,
    deep_ltv: ratio,
    dust_usd: usd,
    haircuts: shares,
  })
  .partial()
  .meta({ id: 'MarginTerms', examples: [EXAMPLE] })

export type ChangedTerms = z.output<typeof changedTerms>

/** Of a build whose terms may have other members. Collateral that this build cannot price could be worth
 * anything: a loan that holds what its terms name is not decided. */
const storedTier = tier.strip()
const storedTerms = changedTerms.strip().extend({
  tiers: z.tuple([storedTier, storedTier, storedTier]).optional(),
  haircuts: z.record(z.string(), ratio).optional(),
})

/** Margin terms from JSON, where it names them, else from `base`. Refuses `validation_failed`. */
export function parseMarginTerms(text: string, base: MarginPolicy): MarginTerms {
  const parsed = changedTerms.safeParse(readJson(text), { error: describeFault })
  if (!parsed.success) throw refuse(describeFirst(parsed.error.issues))
  return applyTerms(parsed.data, base)
}

/** Terms that name no asset: what is whole is read by it. */
const NAMES_NOTHING = { haircuts: new Map<string, bigint>() }

/** As a proposal stores them. Refuses like `applyTerms`. */
export function applyWholeTerms(whole: ChangedTerms): MarginTerms {
  return applyTerms(whole, { ...DEFAULT_MARGIN_POLICY, ...NAMES_NOTHING })
}

/** Refuses `validation_failed` for terms that contradict each other. */
export function applyTerms(changed: ChangedTerms, base: MarginPolicy): MarginTerms {
  const policy = toPolicy(changed, base)
  const { haircuts } = policy
  const fault = findContradiction(policy) ?? findHaircutFault(haircuts)
  if (fault) throw refuse(fault)
  return { policy, haircuts }
}

/** Of a version. What was refused is not stored, and one that could not be read would stop every
 * evaluation: what only another build knows, or refuses, is no reason. */
export function readStoredTerms(stored: unknown, base: MarginPolicy): MarginPolicy {
  // An asset that a version does not name counts for nothing under it.
  return toPolicy(storedTerms.parse(stored), { ...base, ...NAMES_NOTHING })
}

/** Every member, as a policy file has it. */
export function showTerms(policy: MarginPolicy): z.input<typeof changedTerms> {
  const share = (ppm: bigint) => formatDecimal(ppm, RATIO_DIGITS)
  return {
    floor_ltv: share(policy.floorLtvPpm),
    cure_ltv: share(policy.cureLtvPpm),
    tiers: policy.tiers.map(({ aboveLtvPpm, windowMs }) => ({
      above_ltv: share(aboveLtvPpm),
      cure_hours: windowMs / HOUR_MS,
    })) as z.input<typeof changedTerms>['tiers'],
    critical_ltv: share(policy.criticalLtvPpm),
    confirm_seconds: policy.confirmMs / SECOND_MS,
    relapse_hours: policy.relapseMs / HOUR_MS,
    relapse_least_hours: policy.relapseLeastMs / HOUR_MS,
    least_usd: formatUsd(policy.leastCents),
    target_ltv: share(policy.targetLtvPpm),
    sale_fee: share(policy.saleFeePpm),
    deep_ltv: share(policy.deepLtvPpm),
    dust_usd: formatUsd(policy.dustCents),
    haircuts: Object.fromEntries([...policy.haircuts].map(([asset, ppm]) => [asset, share(ppm)])),
  }
}

/** Such as `tiers.0.above_ltv: expected a decimal string. Example: "0.68".` */
function describeFirst([issue]: readonly z.core.$ZodIssue[]): string {
  if (!issue) return 'it is not valid.'
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const place = [...issue.path, ...unknown].join('.')
  const example = valueAt(EXAMPLE, issue.path)
  const message = withExample(issue.message, typeof example === 'string' ? example : undefined)
  const fault = message.charAt(0).toLowerCase() + message.slice(1)
  return place === '' ? fault : `${place}: ${fault}`
}

function toPolicy(changed: ChangedTerms, base: MarginPolicy): MarginPolicy {
  const haircuts = new Map(base.haircuts)
  for (const [asset, ppm] of Object.entries(changed.haircuts ?? {})) {
    if (ppm === null) haircuts.delete(asset)
    else if (ppm !== undefined) haircuts.set(asset, ppm)
  }
  const ms = (amount: number | undefined, unitMs: number, otherwise: number) =>
    amount === undefined ? otherwise : Math.round(amount * unitMs)
  return {
    ...base,
    version: 'file',
    floorLtvPpm: changed.floor_ltv ?? base.floorLtvPpm,
    cureLtvPpm: changed.cure_ltv ?? base.cureLtvPpm,
    tiers:
      changed.tiers?.map(({ above_ltv, cure_hours }, index) => ({
        tier: (index + 1) as Tier,
        aboveLtvPpm: above_ltv,
        windowMs: Math.round(cure_hours * HOUR_MS),
      })) ?? base.tiers,
    criticalLtvPpm: changed.critical_ltv ?? base.criticalLtvPpm,
    confirmMs: ms(changed.confirm_seconds, SECOND_MS, base.confirmMs),
    relapseMs: ms(changed.relapse_hours, HOUR_MS, base.relapseMs),
    relapseLeastMs: ms(changed.relapse_least_hours, HOUR_MS, base.relapseLeastMs),
    leastCents: changed.least_usd ?? base.leastCents,
    targetLtvPpm: changed.target_ltv ?? base.targetLtvPpm,
    saleFeePpm: changed.sale_fee ?? base.saleFeePpm,
    deepLtvPpm: changed.deep_ltv ?? base.deepLtvPpm,
    dustCents: changed.dust_usd ?? base.dustCents,
    haircuts,
  }
}

/** Names the first two ratios that are not in rising order. */
function findContradiction(policy: MarginPolicy): string | undefined {
  const [first, second, third] = policy.tiers.map(({ aboveLtvPpm }) => aboveLtvPpm)
  const ladder: [string, bigint | undefined][] = [
    ['target_ltv', policy.targetLtvPpm],
    ['cure_ltv', policy.cureLtvPpm],
    ['floor_ltv', policy.floorLtvPpm],
    ['the first tier', first],
    ['the second tier', second],
    ['the third tier', third],
    ['critical_ltv', policy.criticalLtvPpm],
    ['deep_ltv', policy.deepLtvPpm],
  ]
  const [nothing, fee] = [0n, policy.saleFeePpm]
  if (policy.targetLtvPpm <= nothing) return 'target_ltv must be above 0.'
  if (fee >= 500_000n) return 'sale_fee must be below 0.5.'
  for (const [index, [name, ppm = nothing]] of ladder.entries()) {
    const [before, ppmBefore = nothing] = ladder[index - 1] ?? []
    const mayEqual = name === 'the first tier'
    if (before === undefined || ppm > ppmBefore || (mayEqual && ppm === ppmBefore)) continue
    const [low, high] = [ppmBefore, ppm].map((value) => formatDecimal(value, RATIO_DIGITS))
    const least = mayEqual ? 'at least' : 'above'
    return `${name} (${high}) must be ${least} ${before} (${low}).`
  }
  return undefined
}

function findHaircutFault(haircuts: MarginTerms['haircuts']): string | undefined {
  const whole = [...haircuts].find(([, ppm]) => ppm > ONE_PPM)
  return whole && `haircuts.${whole[0]} must be at most 1.`
}

function decimal(digits: number) {
  const text = z
    .string({ error: 'Expected a decimal string.' })
    .meta({ pattern: decimalPattern(digits) })
  return text.transform((given, context) => {
    const units = parseDecimal(given, digits)
    if (units !== undefined) return units
    context.issues.push(issueOf(findDecimalFault(given, digits), given))
    return z.NEVER
  })
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refuse('it is no JSON.')
  }
}

function refuse(fault: string): Refusal {
  return new Refusal('validation_failed', `The policy cannot be used: ${fault}`)
}
