import { z } from 'zod'
import { divideUp } from '../../core/money.ts'
import { ONE_PPM } from '../../core/ratio.ts'
import { addMs, SECOND_MS } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import type { PriceFeed } from '../../domain/collateral/prices.ts'
import { marketCents } from '../../domain/collateral/valuation.ts'
import { creditCents } from '../../domain/facilities/ledger/conversion.ts'
import {
  type Call,
  type CallAnswer,
  type Custodian,
  type CustodianCall,
  type CustodianOrder,
  type Execution,
  MAX_ACCOUNTS,
} from '../../domain/facilities/ports.ts'
import type { ClockFor } from '../../domain/tenants/tenant-clock.ts'
import { selectSandboxLienSequence, upsertSandboxLien } from './queries.ts'
import { answerKeptCall, answerSandboxCall, type TaggedCall } from './sandbox-call.ts'
import { isAnswerDue, loadSandboxHoldings } from './sandbox-holdings.ts'
import { bookSandboxTransfer } from './sandbox-transfers.ts'
import { selectPledged } from './transfer-queries.ts'

/** Readings that do not use up a tenant's choice for the next call: those by the minute, and those
 * before each order. */
const NOT_OVERRIDABLE = /\/(reading|sale)\//

const COSTS_PPM = 10_000n

const exactInteger = z.codec(z.string(), z.bigint(), { decode: BigInt, encode: String })
const instant = z.codec(z.string(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
})

const keptExecution = z.object({
  units: exactInteger,
  proceedsCents: exactInteger,
  costsCents: exactInteger,
  executedAt: instant,
})
type KeptExecution = z.input<typeof keptExecution>
type SandboxExecution = z.output<typeof keptExecution>

/** Later than a deadline of a leaping clock waits for, so that a late answer does not hold it. */
const LATE_PAUSE_MS = 6 * SECOND_MS

/** Holds what was pushed or the tenant has set, less what it sold; sells at once at the tenant's price for 1 %. */
export function createSandboxCustodian(db: Db, prices: PriceFeed, clockFor: ClockFor): Custodian {
  return {
    setFloor: (call) => changeLien(db, call, call.floorCents),
    confirmControl: (call) => answerSandboxCall(db, 'custodian', tagged(call), {}),
    releaseLien: (call) => changeLien(db, call, null),
    // Void unless it was done before.
    cancelRelease: (call) =>
      answerSandboxCall(db, 'custodian', { ...tagged(call), isLate: true }, {}),
    async positions(call) {
      const { tenantId, borrowerId, callId } = call
      const held = (await loadSandboxHoldings(db, tenantId, [borrowerId])).get(borrowerId)
      const { positions = [], lateSeconds = 0 } = held ?? {}
      if (NOT_OVERRIDABLE.test(callId)) return { status: 'done', positions }
      if (!(await isAnswerDue(db, call, lateSeconds, await clockFor(db, tenantId)))) {
        return { status: 'pending', askAgainAt: addMs(call.realNow, LATE_PAUSE_MS) }
      }
      return await answerSandboxCall(db, 'custodian', tagged(call), { positions })
    },
    async readings({ tenantId, accounts, decides }) {
      // A tenant's test may choose each answer that decides something: `positions` gives it.
      if (decides) return new Map()
      const borrowerIds = accounts.map(({ borrowerId }) => borrowerId)
      const held = await loadSandboxHoldings(db, tenantId, borrowerIds)
      return new Map(
        accounts.map(({ facilityId, borrowerId }) => {
          const positions = held.get(borrowerId)?.positions ?? []
          return [facilityId, { status: 'done', positions }]
        }),
      )
    },
    async sell(call) {
      const now = await clockFor(db, call.tenantId)
      const latest = await prices.latest(db, call.tenantId, now)
      const price = latest.get(call.order.asset)?.price
      const isPossible = price !== undefined && now <= call.placeBy
      const execution = isPossible ? executeOrder(call.order, price, now) : undefined
      const answer = await answerSale(db, call, execution)
      if (answer.status === 'done') await noteSale(db, clockFor, call, answer)
      return answer
    },
    async cancelSale(call) {
      const answer = await answerSale(db, call, undefined)
      if (answer.status === 'done') await noteSale(db, clockFor, call, answer)
      return answer
    },
    async accounts({ tenantId, after }) {
      const rows = await selectPledged(db, tenantId, { after, limit: MAX_ACCOUNTS })
      const borrowerIds = rows.map((row) => row.borrower_id)
      const held = await loadSandboxHoldings(db, tenantId, borrowerIds)
      const accounts = rows.map((row) => ({
        facilityId: row.facility_id,
        floorCents: row.floor_cents ?? undefined,
        positions: held.get(row.borrower_id)?.positions ?? [],
      }))
      const next = rows.length < MAX_ACCOUNTS ? undefined : rows.at(-1)?.facility_id
      return { status: 'done', accounts, next }
    },
  }
}

/** The account's tag chooses the answer: the test values of docs/provider-contract.md. */
function tagged<Asked extends CustodianCall>(call: Asked): Asked & TaggedCall {
  return { ...call, tagged: call.account }
}

/** A call older than the newest one has no effect. */
async function changeLien(
  db: Db,
  call: CustodianCall & { sequence: bigint },
  floorCents: bigint | null,
): Promise<CallAnswer<object>> {
  const { tenantId, facilityId, sequence } = call
  const newest = await selectSandboxLienSequence(db, tenantId, facilityId)
  const isLate = newest !== undefined && newest > sequence
  const answer = await answerSandboxCall(db, 'custodian', { ...tagged(call), isLate }, {})
  if (answer.status === 'done') {
    await upsertSandboxLien(db, {
      tenant_id: tenantId,
      facility_id: facilityId,
      sequence,
      floor_cents: floorCents,
    })
  }
  return answer
}

function executeOrder(
  { asset, units, inKind }: CustodianOrder,
  price: bigint,
  executedAt: Date,
): SandboxExecution {
  if (inKind) {
    const proceedsCents = creditCents({ asset, units }, price)
    return { units, proceedsCents, costsCents: 0n, executedAt }
  }
  const proceedsCents = marketCents({ asset, units }, price)
  const costsCents = divideUp(proceedsCents * COSTS_PPM, ONE_PPM)
  return { units, proceedsCents, costsCents, executedAt }
}

/** Books the proceeds that the lender's account gets from a sale, through the payments provider. */
async function noteSale(
  db: Db,
  clockFor: ClockFor,
  call: Call & { order: CustodianOrder },
  { units, proceedsCents, costsCents }: Execution,
): Promise<void> {
  const { asset, inKind } = call.order
  const netCents = proceedsCents > costsCents ? proceedsCents - costsCents : 0n
  const amount = inKind ? { asset, units } : { asset: 'USD', units: netCents }
  const transferId = `sandbox-${call.callId}`
  await bookSandboxTransfer(db, clockFor, call, { transferId, amount, callId: call.callId })
}

/** The execution of the first call with the id; without one, the call cancels the sale. */
async function answerSale(
  db: Db,
  call: CustodianCall,
  execution: SandboxExecution | undefined,
): Promise<CallAnswer<Execution>> {
  const kept = execution && keptExecution.encode(execution)
  const answer = await answerKeptCall(db, 'custodian', tagged(call), kept)
  if (answer.status !== 'done') return answer
  return { status: 'done', ...keptExecution.decode(answer.result as KeptExecution) }
}
