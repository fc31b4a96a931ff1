import { CommanderError } from 'commander'
import { ProblemError, UnreachableError } from '../client/problem-error.ts'
import { EXIT, explainMisuse } from '../command-line/program.ts'
import { StoryError } from './story/story-error.ts'
import { SvcError } from './svc-error.ts'

/** A code for programs, a sentence for people, an exit code for scripts. */
export type Failure = {
  code: string
  message: string
  exitCode: number
  request_id?: string | undefined
  /** Page that explains the error. */
  type?: string | undefined
  errors?: ProblemError['errors']
}

/** Explains any error without a stack trace. */
export function explainFailure(error: unknown): Failure {
  if (error instanceof ProblemError) return explainRefusal(error)
  if (error instanceof UnreachableError) {
    const message = `${error.message} ${causeOf(error)}Is the service running? On this machine, npm start runs it.`
    return { code: 'unreachable', message, exitCode: EXIT.unreachable }
  }
  if (error instanceof SvcError) {
    return { code: error.code, message: error.message, exitCode: error.exitCode }
  }
  if (error instanceof StoryError) {
    return { code: 'story', message: error.message, exitCode: EXIT.refused }
  }
  if (error instanceof CommanderError) {
    return { code: 'usage', message: explainMisuse(error), exitCode: EXIT.misuse }
  }
  const message = `The command failed unexpectedly: ${error instanceof Error ? error.message : String(error)}`
  return { code: 'internal', message, exitCode: EXIT.refused }
}

function explainRefusal(error: ProblemError): Failure {
  const { code, detail, errors, requestId, type } = error
  const members = errors.map((fault) => `\n  ${fault.pointer}: ${fault.detail}`)
  const request = requestId === undefined ? '' : ` (${requestId})`
  const message = `The service refused: ${error.status} ${code}. ${detail}${request}${members.join('')}`
  const page = type === 'about:blank' ? undefined : type
  return { code, message, exitCode: EXIT.refused, request_id: requestId, type: page, errors }
}

function causeOf({ cause }: UnreachableError): string {
  if (!(cause instanceof Error)) return ''
  const text = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
  return text === '' ? '' : `(${text}) `
}
