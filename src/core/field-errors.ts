import type { z } from 'zod'

/**
 * The codes of `errors` in a `validation_failed` problem, each with what it means. The list is closed:
 * the OpenAPI document, the page of the error and the client library take it from here.
 */
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
  duplicate: 'The same thing is given twice.',
  mismatch: 'The value contradicts what is stored, or another member.',
  in_future: 'The instant has not come yet.',
} as const satisfies Record<string, string>

export type FieldCode = keyof typeof FIELD_CODES

/** The codes in the order of the list. */
export const FIELD_CODE_NAMES = Object.keys(FIELD_CODES) as [FieldCode, ...FieldCode[]]

/** One member of a request that was refused: where it is, what kind of fault, what is expected. */
export type FieldError = { pointer: string; code: FieldCode; detail: string }

/** A fault that a schema's own check finds: its code, and a sentence that says what is expected. */
export type FieldFault = { code: FieldCode; expected: string }

/** The options of a zod `refine` that fails with this fault. */
export function refusedAs({ code, expected }: FieldFault) {
  return { error: expected, params: { fieldCode: code } }
}

/** The issue that a zod `transform` or `superRefine` adds for this fault. */
export function issueOf(
  fault: FieldFault,
  input: unknown,
  path: PropertyKey[] = [],
): z.core.$ZodRawIssue<z.core.$ZodIssueCustom> {
  const { error: message, params } = refusedAs(fault)
  return { code: 'custom', message, params, input, path }
}

/** How the issues of one value become field errors. */
export type IssueReading = {
  pointerOf: (path: readonly PropertyKey[]) => string
  /** A right value for this place; undefined where none is known. */
  exampleOf: (path: readonly PropertyKey[]) => unknown
}

/**
 * The field errors of a value that zod refused, in zod's order. Parse with `reportInput`: only the
 * input shows whether a member is missing or wrong.
 */
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

/** Of a list the first item shows what every item is like. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((part, key) => {
    if (typeof part !== 'object' || part === null) return undefined
    if (Array.isArray(part)) return part[0]
    return Object.getOwnPropertyDescriptor(part, key)?.value
  }, value)
}

/** Appends a right value as JSON. */
export function withExample(expected: string, example: unknown): string {
  return example === undefined ? expected : `${expected} Example: ${JSON.stringify(example)}.`
}

/** The code of our list for an issue of zod's. A new kind of issue in zod does not compile here. */
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

/** The code that `issueOf` and `refusedAs` have put there. */
function readOwnCode({ params = {} }: z.core.$ZodIssueCustom): FieldCode | undefined {
  const { fieldCode } = params
  return FIELD_CODE_NAMES.find((name) => name === fieldCode)
}

function sizeCodeOf({ code, origin }: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall) {
  const isSize = origin === 'string' || origin === 'array' || origin === 'set'
  if (!isSize) return 'out_of_range'
  return code === 'too_small' ? 'too_short' : 'too_long'
}

/** Whether nothing stands where the issue is; a union without its discriminator has an object there. */
export function isMissing(issue: {
  code?: string | undefined
  input?: unknown
  discriminator?: string | undefined
}): boolean {
  const { input, discriminator } = issue
  if (issue.code !== 'invalid_union' || discriminator === undefined) return input === undefined
  return typeof input === 'object' && input !== null && !Object.hasOwn(input, discriminator)
}
