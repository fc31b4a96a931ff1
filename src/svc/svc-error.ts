/** Exit codes: the service refused or the result is not well; misuse; nothing answered. */
export const EXIT = { refused: 1, misuse: 2, unreachable: 3 } as const

/** Something the user can put right; the message is a sentence that says how. */
export class SvcError extends Error {
  override readonly name = 'SvcError'
  /** For programs. */
  readonly code: string
  readonly exitCode: number

  constructor(code: string, message: string, exitCode: number = EXIT.misuse) {
    super(message)
    this.code = code
    this.exitCode = exitCode
  }
}

/** What was asked for has been told, and it is not well: all that is left is to exit with code 1. */
export class NotWell extends Error {}
