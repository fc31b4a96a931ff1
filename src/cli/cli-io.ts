import type { DatabaseConfig } from '../config/database-config.ts'
import type { Clock } from '../core/time.ts'

/** All that the command line touches besides the database and the files it is told to write. */
export type CliIo = {
  /** How whoever runs it calls it, in usage and examples. */
  programName: string
  writeOut: (output: string) => void
  writeError: (output: string) => void
  /** Whether a person watches the error output, on which progress is then drawn. */
  showsProgress: boolean
  /** The whole of the standard input. */
  readInput: () => Promise<string>
  /** Called by commands that need it, so that help needs no configuration. */
  loadConfig: () => DatabaseConfig
  /** Real time. */
  clock: Clock
}
