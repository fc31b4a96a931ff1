export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? error.code : undefined
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return undefined
  return routineOf(error) === 'ReportCopyError' ? stateOfMessage(error.message, code) : code
}

/** Of rows that Citus copies to a shard it passes on the message, and not the state. */
function stateOfMessage(message: string, given: string): string {
  return STATES.find(([text]) => message.includes(text))?.[1] ?? given
}

const STATES = [
  ['violates unique constraint', '23505'],
  ['violates foreign key constraint', '23503'],
  ['violates check constraint', '23514'],
  ['deadlock detected', '40P01'],
  ['due to lock timeout', '55P03'],
  ['canceling statement due to', '57014'],
] as const

const routineOf = (error: Error) => ('routine' in error ? error.routine : undefined)

// Serialisation failure and deadlock.
const REPEATED = new Set(['40001', '40P01'])

/** Whether a transaction that failed so is run once more. */
export function isRepeated(error: unknown): boolean {
  return REPEATED.has(sqlState(error) ?? '') || isStalePlan(error)
}

const INVALID_STATEMENT_NAME = '26000'

/** A migration has changed the table of a prepared statement, or someone has deallocated it. Whatever else
 * PostgreSQL or Citus does not support has the code of the first too, and fails every time. */
export function isStalePlan(error: unknown): boolean {
  if (sqlState(error) === INVALID_STATEMENT_NAME) return true
  if (sqlState(error) !== '0A000' || !(error instanceof Error)) return false
  return routineOf(error) === 'RevalidateCachedQuery'
}

const IN_FAILED_TRANSACTION = '25P02'

/** May be only because an earlier statement of the transaction has failed, perhaps one that would have
 * prepared this one. */
export function isAftermath(error: unknown): boolean {
  const state = sqlState(error)
  return state === IN_FAILED_TRANSACTION || state === INVALID_STATEMENT_NAME
}

export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === '55P03'
}

/** Or cancelled by an operator. */
export function isStatementTimeout(error: unknown): boolean {
  return sqlState(error) === '57014'
}

/** Of a shard Citus passes on the message alone, in which the shard's number follows the name. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const name = 'constraint' in error ? error.constraint : undefined
  if (typeof name === 'string') return name
  if (!sqlState(error)?.startsWith('23')) return undefined
  return /"([^"]+)_\d{6,}"[^"]*$/.exec(error.message)?.[1]
}

const CONNECTION_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
])

export function isPoolExhausted(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect'
}

/** Of pg, which has no code for it: the server asks for a password, and the address has none. */
export function isPasswordMissing(error: unknown): boolean {
  return error instanceof Error && /client password must be a/.test(error.message)
}

export const PASSWORD_MISSING =
  'PostgreSQL asks for a password, and DATABASE_URL has none: write it as postgres://user:password@host/database, or set DATABASE_PASSWORD'

/** The error of `pg` for a statement that was not answered in time. Its connection is closed. */
export function isPastDeadline(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

/** Of a server that has become a standby, or was set so. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === '25006'
}

/** The month or day of a row was never made. */
export function isPartitionMissing(error: unknown): boolean {
  if (sqlState(error) !== '23514' || !(error instanceof Error)) return false
  // Citus passes on the message of a shard alone.
  return routineOf(error) === 'ExecFindPartition' || /no partition of relation/.test(error.message)
}

/** The sources of PostgreSQL that write its files. */
const STORAGE = new Set(['md.c', 'fd.c', 'slru.c', 'xlog.c', 'buffile.c'])

/** A disk that is full, read-only or broken. A read-only one has the code of a missing privilege. */
function isStorageFault(error: unknown): boolean {
  if (/^58/.test(sqlState(error) ?? '')) return true
  return error instanceof Error && 'file' in error && STORAGE.has(String(error.file))
}

/** Connection failures (class 08 too), shut-downs, no connections or writes: not the statement's fault. */
export function isConnectionLost(error: unknown): boolean {
  if (isReadOnly(error) || isPastDeadline(error) || isStorageFault(error)) return true
  if (/^(08|53|57P0)/.test(sqlState(error) ?? '')) return true
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string' && CONNECTION_ERRORS.has(error.code))
    return true
  // The errors of `pg` itself have no code.
  return /timeout exceeded when trying to connect|Connection terminated|connection error|not queryable/i.test(
    error.message,
  )
}

/** Of a Citus cluster: the address of the node that its coordinator could not reach. */
export function lostNode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const named =
    /^(?:connection to the remote node \S*@|could not establish any connections to the node )(\S+)/
  return named.exec(error.message)?.[1]
}
