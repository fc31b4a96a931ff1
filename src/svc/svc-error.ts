import { EXIT } from '../command-line/program.ts'

/** Something that the user can correct; the message says how. */
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
