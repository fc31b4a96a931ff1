import type { Tx } from '../../db/database.ts'
import type { TenantScope } from '../../db/tenant-scope.ts'
import type { Keys, Subjects } from './subject-queries.ts'

/** By their numbers in docs/reliability.md. */
export const INVARIANTS = {
  I1: 'what was acknowledged exists, once',
  I2: 'the event log has no gap and reports each transition once; nor has the record of operators',
  I3: 'each event has one delivery for each webhook that wants it',
  I4: 'balances equal the journal, and nothing is executed or paid out twice',
  I5: 'attempts are numbered, spaced and counted as the schedule requires',
  I6: 'no row names what belongs to another tenant',
  I7: 'no secret and no signer lies open where they do not belong',
  I8: 'one warning or call at a time, each step in order and on record',
  I9: 'a closed facility owes nothing',
} as const

export type Invariant = keyof typeof INVARIANTS

export type Violation = {
  tenantId: string
  subject: string
  detail: string
}

/** Rules of other modules, of which the checks read only tables. */
export type Terms = {
  retryDelaysMs: readonly number[]
  disableAt: number
  /** A simulation may reset a failure counter without an event. */
  hasSimulation: boolean
  clockSkewMs: number
  /** Topics of work that finish something in progress. */
  topics: Readonly<
    Record<'draw' | 'repayment' | 'refund' | 'facility' | 'closing' | 'call', string>
  >
  applicationDeadline: string
  /** Of the page, where the tables are distributed. */
  tenantId?: TenantScope
}

export type Check = {
  invariant: Invariant
  name: string
  scans(read: Read): Promise<readonly Scan[]> | readonly Scan[]
}

/** Subjects that can be checked one by one, in pages. */
export type Scan = {
  name: string
  subjects: Subjects
  find(tx: Tx, keys: Keys, terms: Terms, limit: number): Promise<Violation[]>
}

/** A snapshot of its own, held no longer than a page may take. */
export type Read = <T>(run: (tx: Tx) => Promise<T>) => Promise<T>
