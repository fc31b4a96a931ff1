import { CommanderError } from 'commander'
import { explainMisuse } from '../../command-line/program.ts'
import { ConfigError } from '../../config/read-environment.ts'
import { Refusal } from '../../core/errors.ts'
import { lostNode, sqlState } from '../../db/errors.ts'
import { messageOf } from '../../local/local-failure.ts'

export type Failure = { code: string; message: string }

/** Explains any error without a stack trace. */
export function explainFailure(error: unknown): Failure {
  if (error instanceof Refusal) {
    const details = error.extras.errors?.map(({ pointer, detail }) => `${pointer}: ${detail}`)
    return { code: error.code, message: details?.join(' ') ?? error.message }
  }
  if (error instanceof ConfigError) return { code: 'configuration', message: error.message }
  if (error instanceof CommanderError) {
    return { code: 'usage', message: explainMisuse(error) }
  }
  const node = lostNode(error)
  if (node !== undefined) {
    const message = `A node of the database does not answer (${node}), and the command needs it: repair the node or promote its standby, then run the command again.`
    return { code: 'unavailable', message }
  }
  if (sqlState(error) !== undefined) {
    return { code: 'unavailable', message: `The database refused: ${messageOf(error)}.` }
  }
  return { code: 'internal', message: `The command failed unexpectedly: ${messageOf(error)}` }
}
