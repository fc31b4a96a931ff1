import { minOf } from '../../core/money.ts'
import type { Db } from '../../db/database.ts'
import { selectPositionSources } from './queries.ts'
import type { Position } from './valuation.ts'

export type Units = ReadonlyMap<string, bigint>

type Reading = { readAt: Date; units: Units }

export type PositionSources = {
  pushed: { asOfMicros: bigint; receivedAt: Date; units: Units }
  custodian: Reading | undefined
  /** The custodian's answer about this push. */
  confirmed: Reading | undefined
  question: Question
}

/** Whether the push was evaluated, and since when the custodian is asked about it. */
export type Question = { digest: Buffer; isNew: boolean; askedSince: Date | undefined }

/** Sold since each source's answer: it may still be in that source's quantities. */
export type Sold = { sincePush: Units; sinceRead: Units; sinceConfirmed: Units }

export type CountedPositions = {
  positions: Position[]
  /** What counts towards a cure, where it may be less. */
  curing: Position[] | undefined
  pushed: Position[]
}

const NOTHING: Units = new Map()

/** Each source less what was sold since, never below 0. Where the custodian has answered about the
 * push, its newest positions count, towards a cure the smaller of both per asset; otherwise per
 * asset the smaller of the push and the reading, if there is one. */
export function countPositions(
  { pushed, custodian, confirmed }: Omit<PositionSources, 'question'>,
  sold: Sold = { sincePush: NOTHING, sinceRead: NOTHING, sinceConfirmed: NOTHING },
): CountedPositions {
  const ofPush = leftOf(pushed.units, sold.sincePush)
  const ofReading = custodian && leftOf(custodian.units, sold.sinceRead)
  if (!confirmed) {
    const positions = ofReading ? smallerOf(ofPush, ofReading) : ofPush
    return { positions, curing: undefined, pushed: ofPush }
  }
  const isReadSince = custodian && custodian.readAt > confirmed.readAt
  const positions =
    isReadSince && ofReading ? ofReading : leftOf(confirmed.units, sold.sinceConfirmed)
  return { positions, curing: curingOf(ofPush, positions), pushed: ofPush }
}

/** Per asset the smaller of both; undefined where that is all that the custodian holds. */
export function curingOf(
  pushed: readonly Position[],
  held: readonly Position[],
): Position[] | undefined {
  const smaller = smallerOf(held, pushed)
  return smaller.every(({ units }, at) => units === held[at]?.units) ? undefined : smaller
}

function leftOf(units: Units, sales: Units): Position[] {
  return [...units.keys()].sort().map((asset) => {
    const rest = (units.get(asset) ?? 0n) - (sales.get(asset) ?? 0n)
    return { asset, units: rest > 0n ? rest : 0n }
  })
}

/** Per asset of the first; what only one has is not counted. */
function smallerOf(ones: readonly Position[], others: readonly Position[]): Position[] {
  const unitsOf = new Map(others.map(({ asset, units }) => [asset, units]))
  return ones.map(({ asset, units }) => ({ asset, units: minOf(units, unitsOf.get(asset) ?? 0n) }))
}

export async function loadPositionSources(
  db: Db,
  tenantId: string,
  borrowerIds: readonly string[],
): Promise<Map<string, PositionSources>> {
  const rows = await selectPositionSources(db, tenantId, borrowerIds)
  return new Map(
    rows.map((row) => [
      row.borrower_id,
      {
        pushed: {
          asOfMicros: row.as_of,
          receivedAt: row.received_at,
          units: toUnits(row.positions),
        },
        custodian: toReading(row.read, row.read_at),
        confirmed: toReading(row.confirmed, row.confirmed_at),
        question: {
          digest: row.digest,
          isNew: row.is_new,
          askedSince: row.asked_since ?? undefined,
        },
      },
    ]),
  )
}

function toReading(
  positions: Record<string, string> | null,
  readAt: Date | null,
): Reading | undefined {
  return positions && readAt ? { readAt, units: toUnits(positions) } : undefined
}

function toUnits(positions: Record<string, string>): Units {
  return new Map(Object.entries(positions).map(([asset, units]) => [asset, BigInt(units)]))
}
