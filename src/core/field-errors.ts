import type { z } from 'zod'

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
