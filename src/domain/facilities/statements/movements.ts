import type { Amount } from '../../../core/money.ts'
import type { EntryRow, PartRow } from './statement-queries.ts'

export const MOVEMENT_TYPES = [
  'draw',
  'repayment',
  'sale',
  'waiver',
  'charge_off',
  'recovery',
  'misdelivery',
  'suspense',
  'suspense_return',
  'repayment_return',
  'draw_return',
  'correction',
  'refund',
  'refund_return',
] as const

export type MovementType = (typeof MOVEMENT_TYPES)[number]

/** Cents: what it adds to the debt, to what is owed back and to what is recovered. */
export type Movement = {
  type: MovementType
  /** Of a draw or repayment its id; `sale/1/2` is the second sale of margin call 1. */
  sourceId: string
  valueAt: Date
  bookedAt: Date | undefined
  principalCents: bigint
  interestCents: bigint
  refundDueCents: bigint
  recoveredCents: bigint
  /** Received, or negative where paid out. */
  money: Amount | undefined
}

/** In order of their value dates. What a late payment changes of others is a correction. */
export function listMovements(entries: readonly EntryRow[], parts: readonly PartRow[]): Movement[] {
  const byId = new Map(entries.map((entry) => [entry.entry_id, entry]))
  const own = entries.flatMap((entry) => toMovement(entry, byId) ?? [])
  const booked = sumBy(own, ({ sourceId, valueAt, principalCents }) => [
    keyOf(sourceId, valueAt),
    principalCents,
  ])
  const moved = sumBy(parts, (part) => [keyOf(part.source_id, part.effective_at), part.delta_cents])
  const places = new Map<string, Pick<Movement, 'sourceId' | 'valueAt' | 'bookedAt'>>()
  for (const { sourceId, valueAt, bookedAt } of own) {
    places.set(keyOf(sourceId, valueAt), { sourceId, valueAt, bookedAt })
  }
  for (const { source_id: sourceId, effective_at: valueAt, booked_at } of parts) {
    const bookedAt = booked_at ?? undefined
    const key = keyOf(sourceId, valueAt)
    if (!places.has(key)) places.set(key, { sourceId, valueAt, bookedAt })
  }
  const corrections = [...places].flatMap(([key, place]) => {
    const cents = (moved.get(key) ?? 0n) - (booked.get(key) ?? 0n)
    return cents === 0n ? [] : [correction(place, cents)]
  })
  return [...own, ...corrections].sort(compare)
}

function toMovement(entry: EntryRow, entries: ReadonlyMap<string, EntryRow>): Movement | undefined {
  const { kind, entry_id: id } = entry
  const sourceId = id.replace(
    /^(correction\/)?(draw|repayment|excess|refund|suspended|returned)\//,
    '',
  )
  const dates = { valueAt: entry.value_at, bookedAt: entry.booked_at }
  const owed = { refundDueCents: entry.refund_due, recoveredCents: entry.recovered }
  const debt = { principalCents: entry.principal, interestCents: entry.interest }
  const shown = { sourceId, ...dates, ...debt, ...owed, money: moneyOf(entry) }
  switch (kind) {
    case 'draw':
    case 'repayment':
    case 'waiver':
    case 'charge_off':
    case 'recovery':
    case 'suspense':
    case 'suspense_return':
    case 'repayment_return':
    case 'draw_return':
    case 'refund':
    case 'refund_return':
      return { type: kind, ...shown }
    case 'transfer_return':
      return { type: 'repayment_return', ...shown }
    case 'draw_recovery':
      return { type: 'draw_return', ...shown }
    case 'charge_off_correction':
    case 'waiver_return':
    case 'waive_interest':
    case 'credit':
    case 'payout':
    case 'refund_cancel':
    case 'refund_loss':
      return { type: 'correction', ...shown, sourceId: withoutNumber(sourceId) }
    case 'misdelivery': {
      const refundDueCents = entries.get(`suspense/${sourceId}`)?.refund_due ?? entry.refund_due
      return { type: kind, ...shown, refundDueCents }
    }
    case 'proceeds': {
      const sale = id.replace(/\/applied$/, '')
      const money = entries.get(sale)
      return { type: 'sale', ...shown, sourceId: sale, money: money && moneyOf(money) }
    }
    case 'sale':
      // Its debt is in the entry that applies the proceeds, except in one of an earlier release.
      return entries.has(`${id}/applied`) ? undefined : { type: 'sale', ...shown }
    case 'misdelivery_refund':
      return undefined
    default:
      return toCorrection({ type: 'correction', ...shown })
  }
}

/** Corrections are numbered; what they follow is the source of all of them. */
function withoutNumber(sourceId: string): string {
  return /^(?:charge_off\/|correction\/)?(.*[^/])\/\d+$/.exec(sourceId)?.[1] ?? sourceId
}

function toCorrection(shown: Movement): Movement | undefined {
  const sourceId = withoutNumber(shown.sourceId)
  if (sourceId !== shown.sourceId) return { ...shown, sourceId }
  // One of an earlier release is a single entry: its principal is where its parts are.
  const interestCents = shown.interestCents + shown.principalCents
  if (interestCents === 0n && shown.refundDueCents === 0n) return undefined
  return { ...shown, principalCents: 0n, interestCents }
}

function moneyOf({ money_asset: asset, money_units: units }: EntryRow): Amount | undefined {
  return asset === null || units === 0n ? undefined : { asset, units }
}

function correction(
  place: Pick<Movement, 'sourceId' | 'valueAt' | 'bookedAt'>,
  cents: bigint,
): Movement {
  const moved = { principalCents: cents, interestCents: -cents }
  const rest = { refundDueCents: 0n, recoveredCents: 0n, money: undefined }
  return { type: 'correction', ...place, ...moved, ...rest }
}

const keyOf = (sourceId: string, at: Date) => `${at.getTime()} ${sourceId}`

function sumBy<T>(items: readonly T[], read: (item: T) => [string, bigint]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const item of items) {
    const [key, cents] = read(item)
    sums.set(key, (sums.get(key) ?? 0n) + cents)
  }
  return sums
}

function compare(a: Movement, b: Movement): number {
  return (
    a.valueAt.getTime() - b.valueAt.getTime() ||
    MOVEMENT_TYPES.indexOf(a.type) - MOVEMENT_TYPES.indexOf(b.type) ||
    compareTexts(a.sourceId, b.sourceId)
  )
}

/** Equal ones keep the order in which they were read: a page may end between them. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
