import { minOf, PRICED_ASSETS } from '../../core/money.ts'
import type { Db } from '../../db/database.ts'
import { executeShared } from '../../db/transactions/execute.ts'
import { selectPositionSources } from './queries.ts'
import type { Position } from './valuation.ts'

export type Units = ReadonlyMap<string, bigint>

type Reading = { readAt: Date; units: Units }

export type PositionSources = {
  pushed: {
    asOfMicros: bigint
    receivedAt: Date
    /** Since when these are pushed; undefined: since before any answer. */
    changedAt?: Date | undefined
    units: Units
    /** The least pushed since the custodian's answer, where this push has more of something. */
    least?: Units | undefined
  }
  custodian: Reading | undefined
  /** The custodian's last answer, also one from before this push. */
  confirmed: Reading | undefined
  question: Question
}

/** Whether the push was evaluated, and since when the custodian is asked about it: with something
 * that waits for the answer, and with nothing. */
export type Question = {
  digest: Buffer
  isNew: boolean
  askedSince: Date | undefined
  checkingSince: Date | undefined
}

/** Sold since each source's answer: it may still be in that source's quantities. */
export type Sold = { sincePush: Units; sinceRead: Units; sinceConfirmed: Units }

export type Held = { positions: Position[]; readAt: Date }

export type CountedPositions = {
  positions: Position[]
  /** What counts towards a cure, where it may be less. */
  curing: Position[] | undefined
  pushed: Position[]
  /** The push, where it has more than counts towards a cure and the custodian has not answered. */
  claimed: Position[] | undefined
  /** By the custodian's last answer, or a later reading. */
  held: Held | undefined
  /** Whether that answer is about this push. */
  isAnswered: boolean
}

const NOTHING: Units = new Map()

/** Each source less what was sold since, never below 0. Where the custodian has answered about the
 * push, its newest positions count; otherwise per asset the smaller of the push and what it last
 * answered or was read to hold. Towards a cure, what was pushed on top since does not count. */
export function countPositions(
  { pushed, custodian, confirmed }: Omit<PositionSources, 'question'>,
  sold: Sold = { sincePush: NOTHING, sinceRead: NOTHING, sinceConfirmed: NOTHING },
): CountedPositions {
  const ofPush = leftOf(pushed.units, sold.sincePush)
  const reading = custodian && toHeld(custodian, sold.sinceRead)
  const answer = confirmed && toHeld(confirmed, sold.sinceConfirmed)
  const held = answer && reading && reading.readAt > answer.readAt ? reading : answer
  if (held && isSince(confirmed, pushed.changedAt)) {
    const { positions } = held
    const curing = curingOf(ofPush, positions)
    return { positions, curing, pushed: ofPush, claimed: undefined, held, isAnswered: true }
  }
  const isRead = isSince(custodian, pushed.changedAt)
  const other = (held ?? reading)?.positions
  const positions = other ? smallerOf(ofPush, other) : ofPush
  const least = isRead ? undefined : pushed.least && leftOf(pushed.least, sold.sincePush)
  const curing = least && curingOf(least, positions)
  const claimed = !isRead && isMore(ofPush, curing ?? positions) ? ofPush : undefined
  return { positions, curing, pushed: ofPush, claimed, held, isAnswered: false }
}

function isSince(reading: Reading | undefined, changedAt: Date | undefined): boolean {
  return reading !== undefined && (changedAt === undefined || reading.readAt >= changedAt)
}

function toHeld({ units, readAt }: Reading, sales: Units): Held {
  return { positions: leftOf(units, sales), readAt }
}

/** In assets that may be collateral. */
export function isOther(ones: readonly Position[], others: readonly Position[]): boolean {
  return isMore(ones, others) || isMore(others, ones)
}

/** Of an asset that may be collateral. */
export function isMore(ones: readonly Position[], others: readonly Position[]): boolean {
  const unitsOf = new Map(others.map(({ asset, units }) => [asset, units]))
  return ones.some(
    ({ asset, units }) => PRICED_ASSETS.includes(asset) && units > (unitsOf.get(asset) ?? 0n),
  )
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
  const rows = await executeShared(db, tenantId, selectPositionSources({ tenantId, borrowerIds }))
  return new Map(
    rows.map((row) => [
      row.borrower_id,
      {
        pushed: {
          asOfMicros: row.as_of,
          receivedAt: row.received_at,
          changedAt: row.changed_at ?? undefined,
          units: toUnits(row.positions),
          least: row.least ? toUnits(row.least) : undefined,
        },
        custodian: toReading(row.read, row.read_at),
        confirmed: toReading(row.confirmed, row.confirmed_at),
        question: {
          digest: row.digest,
          isNew: row.is_new,
          askedSince: row.asked_since ?? undefined,
          checkingSince: row.checking_since ?? undefined,
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
