import { type Amount, formatQuantity } from '../../core/money.ts'
import { addDays, type Day, dayIn } from '../../core/time.ts'
import type { ListedTransfer, Payments } from '../../domain/facilities/ports.ts'
import { toWireId } from '../vendors/signed-client.ts'
import { NotShown, Wrong } from './rules.ts'
import type { Run } from './run.ts'

/** Money that a call has moved. */
export type Moved = {
  what: string
  /** The call's id as the adapter received it. */
  callId: string
  /** A receipt is known by it. */
  transferId?: string
  /** Signed: positive came in. */
  amount: Amount
  isBack: boolean
}

type Listed = {
  timeZone: string
  day: Day
  rows: readonly ListedTransfer[]
  balances: readonly Amount[]
}
type Asked = { run: Run; payments: Payments; tenantId: string }

const MOST_PAGES = 100

/** Today in the adapter's time zone; without one, a day is read first that has begun in all of them. */
export async function readDay(asked: Asked, known?: string): Promise<Listed> {
  const at = asked.run.clock()
  const zone = known ?? (await readPages(asked, addDays(dayIn('UTC', at), -1))).timeZone
  return await readPages(asked, dayIn(zone, at))
}

async function readPages({ run, payments, tenantId }: Asked, day: Day): Promise<Listed> {
  const rows: ListedTransfer[] = []
  let after: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    // The number of a page is new each time: the same id would be the same call.
    const number = run.clock().getTime() * 100 + run.next()
    const callId = `${tenantId}/day/${day.replaceAll('-', '')}/${number}`
    const call = { tenantId, callId, realNow: run.clock(), day, after }
    const answer = await payments.listDay(call)
    if (answer.status !== 'done') throw new NotShown(`the list of today is ${answer.status}`)
    rows.push(...answer.transfers)
    after = answer.next
    if (after === undefined) {
      return { timeZone: answer.timeZone, day, rows, balances: answer.balances }
    }
  }
  throw new Wrong(`has more than ${MOST_PAGES} pages`, 'day')
}

/** Checks that the list has each movement since `before` once and none that was refused, and that balances agree. */
export async function checkDays(
  asked: Asked,
  before: Listed,
  { moved, forbidden }: { moved: readonly Moved[]; forbidden: readonly string[] },
): Promise<void> {
  const { run } = asked
  const after = await run.step('days', 'after it', async () => {
    const last = await readDay(asked, before.timeZone)
    // Midnight has passed meanwhile.
    if (last.day === before.day) return last
    const first = await readPages(asked, before.day)
    return { ...last, rows: [...first.rows, ...last.rows] }
  })
  if (!after) return
  const known = new Set(before.rows.map(({ transferId }) => transferId))
  const rows = after.rows.filter(({ transferId }) => !known.has(transferId))

  await run.step('days', 'each movement once', async () => {
    for (const one of moved) assertListed(rows, one)
  })
  await run.step('days', 'each return', async () => {
    for (const one of moved.filter(({ isBack }) => isBack)) assertReturned(rows, one)
  })
  await run.step('days', 'nothing that was refused', async () => {
    const row = rows.find(({ callId }) => callId !== undefined && forbidden.includes(callId))
    if (row) throw new Wrong(`lists ${show(row)} of ${row.callId}, which was refused`, 'refused')
  })
  await run.step('days', 'balances', async () => assertBalances(rows, before, after))
}

const rowsOf = (rows: readonly ListedTransfer[], { callId, transferId }: Moved) =>
  rows.filter((row) =>
    transferId === undefined
      ? row.callId === toWireId(callId) && row.returns === undefined
      : row.transferId === transferId,
  )

function assertListed(rows: readonly ListedTransfer[], one: Moved): void {
  const found = rowsOf(rows, one)
  const what = `the ${one.what} of ${show(one)} (${one.callId})`
  if (found.length === 0) throw new Wrong(`leaves out ${what}`, 'day')
  if (found.length > 1) throw new Wrong(`lists ${what} ${found.length} times`, 'once')
  const [row] = found
  if (row && !isSame(row.amount, one.amount))
    throw new Wrong(`lists ${what} as ${show(row)}`, 'day')
}

function assertReturned(rows: readonly ListedTransfer[], one: Moved): void {
  const { asset, units } = one.amount
  const ids = rowsOf(rows, one).map(({ transferId }) => transferId)
  const back = rows.some(
    (row) =>
      row.returns !== undefined &&
      ids.includes(row.returns) &&
      isSame(row.amount, { asset, units: -units }),
  )
  if (!back) throw new Wrong(`leaves out the return of ${show(one)} (${one.callId})`, 'back')
}

function assertBalances(rows: readonly ListedTransfer[], before: Listed, after: Listed): void {
  const assets = new Set(rows.map(({ amount }) => amount.asset))
  for (const asset of assets) {
    const balanceOf = ({ balances }: Listed) =>
      balances.find((balance) => balance.asset === asset)?.units ?? 0n
    const listed = rows
      .filter(({ amount }) => amount.asset === asset)
      .reduce((sum, { amount }) => sum + amount.units, 0n)
    const changed = balanceOf(after) - balanceOf(before)
    if (changed !== listed) {
      const by = (units: bigint) => show({ amount: { asset, units } })
      throw new Wrong(
        `the balance changed by ${by(changed)}, the transfers by ${by(listed)}`,
        'balances',
      )
    }
  }
}

const isSame = (one: Amount, other: Amount) =>
  one.asset === other.asset && one.units === other.units

const show = ({ amount }: { amount: Amount }) => `${formatQuantity(amount)} ${amount.asset}`
