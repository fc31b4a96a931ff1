import { z } from 'zod'

/** The closed list of `errors[].code`; the OpenAPI document and the error pages use it. */
export const FIELD_CODES = {
  required: 'The member is missing.',
  unknown_member: 'The operation has no member or parameter of this name.',
  not_allowed: 'The member exists, but must be left out here.',
  wrong_type: 'The value has another JSON type than expected.',
  wrong_format: 'The text does not have the expected form.',
  unknown_value: 'The value is not one of those allowed.',
  too_short: 'The text or list has too few characters or items.',
  too_long: 'The text or list has too many characters or items.',
  out_of_range: 'The number or amount is too small or too large.',
  too_precise: 'The decimal has more digits after the point than the asset has.',
  forbidden_character: 'The text has a character that is refused, such as a control character.',
  duplicate: 'The value is repeated.',
  mismatch: 'The value contradicts what is stored, or another member.',
  in_future: 'The time is in the future.',
} as const satisfies Record<string, string>

export type FieldCode = keyof typeof FIELD_CODES

export const FIELD_CODE_NAMES = Object.keys(FIELD_CODES) as [FieldCode, ...FieldCode[]]

export type FieldError = { pointer: string; code: FieldCode; detail: string }

export type FieldFault = { code: FieldCode; expected: string }

export function refusedAs({ code, expected }: FieldFault) {
  return { error: expected, params: { fieldCode: code } }
}

export function issueOf(
  fault: FieldFault,
  input: unknown,
  path: PropertyKey[] = [],
): z.core.$ZodRawIssue<z.core.$ZodIssueCustom> {
  const { error: message, params } = refusedAs(fault)
  return { code: 'custom', message, params, input, path }
}

export type IssueReading = {
  pointerOf: (path: readonly PropertyKey[]) => string
  exampleOf: (path: readonly PropertyKey[]) => unknown
}

/** In zod's order. Parse with `reportInput`, because only the input shows what is missing. */
export function toFieldErrors(
  issues: readonly z.core.$ZodIssue[],
  { pointerOf, exampleOf }: IssueReading,
): FieldError[] {
  return issues.flatMap((issue): FieldError[] => {
    const detail = withExample(issue.message, exampleOf(issue.path))
    if (issue.code !== 'unrecognized_keys') {
      return [{ pointer: pointerOf(issue.path), code: fieldCodeOf(issue), detail }]
    }
    return issue.keys.map((key) => ({
      pointer: pointerOf([...issue.path, key]),
      code: fieldCodeOf(issue),
      detail,
    }))
  })
}

/** RFC 6901; the whole body is the empty pointer. */
export function toJsonPointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replace(/~/g, '~0').replace(/\//g, '~1')}`).join('')
}

/** The first item of a list stands for every item. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((part, key) => {
    if (typeof part !== 'object' || part === null) return undefined
    if (Array.isArray(part)) return part[0]
    return Object.getOwnPropertyDescriptor(part, key)?.value
  }, value)
}

export function withExample(expected: string, example: unknown): string {
  return example === undefined ? expected : `${expected} Example: ${JSON.stringify(example)}.`
}

/** A new kind of zod issue does not compile here. */
export function fieldCodeOf(issue: z.core.$ZodIssue): FieldCode {
  if (isMissing(issue)) return 'required'
  switch (issue.code) {
    case 'invalid_type':
      return 'wrong_type'
    case 'too_small':
    case 'too_big':
      return sizeCodeOf(issue)
    case 'not_multiple_of':
      return 'out_of_range'
    case 'invalid_value':
      return 'unknown_value'
    case 'invalid_union':
      return issue.discriminator === undefined ? 'wrong_format' : 'unknown_value'
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_element':
      return 'wrong_format'
    case 'unrecognized_keys':
      return 'unknown_member'
    case 'custom':
      return readOwnCode(issue) ?? 'wrong_format'
    default: {
      const unreachable: never = issue
      return unreachable
    }
  }
}

function readOwnCode({ params = {} }: z.core.$ZodIssueCustom): FieldCode | undefined {
  const { fieldCode } = params
  return FIELD_CODE_NAMES.find((name) => name === fieldCode)
}

function sizeCodeOf({ code, origin }: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall) {
  const isSize = origin === 'string' || origin === 'array' || origin === 'set'
  if (!isSize) return 'out_of_range'
  return code === 'too_small' ? 'too_short' : 'too_long'
}

/** A union without its discriminator has an object as its input. */
export function isMissing(issue: {
  code?: string | undefined
  input?: unknown
  discriminator?: string | undefined
}): boolean {
  const { input, discriminator } = issue
  if (issue.code !== 'invalid_union' || discriminator === undefined) return input === undefined
  return typeof input === 'object' && input !== null && !Object.hasOwn(input, discriminator)
}

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
