import { hash } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { SECOND_MS } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { type BorrowerKey, unknownBorrower } from '../onboarding/borrowers.ts'
import { loadPositionSources } from './position-sources.ts'
import { selectStored } from './queries.ts'
import type { Position } from './valuation.ts'

export type Snapshot = {
  /** Microseconds since 1970. */
  asOfMicros: bigint
  positions: readonly Position[]
}

export type PushTerms = { now: Date; futureToleranceMs: number }

export type PushOutcome = { applied: boolean; asOfMicros: bigint }

/** Stores nothing; undefined when the push would be the newest. Refuses `not_found`,
 * `as_of_conflict` and `as_of_in_future`. */
export async function findOutcome(
  db: Db,
  { tenantId, borrowerId }: BorrowerKey,
  snapshot: Snapshot,
  terms: PushTerms,
): Promise<PushOutcome | undefined> {
  assertNotAhead(snapshot, terms)
  const holder = isId('bor', borrowerId) && (await selectStored(db, tenantId, borrowerId))
  if (!holder) throw unknownBorrower()
  const { asOfMicros } = snapshot
  if (holder.as_of === null || holder.as_of < asOfMicros) return undefined
  if (holder.as_of > asOfMicros) return { applied: false, asOfMicros: holder.as_of }
  if (holder.digest?.equals(digestOf(snapshot.positions))) return { applied: true, asOfMicros }
  throw new Refusal('as_of_conflict', 'Another snapshot with this as_of is stored already.')
}

export async function findNewestAsOf(
  db: Db,
  tenantId: string,
  borrowerId: string,
): Promise<bigint | undefined> {
  return (await selectStored(db, tenantId, borrowerId))?.as_of ?? undefined
}

export type StoredPortfolio = Snapshot & { receivedAt: Date }

export async function getPortfolio(
  db: Db,
  tenantId: string,
  borrowerId: string,
): Promise<StoredPortfolio> {
  const isKnown = isId('bor', borrowerId) && (await selectStored(db, tenantId, borrowerId))
  if (!isKnown) throw unknownBorrower()
  const sources = await loadPositionSources(db, tenantId, [borrowerId])
  const pushed = sources.get(borrowerId)?.pushed
  if (!pushed) throw new Refusal('not_found', 'No portfolio of this borrower was pushed yet.')
  const positions = [...pushed.units].map(([asset, units]) => ({ asset, units }))
  positions.sort((one, other) => (one.asset < other.asset ? -1 : 1))
  return { asOfMicros: pushed.asOfMicros, receivedAt: pushed.receivedAt, positions }
}

function assertNotAhead({ asOfMicros }: Snapshot, { now, futureToleranceMs }: PushTerms): void {
  if (asOfMicros <= BigInt(now.getTime() + futureToleranceMs) * 1_000n) return
  const detail = `The as_of is more than ${futureToleranceMs / SECOND_MS} s ahead of the clock of this tenant, now ${now.toISOString()}. Correct the clock of the system that takes the snapshot.`
  throw new Refusal('as_of_in_future', detail)
}

/** The same for any order of rows and any spelling of quantities. */
export function digestOf(positions: readonly Position[]): Buffer {
  const rows = positions.map(({ asset, units }) => `${asset}=${units}`)
  return hash('sha256', rows.sort().join('\n'), 'buffer')
}
