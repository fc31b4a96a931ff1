import { z } from 'zod'

/**
 * The sentence that a schema's fault is told by, whatever was validated: it says what is expected.
 * Given to zod as `error`; a message that the schema itself has comes first.
 */
export function tellFault(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'Is required.'
  switch (issue.code) {
    case 'invalid_type':
      return mustBe(issue.schema instanceof z.ZodNumber ? aNumber(issue.schema) : a(issue.expected))
    case 'too_small':
    case 'too_big':
      return issue.schema instanceof z.ZodNumber ? mustBe(aNumber(issue.schema)) : tellSize(issue)
    case 'invalid_value':
      return mustBe(oneOf(issue.values))
    case 'invalid_union':
      return Array.isArray(issue.options) ? mustBe(oneOf(issue.options)) : NO_FORM
    case 'invalid_format':
      return FORMATS.get(issue.format) ?? NO_FORM
    case 'unrecognized_keys':
      return `Is not known here.${tellKnown(issue.inst)}`
    default:
      return 'Is not valid.'
  }
}

const mustBe = (what: string) => `Must be ${what}.`

const TYPES: ReadonlyMap<string, string> = new Map([
  ['array', 'a list'],
  ['boolean', 'true or false'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['tuple', 'a list'],
])

const a = (type: string) => TYPES.get(type) ?? `a ${type}`

const FORMATS: ReadonlyMap<string, string> = new Map([
  ['email', 'Must be an e-mail address such as ada@example.com.'],
  ['datetime', 'Must be a UTC timestamp such as 2026-11-20T12:00:00Z.'],
])
const NO_FORM = 'Has none of the forms that are taken here.'

/** With its bounds, also where what came is no number at all: the next attempt should fit. */
function aNumber(schema: z.ZodNumber): string {
  const kind = schema.isInt ? 'a whole number' : 'a number'
  const least = boundOf(schema.minValue)
  const most = boundOf(schema.maxValue)
  const isAbove = schema.def.checks?.some((check) => {
    const { def } = check._zod
    return def.check === 'greater_than' && 'inclusive' in def && def.inclusive === false
  })
  if (least === undefined) return most === undefined ? kind : `${kind}, at most ${most}`
  if (isAbove) return `${kind} above ${least}${most === undefined ? '' : `, at most ${most}`}`
  return most === undefined ? `${kind}, at least ${least}` : `${kind} from ${least} to ${most}`
}

/** A bound that the schema itself has; every whole number of zod's ends where doubles do. */
function boundOf(value: number | null): number | undefined {
  return value === null || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? undefined : value
}

type SizeIssue = z.core.$ZodRawIssue<z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall>

function tellSize(issue: SizeIssue): string {
  const [one, many] = issue.origin === 'string' ? ['character', 'characters'] : ['item', 'items']
  const bound = Number(issue.code === 'too_big' ? issue.maximum : issue.minimum)
  if (issue.code === 'too_small' && bound === 1) return 'Must not be empty.'
  const range = issue.exact ? 'exactly' : issue.code === 'too_big' ? 'at most' : 'at least'
  return `Must have ${range} ${bound} ${bound === 1 ? one : many}.`
}

/** `completed` or `failed`. */
function oneOf(values: readonly z.core.util.Primitive[]): string {
  const texts = values.map((value) => `\`${String(value)}\``)
  const last = texts.pop() ?? 'nothing'
  return texts.length === 0 ? last : `${texts.join(', ')} or ${last}`
}

function tellKnown(schema: unknown): string {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  return known.length === 0 ? '' : ` Known are ${known.map((name) => `\`${name}\``).join(', ')}.`
}
