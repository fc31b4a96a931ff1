import type { components } from './generated/openapi-types.ts'

type Problem = components['schemas']['Problem']

/** Every refusal that the service has a code for. */
export type ProblemCode = Problem['code']

/** One member of a request that was refused. */
export type InvalidMember = NonNullable<Problem['errors']>[number]

/** The kind of fault of a member; the list is closed, a newer service may have more. */
export type InvalidMemberCode = InvalidMember['code']

/** What some refusals carry beyond the members that all have. */
type ExtraMembers = {
  timestamp_out_of_range: { server_time: string }
  signature_invalid: { string_to_sign: string }
  scope_missing: { required_scope: string }
}

/** A refusal with one of these codes, and the members that come with it. */
export type ProblemWith<Code extends ProblemCode> = ProblemError & {
  readonly code: Code
  readonly members: Code extends keyof ExtraMembers ? ExtraMembers[Code] : object
}

/**
 * A refusal by the service (interface, Errors). Decide by `code`, never by `detail`, which is for
 * people: `if (error instanceof ProblemError && error.is('draws_blocked'))`. `members` holds the
 * whole problem object.
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly type: string
  readonly title: string
  readonly status: number
  /** `unexpected_response` when something in between answered; a newer service may have others. */
  readonly code: ProblemCode | 'unexpected_response' | (string & {})
  readonly detail: string
  readonly errors: readonly InvalidMember[]
  readonly requestId: string | undefined
  /** How long the service asks to wait, from `Retry-After`. */
  readonly retryAfterSeconds: number | undefined
  readonly members: Readonly<Record<string, unknown>>

  constructor(response: Response, members: Record<string, unknown>) {
    const { errors } = members
    const detail = readString(members, 'detail') ?? 'The answer was not a problem object.'
    const code = readString(members, 'code') ?? 'unexpected_response'
    super(`${response.status} ${code}: ${detail}`)
    this.type = readString(members, 'type') ?? 'about:blank'
    this.title = readString(members, 'title') ?? response.statusText
    this.status = response.status
    this.code = code
    this.detail = detail
    this.errors = Array.isArray(errors) ? errors : []
    this.requestId =
      readString(members, 'request_id') ?? response.headers.get('x-svc-request-id') ?? undefined
    this.retryAfterSeconds = readSeconds(response.headers.get('retry-after'))
    this.members = members
  }

  /** Whether the service refused with one of these codes. */
  is<Code extends ProblemCode>(...codes: Code[]): this is ProblemWith<Code> {
    return (codes as string[]).includes(this.code)
  }
}

/**
 * No usable answer came. `cause` is the reason itself: the system's error with its `code`, such as
 * ECONNREFUSED, a TimeoutError when the time ran out, or why an answer could not be read.
 */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

/** Reads a refusal, whoever sent it: a gateway in between may answer something other than JSON. */
export async function readProblem(response: Response): Promise<ProblemError> {
  const body: unknown = await response.json().catch(() => undefined)
  const members = typeof body === 'object' && body !== null ? { ...body } : {}
  return new ProblemError(response, members)
}

function readString(members: Record<string, unknown>, name: string): string | undefined {
  const value = members[name]
  return typeof value === 'string' ? value : undefined
}

function readSeconds(value: string | null): number | undefined {
  return value !== null && /^[0-9]+$/.test(value) ? Number(value) : undefined
}
