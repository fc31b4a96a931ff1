/** What a command has of the world. */
export type SvcIo = {
  /** What it is called by, for its help. */
  programName: string
  /** That of the package. */
  version: string
  writeOut(text: string): void
  writeError(text: string): void
  /** A person reads the output: text for them, JSON for programs. */
  isTerminal: boolean
  /** A person watches the error output. */
  showsProgress: boolean
  readInput(): Promise<string>
  env: Readonly<Record<string, string | undefined>>
  /**
   * Takes Ctrl-C over from the system, which would end the process at once: from then on the command
   * has to end itself when this aborts.
   */
  takeInterruption(): AbortSignal
}
