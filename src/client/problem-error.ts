/** One member of a request body that was refused. */
export type InvalidMember = { pointer: string; code: string; detail: string }

/**
 * A refusal by the service (interface, Errors). Decide by `code`, never by `detail`, which is for
 * people; `members` holds the whole problem object with what only some codes carry, such as
 * `required_scope` or `string_to_sign`.
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: string
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
}

/** No answer came: refused connection, broken connection, or the time ran out. See `cause`. */
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
