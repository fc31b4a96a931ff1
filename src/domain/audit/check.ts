import type { Tx } from '../../db/database.ts'
import type { Keys, Subjects } from './subject-queries.ts'

/** The service's promises, by the number that each has in docs/reliability.md. */
export const INVARIANTS = {
  I1: 'what was acknowledged exists, once',
  I2: 'the event log has no gap, and tells each transition once',
  I3: 'each event has one delivery for each webhook that wants it',
  I4: 'balances equal the journal, and nothing is executed or paid out twice',
  I5: 'attempts are numbered, spaced and counted as the schedule says',
  I6: 'no row names what belongs to another tenant',
  I7: 'no secret and no signer lies open where they do not belong',
  I8: 'one warning or call at a time, each step in order and on record',
  I9: 'a closed facility owes nothing',
} as const

export type Invariant = keyof typeof INVARIANTS

/** One thing that is not as it must be. */
export type Violation = {
  tenantId: string
  /** What it is about: an id, or the name of a row. */
  subject: string
  detail: string
}

/** What the checks must know of the rules of other modules, whose tables alone they read. */
export type Terms = {
  /** Pauses of the retry schedule. */
  retryDelaysMs: readonly number[]
  /** Failed attempts in a row at which a webhook is disabled. */
  disableAt: number
  /** Whether the failure counter may be set back by what the log does not hold. */
  hasSimulation: boolean
  /** By how much the clocks of two machines may differ. */
  clockSkewMs: number
  /** Topics of work that take a thing under way to its end. */
  topics: Readonly<
    Record<'draw' | 'repayment' | 'refund' | 'facility' | 'closing' | 'call', string>
  >
  /** Deadline topic of an application that waits for its portfolio. */
  applicationDeadline: string
}

/** One way to look for violations of an invariant. */
export type Check = {
  invariant: Invariant
  /** Names it in reports: words joined by hyphens. */
  name: string
  /** Parts that go through different rows, mostly one. */
  scans(read: Read): Promise<readonly Scan[]> | readonly Scan[]
}

/** A check of subjects that each can be checked without the others, page by page. */
export type Scan = {
  /** Under which its progress is stored. */
  name: string
  subjects: Subjects
  /** At most `limit` violations of the subjects with these keys, each read wholly. */
  find(tx: Tx, keys: Keys, terms: Terms, limit: number): Promise<Violation[]>
}

/** Runs in a snapshot of its own, which is held no longer than a page may take. */
export type Read = <T>(run: (tx: Tx) => Promise<T>) => Promise<T>
