import type { Amount } from '../../core/money.ts'

export type BreakKind = 'missing_here' | 'missing_there' | 'other_amount' | 'other_day'

export type BreakArea = 'bank' | 'wallet' | 'collateral'

/** Signed: positive came in. */
export type Line = {
  transferId: string
  /** The movement of ours that it belongs to, as far as it says so (`subjects.ts`). */
  key: string | undefined
  amount: Amount
  /** In the provider's time zone. */
  day: string
}

/** A movement of money in our books. The amount is signed: positive came in. */
export type Movement = {
  key: string
  facilityId: string
  amount: Amount
  /** The days, in the provider's time zone, on any of which the provider may have booked it. Undefined:
   * any day before `to`. */
  from: string | undefined
  to: string
}

export type Finding = {
  kind: BreakKind
  area: BreakArea
  /** The id of the transfer, or our key of the movement. */
  itemId: string
  facilityId: string | undefined
  day: string
  /** `ours` and `theirs` are stored as JSON. Undefined: the side has nothing. */
  ours: object | undefined
  theirs: object | undefined
}

type Pair = { line: Line | undefined; movement: Movement | undefined }

/** Compares the lines of one day, and the movements that are due on it, with each other and with what
 * belongs to them on other days. `lines` and `movements` hold both. A pair is compared once, on the later of
 * its two days. `unmatched`: all that has no counterpart, of whatever day. */
export function matchTransfers(
  day: string,
  { lines, movements }: { lines: readonly Line[]; movements: readonly Movement[] },
): { findings: Finding[]; unmatched: Finding[] } {
  const movementOf = new Map(movements.map((one) => [one.key, one]))
  const lineOf = new Map<string, Line>()
  const extra: Line[] = []
  for (const line of lines) {
    if (line.key === undefined || lineOf.has(line.key)) extra.push(line)
    else lineOf.set(line.key, line)
  }
  const keys = new Set([...movementOf.keys(), ...lineOf.keys()])
  const pairs: Pair[] = [...keys].map((key) => ({
    line: lineOf.get(key),
    movement: movementOf.get(key),
  }))
  for (const line of extra) pairs.push({ line, movement: undefined })
  const standing = pairs.filter((pair) => !isUndone(pair, { lineOf, movementOf }))
  return {
    findings: standing.filter((pair) => comparedOn(pair) === day).flatMap(comparePair),
    unmatched: standing.filter(({ line, movement }) => !line || !movement).flatMap(comparePair),
  }
}

function comparedOn({ line, movement }: Pair): string {
  const days = [line?.day ?? '', movement?.to ?? '']
  return days.sort().at(-1) ?? ''
}

const RETURN = 'return/'

/** The provider has done it and taken it back before we knew: we booked neither. */
function isUndone(
  { line, movement }: Pair,
  all: { lineOf: ReadonlyMap<string, Line>; movementOf: ReadonlyMap<string, Movement> },
): boolean {
  if (movement || !line?.key) return false
  const { key } = line
  const otherKey = key.startsWith(RETURN) ? key.slice(RETURN.length) : `${RETURN}${key}`
  const other = all.lineOf.get(otherKey)
  if (!other || all.movementOf.has(otherKey)) return false
  return other.amount.asset === line.amount.asset && other.amount.units === -line.amount.units
}

function comparePair({ line, movement }: Pair): Finding[] {
  const asset = (line ?? movement)?.amount.asset
  const shared = {
    area: asset === 'USD' ? ('bank' as const) : ('wallet' as const),
    itemId: movement?.key ?? line?.transferId ?? '',
    facilityId: movement?.facilityId,
    day: movement?.to ?? line?.day ?? '',
    ours: movement && { ...toJson(movement.amount), from: movement.from, to: movement.to },
    theirs: line && { ...toJson(line.amount), day: line.day, transfer_id: line.transferId },
  }
  if (!movement) return [{ kind: 'missing_here', ...shared }]
  if (!line) return [{ kind: 'missing_there', ...shared }]
  const isSame =
    line.amount.asset === movement.amount.asset && line.amount.units === movement.amount.units
  if (!isSame) return [{ kind: 'other_amount', ...shared }]
  const isInTime =
    (movement.from === undefined || line.day >= movement.from) && line.day <= movement.to
  return isInTime ? [] : [{ kind: 'other_day', ...shared }]
}

const toJson = ({ asset, units }: Amount) => ({ asset, units: String(units) })

/** Balances at the end of a day follow from those of the day before and the transfers of the day. */
export function matchBalances(
  day: string,
  given: {
    before: readonly Amount[]
    after: readonly Amount[]
    moved: readonly Amount[]
  },
): Finding[] {
  const before = sumByAsset(given.before)
  const moved = sumByAsset(given.moved)
  return given.after.flatMap(({ asset, units }) => {
    // Without one of the day before, as of an asset that is new, it is where the next begins.
    const start = before.get(asset)
    if (start === undefined) return []
    const expected = start + (moved.get(asset) ?? 0n)
    if (units === expected) return []
    return [
      {
        kind: 'other_amount' as const,
        area: asset === 'USD' ? ('bank' as const) : ('wallet' as const),
        itemId: `balance/${asset}`,
        facilityId: undefined,
        day,
        ours: toJson({ asset, units: expected }),
        theirs: toJson({ asset, units }),
      },
    ]
  })
}

function sumByAsset(amounts: readonly Amount[]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { asset, units } of amounts) sums.set(asset, (sums.get(asset) ?? 0n) + units)
  return sums
}
