import { hash } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import type { Db, Tx } from '../../db/database.ts'
import { unknownBorrower } from '../onboarding/borrowers.ts'
import { lockHolder, selectPortfolio, upsertPortfolio } from './queries.ts'
import type { Position } from './valuation.ts'

/** A borrower's holdings as the tenant saw them at one instant: all of them, each asset once. */
export type Snapshot = {
  /** Microseconds since 1970: the order of snapshots. */
  asOfMicros: bigint
  positions: readonly Position[]
}

/** The newest snapshot of a borrower, its positions in the order of their asset codes. */
export type Portfolio = {
  asOfMicros: bigint
  /** Domain time at which it came, by which its age counts. */
  receivedAt: Date
  positions: Position[]
}

/** Whether what was pushed is what is stored now, and the `as_of` of that. */
export type PushOutcome = { applied: boolean; asOfMicros: bigint }

/**
 * Replaces a borrower's portfolio by a newer snapshot (interface, portfolio push). An older one
 * changes nothing and is answered so; the stored one, pushed again, is applied already, and keeps
 * the time at which it first came. Refuses `not_found`, `as_of_conflict` for other content under the
 * stored `as_of`, and `as_of_in_future` for one ahead of `now` by more than `futureToleranceMs`.
 */
export async function putPortfolio(
  tx: Tx,
  tenantId: string,
  borrowerId: string,
  snapshot: Snapshot,
  { now, futureToleranceMs }: { now: Date; futureToleranceMs: number },
): Promise<PushOutcome> {
  const { asOfMicros } = snapshot
  if (asOfMicros > BigInt(now.getTime() + futureToleranceMs) * 1_000n) {
    throw new Refusal('as_of_in_future', 'The as_of lies in the future.')
  }
  const isKnown = isId('bor', borrowerId) && (await lockHolder(tx, tenantId, borrowerId))
  if (!isKnown) throw unknownBorrower()

  const positions = [...snapshot.positions].sort(byAsset)
  const digest = digestOf(positions)
  const stored = await selectPortfolio(tx, tenantId, borrowerId)
  if (stored && stored.as_of > asOfMicros) return { applied: false, asOfMicros: stored.as_of }
  if (stored?.as_of === asOfMicros) {
    if (stored.digest.equals(digest)) return { applied: true, asOfMicros }
    throw new Refusal('as_of_conflict', 'Another snapshot with this as_of is stored already.')
  }
  await upsertPortfolio(tx, {
    tenant_id: tenantId,
    borrower_id: borrowerId,
    as_of: asOfMicros,
    digest,
    positions: Object.fromEntries(positions.map(({ asset, units }) => [asset, String(units)])),
    received_at: now,
  })
  return { applied: true, asOfMicros }
}

/** The newest snapshot of a borrower; undefined before the first push. */
export async function getPortfolio(
  db: Db,
  tenantId: string,
  borrowerId: string,
): Promise<Portfolio | undefined> {
  const row = await selectPortfolio(db, tenantId, borrowerId)
  if (!row) return undefined
  const positions = Object.entries(row.positions).map(([asset, units]) => ({
    asset,
    units: BigInt(units),
  }))
  return { asOfMicros: row.as_of, receivedAt: row.received_at, positions: positions.sort(byAsset) }
}

function byAsset(a: Position, b: Position): number {
  return a.asset < b.asset ? -1 : a.asset > b.asset ? 1 : 0
}

/** Equal for equal holdings, whatever the order of their rows and however quantities were written. */
function digestOf(positions: readonly Position[]): Buffer {
  const text = positions.map(({ asset, units }) => `${asset}=${units}`).join('\n')
  return hash('sha256', text, 'buffer')
}
