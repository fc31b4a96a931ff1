import { z } from 'zod'
import { describeFault } from '../../core/describe-fault.ts'
import { Refusal } from '../../core/errors.ts'
import { findDecimalFault, formatDecimal, parseDecimal } from '../../core/money.ts'
import { ONE_PPM } from '../../core/ratio.ts'
import { HOUR_MS, SECOND_MS } from '../../core/time.ts'
import { HAIRCUTS_PPM } from '../../domain/collateral/valuation.ts'
import type { MarginPolicy, MarginTerms, Tier } from '../../domain/margin/policy.ts'

const RATIO_DIGITS = 6
const USD_DIGITS = 2

const ratio = decimal(RATIO_DIGITS, '0.70')
const usd = decimal(USD_DIGITS, '1000.00')
const tier = z.strictObject({ above_ltv: ratio, cure_hours: z.number().positive().max(8_760) })

/** Members that the file leaves out keep the service's values. */
const policyFile = z
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
    haircuts: z.strictObject(
      Object.fromEntries([...HAIRCUTS_PPM.keys()].map((asset) => [asset, ratio.optional()])),
    ),
  })
  .partial()

/** Margin terms from JSON, where it names them, else from `base`. Refuses `validation_failed` for
 * terms that contradict each other. */
export function parseMarginTerms(text: string, base: MarginPolicy): MarginTerms {
  const parsed = policyFile.safeParse(readJson(text), { error: describeFault })
  if (!parsed.success) throw refuse(describeFirst(parsed.error.issues))
  const policy = toPolicy(parsed.data, base)
  const haircuts = new Map(HAIRCUTS_PPM)
  for (const [asset, ppm] of Object.entries(parsed.data.haircuts ?? {})) {
    if (ppm !== undefined) haircuts.set(asset, ppm)
  }
  const fault = findContradiction(policy) ?? findHaircutFault(haircuts)
  if (fault) throw refuse(fault)
  return { policy, haircuts }
}

/** Such as `tiers.0.above_ltv: expected a decimal string such as "0.70".` */
function describeFirst([issue]: readonly z.core.$ZodIssue[]): string {
  if (!issue) return 'it is not valid.'
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const place = [...issue.path, ...unknown].join('.')
  const fault = issue.message.charAt(0).toLowerCase() + issue.message.slice(1)
  return place === '' ? fault : `${place}: ${fault}`
}

function toPolicy(file: z.infer<typeof policyFile>, base: MarginPolicy): MarginPolicy {
  const ms = (amount: number | undefined, unitMs: number, otherwise: number) =>
    amount === undefined ? otherwise : Math.round(amount * unitMs)
  return {
    ...base,
    version: 'file',
    floorLtvPpm: file.floor_ltv ?? base.floorLtvPpm,
    cureLtvPpm: file.cure_ltv ?? base.cureLtvPpm,
    tiers:
      file.tiers?.map(({ above_ltv, cure_hours }, index) => ({
        tier: (index + 1) as Tier,
        aboveLtvPpm: above_ltv,
        windowMs: Math.round(cure_hours * HOUR_MS),
      })) ?? base.tiers,
    criticalLtvPpm: file.critical_ltv ?? base.criticalLtvPpm,
    confirmMs: ms(file.confirm_seconds, SECOND_MS, base.confirmMs),
    relapseMs: ms(file.relapse_hours, HOUR_MS, base.relapseMs),
    relapseLeastMs: ms(file.relapse_least_hours, HOUR_MS, base.relapseLeastMs),
    leastCents: file.least_usd ?? base.leastCents,
    targetLtvPpm: file.target_ltv ?? base.targetLtvPpm,
    saleFeePpm: file.sale_fee ?? base.saleFeePpm,
    deepLtvPpm: file.deep_ltv ?? base.deepLtvPpm,
    dustCents: file.dust_usd ?? base.dustCents,
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
    return `${name} (${high}) must be above ${before} (${low}).`
  }
  return undefined
}

function findHaircutFault(haircuts: MarginTerms['haircuts']): string | undefined {
  const whole = [...haircuts].find(([, ppm]) => ppm >= ONE_PPM)
  return whole && `haircuts.${whole[0]} must be below 1.`
}

function decimal(digits: number, example: string) {
  const mustBeText = `Expected a decimal string such as "${example}".`
  return z.string({ error: mustBeText }).transform((text, context) => {
    const units = parseDecimal(text, digits)
    if (units !== undefined) return units
    context.addIssue({
      code: 'custom',
      message: `${findDecimalFault(text, digits).expected} Example: "${example}".`,
    })
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
