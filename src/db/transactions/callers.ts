/** An error is made where an answer arrives. Shows who asked for that: the callers of `asked`, which is on the stack
 * of the caller. */
export function showCallers(error: unknown, asked: (...given: never[]) => unknown): unknown {
  if (!(error instanceof Error)) return error
  const callers = { stack: '' }
  Error.captureStackTrace(callers, asked)
  error.stack = headOf(error) + callers.stack.slice(callers.stack.indexOf('\n'))
  return error
}

/** For an error of a statement that no one waited for: the stack shows who waits for the transaction. */
export function withoutCallers(error: unknown): unknown {
  if (error instanceof Error) error.stack = headOf(error)
  return error
}

export function hasCallers(error: unknown): boolean {
  return error instanceof Error && error.stack?.includes('\n    at ') === true
}

const headOf = ({ name, message }: Error) => `${name}: ${message}`
