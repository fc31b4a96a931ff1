import fc from 'fast-check'
import { sql } from 'kysely'
import { createCursorCodec } from '../../../src/core/cursor.ts'
import { ONE_PPM } from '../../../src/core/ratio.ts'
import { addMs, HOUR_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { deficitOf } from '../../../src/domain/facilities/closing/recover.ts'
import {
  type Correction,
  listCorrections,
} from '../../../src/domain/facilities/corrections/corrections.ts'
import { outstandingAt, totalDebtCents } from '../../../src/domain/facilities/ledger/debt.ts'
import { redirectRefund } from '../../../src/domain/facilities/refunds/redirect-refund.ts'
import { listRepayments } from '../../../src/domain/repayments/repayments.ts'
import { checkPayment } from '../../../src/domain/repayments/returns/check-payment.ts'
import { applySuspense, returnSuspense } from '../../../src/domain/repayments/suspense.ts'
import { testKey } from '../stores/sealer.ts'
import { correct } from './corrections.ts'
import { type Lending, read } from './lending.ts'
import { bringBack, callBack } from './returns.ts'
import { openOf } from './sealed.ts'

// What a lender's hard days bring, as steps of random histories.

const cursors = createCursorCodec([testKey('test')])
const nth = fc.nat({ max: 20 })

export const hardDays = {
  giveBack: fc.record({
    kind: fc.constant('give back' as const),
    what: fc.constantFrom('repayments', 'repayments', 'draws', 'refunds'),
    nth,
    hoursAgo: fc.constantFrom(0, 0, 30, 800),
    isWhole: fc.boolean(),
  }),
  decide: fc.record({
    kind: fc.constant('decide' as const),
    how: fc.constantFrom('apply', 'return'),
  }),
  redirect: fc.record({ kind: fc.constant('redirect' as const) }),
  correct: fc.record({
    kind: fc.constant('correct' as const),
    what: fc.constantFrom(
      ...(['waive_interest', 'waive_interest', 'credit', 'rate', 'rate', 'undo', 'undo'] as const),
      ...(['undo', 'forbearance', 'write_off'] as const),
    ),
    sharePpm: fc.bigInt(1n, 1_000_000n),
    nth,
    hoursAgo: fc.integer({ min: 0, max: 1_500 }),
  }),
} as const

type StepOf<Name extends keyof typeof hardDays> =
  (typeof hardDays)[Name] extends fc.Arbitrary<infer T> ? T : never

/** By how many cents a message or an undo has raised the debt, and when. */
export type Brought = { at: Date; cents: bigint }

const TABLES = {
  repayments: { id: 'repayment_id', done: ['APPLIED', 'FAILED'] },
  draws: { id: 'draw_id', done: ['COMPLETED'] },
  refunds: { id: 'refund_id', done: ['PAID'] },
} as const

/** Of a draw it may be less than the whole. A second call about it changes nothing. */
export async function giveOneBack(
  lending: Lending,
  facilityId: string,
  { what, nth: index, hoursAgo, isWhole }: StepOf<'giveBack'>,
): Promise<Brought | undefined> {
  const { id: column, done } = TABLES[what]
  const { rows } = await sql<{ id: string; asset: string; units: bigint }>`
    SELECT ${sql.ref(column)} AS id, asset, amount_units AS units FROM ${sql.table(what)}
    WHERE facility_id = ${facilityId} AND status = ANY (${[...done]}::text[])
    ORDER BY 1`.execute(lending.db)
  const one = rows[index % Math.max(1, rows.length)]
  if (!one) return undefined
  const { id, asset, units } = one
  const part = what === 'draws' && !isWhole ? { amount: { asset, units: (units + 1n) / 2n } } : {}
  const returnedAt = addMs(lending.now(), -hoursAgo * HOUR_MS)
  await bringBack(lending, id, { ...part, returnedAt })
  const check = () => checkPayment(lending.context, lending.tenantId, id).catch(() => undefined)
  const brought = await measureBrought(lending, facilityId, check)
  await callBack(lending, id)
  return brought
}

async function measureBrought(
  lending: Lending,
  facilityId: string,
  act: () => Promise<unknown>,
): Promise<Brought | undefined> {
  const at = lending.now()
  const owed = async () => totalDebtCents((await read(lending, facilityId)).debt, at)
  const before = await owed()
  await act()
  const cents = (await owed()) - before
  return cents > 0n ? { at, cents } : undefined
}

/** Two operators apply or return what is in suspense. */
export async function decideSuspense(
  lending: Lending,
  facilityId: string,
  how: 'apply' | 'return',
): Promise<void> {
  const { db, tenantId } = lending
  const page = await listRepayments(db, { tenantId, facilityId }, { limit: 100 }, cursors)
  for (const { id, inSuspense, splitFrom } of page.items) {
    const isApplied = page.items.some((one) => one.splitFrom === id)
    if (!inSuspense || splitFrom) continue
    await inTransaction(db, (tx) =>
      how === 'apply' && !isApplied
        ? applySuspense(lending.within(tx), id)
        : returnSuspense(lending.within(tx), id, 'account-9'),
    )
  }
}

export async function redirectAll(lending: Lending, facilityId: string): Promise<void> {
  const { db } = lending
  const rows = await db
    .selectFrom('refunds')
    .select(['refund_id', 'destination'])
    .where('facility_id', '=', facilityId)
    .where('awaits_redirect', '=', true)
    .where('status', '=', 'PENDING')
    .execute()
  for (const { refund_id: id, destination } of rows) {
    const from = await openOf(db, { tenantId: lending.tenantId, facilityId }, destination)
    const to = { destination: `${from}1`, reason: 'letter of the borrower' }
    await inTransaction(db, (tx) => redirectRefund(lending.within(tx), id, to))
  }
}

/** Two operators correct a part of what is owed, the rate from a day on, or a correction from before. */
export async function correctOne(
  lending: Lending,
  facilityId: string,
  step: StepOf<'correct'>,
): Promise<Brought | undefined> {
  const correction = await correctionOf(lending, facilityId, step)
  if (!correction) return undefined
  return await measureBrought(lending, facilityId, () =>
    correct(lending, facilityId, correction, 'answer if there'),
  )
}

/** Undefined where nothing is there to correct. */
async function correctionOf(
  lending: Lending,
  facilityId: string,
  { what, sharePpm, nth: index, hoursAgo }: StepOf<'correct'>,
): Promise<Correction | undefined> {
  const { db, tenantId } = lending
  const facility = await read(lending, facilityId)
  const now = lending.now()
  const owed = facility.chargedOff ? deficitOf(facility) : outstandingAt(facility.debt, now)
  const partOf = (whole: bigint) => (whole * sharePpm) / ONE_PPM
  switch (what) {
    case 'waive_interest':
    case 'credit': {
      const cents = partOf(what === 'credit' ? owed.principalCents : owed.interestCents)
      return cents > 0n ? { kind: what, cents } : undefined
    }
    case 'rate': {
      const ratePpm = partOf(facility.debt.ratePpm)
      return { kind: what, ratePpm, from: addMs(now, -hoursAgo * HOUR_MS) }
    }
    case 'undo': {
      const all = await listCorrections(db, { tenantId, id: facilityId })
      const correctionId = all[index % Math.max(1, all.length)]?.id
      return correctionId === undefined ? undefined : { kind: what, correctionId }
    }
    case 'forbearance':
      return { kind: what, until: addMs(now, (hoursAgo + 1) * HOUR_MS) }
    case 'write_off':
      return { kind: what }
    default: {
      const unreachable: never = what
      return unreachable
    }
  }
}
