import { newId } from '../../core/ids.ts'
import { type Amount, formatQuantity } from '../../core/money.ts'
import type { PaymentAnswer, Payments, Receipt } from '../../domain/facilities/ports.ts'
import { createHttpPayments } from '../vendors/payments-http.ts'
import {
  type Act,
  type Played,
  playCancelled,
  playDone,
  playPending,
  playRefused,
  playReturned,
  playTampering,
} from './acts.ts'
import { checkDays, type Moved, readDay } from './day-check.ts'
import { NotShown, Wrong } from './rules.ts'
import { assertSame, describeAnswer, idsOf, type Run } from './run.ts'

type Payout = PaymentAnswer<{ reference: string }>
type Confirmed = PaymentAnswer<{ receipt: Receipt | undefined }>
type Moves = { moved: Moved[]; forbidden: string[] }
type Returnable = { isReturned?: boolean }

/** Each call moves another amount of cents, so that an answer for another call is noticed. */
const centsOf = (number: number): Amount => ({ asset: 'USD', units: BigInt(100 + number) })

/** Plays every call of docs/provider-payments.md. */
export async function checkPayments(run: Run, tenantId: string): Promise<void> {
  const payments = createHttpPayments(run.client)
  const ask = { run, payments, tenantId }
  const before = await run.step('days', 'before anything moves', () => readDay(ask))
  const moves: Moves = { moved: [], forbidden: [] }
  await playPayouts(run, tenantId, moves)
  await playReceipts(run, tenantId, moves)
  if (before) await checkDays(ask, before, moves)
}

async function playPayouts(run: Run, tenantId: string, { moved, forbidden }: Moves): Promise<void> {
  const payments = createHttpPayments(run.client)
  const idOf = idsOf('drw')
  const callOf = (number: number, tag = ''): Parameters<Payments['payOut']>[0] => ({
    ...{ tenantId, callId: idOf(number), realNow: run.clock() },
    ...{ amount: centsOf(number), destination: `svc-check${tag}` },
  })
  const act: Act<Payout> = {
    ...{ call: 'payouts', idOf },
    ask: (number, tag) => payments.payOut(callOf(number, tag)),
    verify: (answer, number) => {
      if (answer.status === 'returned') assertAmount(answer.amount, centsOf(number))
    },
  }
  const note = (played: (Played<Payout> & Returnable) | undefined) => {
    if (!played) return
    const { number, isReturned: isBack = false } = played
    const { asset, units } = centsOf(number)
    moved.push({ what: 'payout', callId: idOf(number), amount: { asset, units: -units }, isBack })
  }
  const paid = await playDone(run, act)
  note(paid)
  note(paid?.twice)
  if (paid) {
    await run.step('cancellations', 'of a payout that was made', async () => {
      const again = await run.settle(() => payments.cancelPayOut(callOf(paid.number)))
      assertSame(paid.answer, again, 'known')
    })
  }
  const refused = await playRefused(run, act)
  if (refused) forbidden.push(idOf(refused.number))
  note(await playPending(run, act))
  note(await playReturned(run, act))
  const cancelled = run.next()
  forbidden.push(idOf(cancelled))
  await playCancelled(run, {
    ...{ call: 'cancellations', late: 'payouts' },
    cancel: () => payments.cancelPayOut(callOf(cancelled)),
    act: () => payments.payOut(callOf(cancelled)),
  })
  const tampered = await playTampering(run, 'payouts', (client, number) =>
    createHttpPayments(client).payOut(callOf(number)),
  )
  forbidden.push(...tampered.map(idOf))
}

async function playReceipts(run: Run, tenantId: string, { moved }: Moves): Promise<void> {
  const payments = createHttpPayments(run.client)
  const repaymentOf = idsOf('rep')
  const mark = newId('rep').slice(-8)
  const ask = (number: number, tag: string, attempt = 0): Promise<Confirmed> =>
    payments.confirmReceipt({
      ...{ tenantId, callId: `${repaymentOf(number)}/${attempt}`, realNow: run.clock() },
      ...{ reference: `svc-check-${mark}-${number}${tag}`, claimed: centsOf(number) },
    })
  const idOf = (number: number) => `${repaymentOf(number)}.0`
  const act: Act<Confirmed> = { call: 'receipts', idOf, ask, verify: assertReceived }
  const note = (played: (Played<Confirmed> & Returnable) | undefined) => {
    const receipt = played && receiptOf(played.answer)
    if (!receipt) return
    const { transferId, amount } = receipt
    const isBack = played.isReturned ?? false
    moved.push({ what: 'receipt', callId: idOf(played.number), transferId, amount, isBack })
  }
  const received = await playDone(run, act)
  note(received)
  note(received?.twice)
  if (received) {
    await run.step('receipts', 'of the same reference, under another id', async () => {
      const again = receiptOf(await run.settle(() => ask(received.number, '', 1)))
      const before = receiptOf(received.answer)
      if (again?.transferId === before?.transferId) return
      throw new Wrong(
        `names transfer ${again?.transferId}, before ${before?.transferId}`,
        'transfer',
      )
    })
  }
  await run.step('receipts', 'of nothing', async () => {
    const number = run.next()
    const answer = await run.settle(() => ask(number, '+none'))
    if (answer.status === 'done' && answer.receipt === undefined) return
    throw new NotShown(`answered ${describeAnswer(answer)}: the tag +none is not known`)
  })
  note(await playPending(run, act))
  note(await playReturned(run, act))
}

const receiptOf = (answer: Confirmed) => (answer.status === 'done' ? answer.receipt : undefined)

function assertReceived(answer: Confirmed, number: number): void {
  const moved = answer.status === 'returned' ? answer : receiptOf(answer)
  if (!moved) throw new Wrong('received nothing of what was claimed', 'plain')
  assertAmount(moved.amount, centsOf(number))
}

function assertAmount(given: Amount, wanted: Amount): void {
  if (given.asset === wanted.asset && given.units === wanted.units) return
  throw new Wrong(`names ${show(given)}, and ${show(wanted)} were moved`, 'claimed')
}

const show = (amount: Amount) => `${formatQuantity(amount)} ${amount.asset}`
