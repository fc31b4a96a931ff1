import { Refusal } from '../../core/errors.ts'
import { addMs, SECOND_MS } from '../../core/time.ts'
import { sqlState, violatedConstraint } from '../../db/errors.ts'
import { backoffSeconds, type Topic } from './topics.ts'

/** Still retried, but an operator should investigate. */
export const STUCK_ATTEMPTS = 10

const MAX_LENGTH = 300

export function planRetry(
  { topic, attempts }: { topic: Topic; attempts: number },
  error: unknown,
  { now, random }: { now: Date; random: () => number },
): { at: Date; error: string } {
  const pauseMs = backoffSeconds(topic, attempts) * SECOND_MS
  const longest = Math.min(pauseMs, longestPauseMs(error) ?? pauseMs)
  // Random between half and all, so that what failed together is not retried together.
  return {
    at: addMs(now, Math.ceil((longest * (1 + random())) / 2)),
    error: describeFailure(error),
  }
}

/** `longestPauseMs` of an error limits the pause: its cause may pass at any time. */
function longestPauseMs(error: unknown): number | undefined {
  const limit =
    error instanceof Error && 'longestPauseMs' in error ? error.longestPauseMs : undefined
  return typeof limit === 'number' ? limit : undefined
}

/** For operators, without text of people or vendors (I7): the name or code and the line that threw.
 * Only a class marked `isSafeToStore` shows its message. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'NotAnError'
  return `${describe(error)}${placeOf(error)}`.slice(0, MAX_LENGTH)
}

function describe(error: Error): string {
  if (error instanceof Refusal) return `Refusal ${error.code}`
  if ('isSafeToStore' in error && error.isSafeToStore === true) {
    return `${error.name}: ${error.message}`
  }
  const state = sqlState(error)
  const constraint = violatedConstraint(error)
  if (state !== undefined) {
    return `database error ${state}${constraint === undefined ? '' : ` (${constraint})`}`
  }
  const name = /^[A-Za-z][A-Za-z0-9]{0,63}$/.test(error.name) ? error.name : 'Error'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return /^[A-Z][A-Z0-9_]{2,40}$/.test(code) ? `${name} ${code}` : name
}

const SOURCE_PLACE = /\/(?:src|test)\/([\w./-]+\.ts:\d+)/

/** As scripts/build-service.ts names its files: a package has its own. */
const BUILT_PLACE = /(?:([\w$.]+) \()?[^\s(]*\/dist\/service\/((?!packages-)[\w.-]+\.js:\d+)/

/** The first line of ours: ` at domain/facilities/floors/floors.ts:80`, or of what is built
 * ` at claimDue@start-worker-DVwn68ds.js:812`. */
function placeOf({ stack = '' }: Error): string {
  const lines = stack.slice(stack.indexOf('\n    at '))
  const [, place] = SOURCE_PLACE.exec(lines) ?? []
  if (place) return ` at ${place}`
  const [, name = '', built] = BUILT_PLACE.exec(lines) ?? []
  return built ? ` at ${name && `${name}@`}${built}` : ''
}
