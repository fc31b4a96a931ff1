import type { components } from './generated/openapi-types.ts'

type Problem = components['schemas']['Problem']

export type ProblemCode = Problem['code']

export type InvalidMember = NonNullable<Problem['errors']>[number]

export type InvalidMemberCode = InvalidMember['code']

type ExtraMembers = {
  timestamp_out_of_range: { server_time: string }
  signature_invalid: { string_to_sign: string }
  scope_missing: { required_scope: string }
}

export type ProblemWith<Code extends ProblemCode> = ProblemError & {
  readonly code: Code
  readonly members: Code extends keyof ExtraMembers ? ExtraMembers[Code] : object
}

/** Decide by `code`: `error.is('draws_blocked')`. `members` is the whole problem object. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly type: string
  readonly title: string
  readonly status: number
  /** `unexpected_response` for an answer of a gateway; a newer service may have more codes. */
  readonly code: ProblemCode | 'unexpected_response' | (string & {})
  readonly detail: string
  readonly errors: readonly InvalidMember[]
  readonly requestId: string | undefined
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

  is<Code extends ProblemCode>(...codes: Code[]): this is ProblemWith<Code> {
    return (codes as string[]).includes(this.code)
  }
}

/** No usable answer. `cause` is a system error (`ECONNREFUSED`), TimeoutError or parse error. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

/** A gateway may answer something other than JSON. */
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
  const text = value?.trim() ?? ''
  return /^[0-9]+$/.test(text) ? Number(text) : undefined
}
