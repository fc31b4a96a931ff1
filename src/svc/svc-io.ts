import type { CommandIo } from '../command-line/command-io.ts'

export type SvcIo = CommandIo & {
  /** Of the package. */
  version: string
  /** Whether a person reads the output: text for them, JSON for programs. */
  isTerminal: boolean
  env: Readonly<Record<string, string | undefined>>
  /** Aborts on Ctrl-C. From the first call on Ctrl-C no longer ends the process by itself. */
  takeInterruption(): AbortSignal
}
