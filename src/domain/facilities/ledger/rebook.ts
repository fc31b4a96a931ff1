import type { Rates } from '../../../core/interest.ts'
import { laterOf, monthStart } from '../../../core/time.ts'
import { reopen } from '../closing/reopen.ts'
import { ratesOf, withRates } from '../corrections/rates.ts'
import type { Facility } from '../facilities.ts'
import type { LockedFacility } from '../locked-facility.ts'
import { type AccruedDebt, accrue, accrueMonths, type Debt, totalDebtCents } from './debt.ts'
import { type DebtEvent, NO_STEP, type Step } from './debt-account.ts'
import { easeDebt } from './eased.ts'
import { loadHistory, takenBackId } from './history.ts'
import type { Posting } from './journal.ts'
import { type FurtherEntry, type PrincipalPart, recordMovement } from './ledger.ts'
import { type BookedEntry, type Replay, replay } from './replay.ts'

/** `money` are the lines beside those of the debt; `sourceId` names it among the movements of principal. */
type OwnEntry = { kind: string; sourceId: string; money: readonly Posting[] }

export type Rebooking = {
  /** 'repayment/rep_…': correcting entries are named after it and numbered. */
  cause: string
  /** Of the corrections, among the movements of principal. */
  sourceId: string
  add?: readonly (OwnEntry & { event: DebtEvent })[]
  /** Ids of entries that are taken back. */
  remove?: readonly (OwnEntry & { id: string })[]
  /** In place of those in force until now. */
  rates?: Rates
  /** Entries that belong to it and are not about the debt. */
  further?: readonly FurtherEntry[]
}

export type Rebooked = { rebooked: LockedFacility; replayed: Replay }

/** Books a change of the past: what is added and taken back at its value date, and what it changes of
 * later entries as correcting entries. All are posted now; a closed month takes none. A closing that it
 * leaves unpaid is undone: the waiver is taken back, and a facility that is CLOSED is charged off. What
 * is owed back afterwards is `replayed.owedBackCents`: the caller balances the refunds. */
export async function rebook(locked: LockedFacility, rebooking: Rebooking): Promise<Rebooked> {
  const { rates = ratesOf(locked.facility) } = rebooking
  const booked = await loadBooked(locked, rates)
  const { add = [], remove = [], ...rest } = endClosing(locked, booked, rebooking)
  const { facility, now } = locked
  const latest = latestOf(booked, add)
  // From then on the rate in force is the only one.
  const until = rebooking.rates ? laterOf(latest, now) : latest
  const change = { add: add.map(({ event }) => event), remove: remove.map(({ id }) => id) }
  const replayed = replay(booked.history, change, { ratePpm: booked.ratePpm, until })
  const own = [
    ...add.map((one) => ({ ...one, id: one.event.id, step: replayed.stepOf(one.event.id) })),
    ...remove.map((one) => {
      return { ...one, id: takenBackId(one.id), step: replayed.reversalOf(one.id) }
    }),
  ]
  const movement = toMovement(locked, { ...rest, own }, replayed)
  const inForce = { ...facility.debt, ratePpm: rates.ratePpm }
  const debt = toDebt(inForce, replayed.debt, until)
  const eased = easeDebt(facility, debt, now)
  const moved = await recordMovement(locked, { ...movement, debt, eased })
  const isUndone = facility.closeReason === 'repaid' && isUnpaid(moved.facility)
  return { rebooked: isUndone ? await reopen(moved) : moved, replayed }
}

/** What is still owed though the closing was for a debt repaid, or was charged off in its place. */
function isUnpaid({ debt, chargedOff }: Facility): boolean {
  return chargedOff !== undefined || totalDebtCents(debt, debt.accruedAt) > 0n
}

/** With nothing more owed than the closing has waived, it stays as it is. */
function endClosing(
  { facility, now }: LockedFacility,
  booked: Booked,
  rebooking: Rebooking,
): Rebooking {
  if (facility.closeReason !== 'repaid') return rebooking
  const { add = [], remove = [] } = rebooking
  const waivers = booked.history.filter(({ event }) => event?.kind === 'waiver')
  const change = {
    add: add.map(({ event }) => event),
    remove: [...remove, ...waivers].map(({ id }) => id),
  }
  const { debt } = replay(booked.history, change, { ratePpm: booked.ratePpm, until: now })
  const owed = totalDebtCents(toDebt(facility.debt, debt, now), now)
  const waived = waivers.reduce(
    (sum, { step }) => sum + step.interestCents + step.principalCents,
    0n,
  )
  if (owed <= waived) return rebooking
  const event = { id: 'charge_off', kind: 'charge_off', valueAt: now } as const
  const chargeOff = { event, kind: 'charge_off', sourceId: 'charge_off', money: [] }
  return {
    ...rebooking,
    remove: [
      ...remove,
      ...waivers.map(({ id }) => ({
        id,
        kind: 'waiver_return',
        sourceId: takenBackId(id),
        money: [],
      })),
    ],
    add: facility.state === 'CLOSED' ? [...add, chargeOff] : add,
  }
}

type Stepped = OwnEntry & { id: string; step: Step }

function toMovement(
  { facility }: LockedFacility,
  { cause, sourceId, own, rates, further = [] }: Rebooking & { own: readonly Stepped[] },
  { corrections, chargedOff }: Replay,
) {
  const numbered = corrections.map((step, index) => ({
    step,
    id: `${cause}/${index + 1}`,
    sourceId,
  }))
  const [first, ...rest] = [
    ...own.map(({ id, kind, step, money }) => {
      return { id, kind, valueAt: step.valueAt, postings: linesOf(step, money) }
    }),
    ...further,
    ...numbered.map(({ id, step }) => ({
      ...(step.isChargeOff
        ? { id: `charge_off/${id}`, kind: 'charge_off_correction' }
        : { id: `correction/${id}`, kind: 'correction' }),
      valueAt: step.valueAt,
      postings: linesOf(step, []),
    })),
  ]
  const steps = [...own, ...numbered]
  // A rate may change nothing that is booked.
  const { id, ...main } = first ?? { id: cause, kind: 'correction', postings: [] }
  return {
    ...main,
    cause: id,
    rates,
    further: rest,
    principal: steps.map(toPart),
    reservedCents: facility.reservedCents,
    refundDueCents: steps.reduce(
      (sum, { step }) => sum + step.refundCents,
      facility.refundDueCents,
    ),
    chargedOff,
    accruals: numbered.map(({ id: number, step }) => {
      return { id: `interest/${number}`, valueAt: step.valueAt, cents: step.accruedCents }
    }),
  }
}

type Booked = { history: BookedEntry[]; ratePpm: bigint; accruedAt: Date }

/** A month that has ended may be closed: none of its interest is left to book. */
async function loadBooked(
  { tx, tenantId, facility, now }: LockedFacility,
  rates: Rates,
): Promise<Booked> {
  const { months, debt } = accrueMonths(facility.debt, monthStart(now))
  const booked = await loadHistory(tx, tenantId, facility.id)
  const ended = months.map(({ id, cents, postedAt }) => {
    return { id, step: { ...NO_STEP, valueAt: postedAt, accruedCents: cents } }
  })
  return { ...withRates([...booked, ...ended], rates), accruedAt: debt.accruedAt }
}

function latestOf({ history, accruedAt }: Booked, add: NonNullable<Rebooking['add']>): Date {
  const events = [...history, ...add].flatMap(({ event }) => event ?? [])
  return events.reduce((latest, { valueAt }) => laterOf(valueAt, latest), accruedAt)
}

function toDebt(debt: Debt, replayed: Replay['debt'], until: Date): AccruedDebt {
  return accrue({ ...debt, ...replayed, accruedAt: until }, until)
}

/** What the lines do not sum to is written off. */
function linesOf(step: Step, money: readonly Posting[]): Posting[] {
  const lines: Posting[] = [
    ...money,
    { account: 'interest_receivable', asset: 'USD', units: -step.interestCents },
    { account: 'loans_receivable', asset: 'USD', units: -step.principalCents },
    { account: 'refunds_payable', asset: 'USD', units: -step.refundCents },
    { account: 'recoveries', asset: 'USD', units: -step.recoveredCents },
  ]
  const cents = lines.reduce((sum, line) => sum + (line.asset === 'USD' ? line.units : 0n), 0n)
  return [...lines, { account: 'write_offs', asset: 'USD', units: -cents }]
}

function toPart({ sourceId, step }: { sourceId: string; step: Step }): PrincipalPart {
  return { sourceId, effectiveAt: step.valueAt, deltaCents: -step.principalCents }
}
