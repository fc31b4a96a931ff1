import type { Amount } from '../../../src/core/money.ts'
import { addDays, addMs, dayIn, SECOND_MS, startOfDay } from '../../../src/core/time.ts'
import type { Payments } from '../../../src/domain/facilities/ports.ts'

export type BankLine = {
  transferId: string
  /** Positive came in. */
  amount: Amount
  callId: string | undefined
  returns: string | undefined
  at: Date
}

/** What the treasury's accounts have seen. Tests change it as a bank may. */
export type Bank = {
  timeZone: string
  lines: BankLine[]
  /** Transfers in a page. */
  pageSize: number
}

export function createBank(): Bank {
  return { timeZone: 'UTC', lines: [], pageSize: 1_000 }
}

export function noteLine(
  { lines }: Bank,
  line: { transferId: string; amount: Amount; callId: string; returns?: string; at: Date },
): void {
  if (line.amount.units === 0n || lines.some((one) => one.transferId === line.transferId)) return
  lines.push({ returns: undefined, ...line, callId: line.callId.replaceAll('/', '.') })
}

const OPENING = 10n ** 15n

/** What it lists of a day, once that has ended. */
export function listDay(
  bank: Bank,
  now: Date,
  call: Parameters<Payments['listDay']>[0],
): Awaited<ReturnType<Payments['listDay']>> {
  const { timeZone, lines, pageSize } = bank
  const end = startOfDay(timeZone, addDays(call.day, 1))
  if (now < end) return { status: 'pending', askAgainAt: addMs(call.realNow, 60 * SECOND_MS) }
  const ofDay = lines
    .filter((line) => dayIn(timeZone, line.at) === call.day)
    .sort((a, b) => (a.transferId < b.transferId ? -1 : 1))
    .filter((line) => call.after === undefined || line.transferId > call.after)
  const page = ofDay.slice(0, pageSize)
  const balances = ['USD', 'USDC'].map((asset) => ({
    asset,
    units: lines
      .filter((line) => line.amount.asset === asset && line.at < end)
      .reduce((sum, line) => sum + line.amount.units, OPENING),
  }))
  const transfers = page.map(({ at: _, ...line }) => line)
  const next = ofDay.length > pageSize ? page.at(-1)?.transferId : undefined
  return { status: 'done', timeZone, transfers, balances, next }
}
