/** What a command has of the world. */
export type SvcIo = {
  /** What it is called by, for its help. */
  programName: string
  writeOut(text: string): void
  writeError(text: string): void
  /** A person reads the output: text for them, JSON for programs. */
  isTerminal: boolean
  /** A person watches the error output. */
  showsProgress: boolean
  readInput(): Promise<string>
  env: Readonly<Record<string, string | undefined>>
  /** Aborts when the user wants it to end. */
  signal: AbortSignal
}
