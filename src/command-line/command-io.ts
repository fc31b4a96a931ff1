export type CommandIo = {
  /** The program's name in usage and examples. */
  programName: string
  writeOut: (text: string) => void
  writeError: (text: string) => void
  /** Whether a person watches the error output, where progress is drawn. */
  showsProgress: boolean
  /** All of the standard input. */
  readInput: () => Promise<string>
}
