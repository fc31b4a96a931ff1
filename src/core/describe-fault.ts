import { z } from 'zod'
import { isMissing } from './field-errors.ts'

export function describeFault(issue: z.core.$ZodRawIssue): string {
  const expected = describeExpected(issue)
  if (!isMissing(issue)) return expected
  return expected === NOTHING_KNOWN ? 'Required.' : `Required. ${expected}`
}

function describeExpected(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return expect(issue.schema instanceof z.ZodNumber ? aNumber(issue.schema) : a(issue.expected))
    case 'too_small':
    case 'too_big':
      return expect(
        issue.schema instanceof z.ZodNumber ? aNumber(issue.schema) : describeSize(issue),
      )
    case 'invalid_value':
      return expect(oneOf(issue.values))
    case 'invalid_union':
      return Array.isArray(issue.options) ? expect(oneOf(issue.options)) : INVALID_FORMAT
    case 'invalid_format':
      return FORMATS.get(issue.format) ?? INVALID_FORMAT
    case 'unrecognized_keys':
      return describeUnknown(issue.inst)
    case 'custom':
    case 'invalid_element':
    case 'invalid_key':
    case 'not_multiple_of':
      return 'Invalid value.'
  }
}

const expect = (what: string) => `Expected ${what}.`

const TYPES: ReadonlyMap<string, string> = new Map([
  ['array', 'a list'],
  ['boolean', 'true or false'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['tuple', 'a list'],
  ['nonoptional', 'a value'],
])

const a = (type: string) => TYPES.get(type) ?? `a ${type}`

const FORMATS: ReadonlyMap<string, string> = new Map([
  ['email', 'Invalid format. Expected an e-mail address.'],
  ['datetime', 'Invalid format. Expected a UTC timestamp.'],
])
const NOTHING_KNOWN = 'Expected a value.'
const INVALID_FORMAT = 'Invalid format.'

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

function boundOf(value: number | null): number | undefined {
  return value === null || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? undefined : value
}

type SizeIssue = z.core.$ZodRawIssue<z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall>

function describeSize(issue: SizeIssue): string {
  const [one, many] = issue.origin === 'string' ? ['character', 'characters'] : ['item', 'items']
  const bound = Number(issue.code === 'too_big' ? issue.maximum : issue.minimum)
  const range = issue.exact ? 'exactly' : issue.code === 'too_big' ? 'at most' : 'at least'
  return `${range} ${bound} ${bound === 1 ? one : many}`
}

function oneOf(values: readonly z.core.util.Primitive[]): string {
  const texts = values.map((value) => `\`${String(value)}\``)
  const last = texts.pop() ?? 'nothing'
  return texts.length === 0 ? last : `${texts.join(', ')} or ${last}`
}

function describeUnknown(schema: unknown): string {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  if (known.length === 0) return 'Unknown member. None is allowed.'
  return `Unknown member. Allowed: ${known.map((name) => `\`${name}\``).join(', ')}.`
}
