import { foldReference } from '../../core/external-reference.ts'
import { isBeyondBounds, unitsPerWhole } from '../../core/money.ts'
import { addMs, DAY_MS } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import {
  type Call,
  LONGEST_PROVISIONAL_MS,
  type Payments,
  type Receipt,
} from '../../domain/facilities/ports.ts'
import type { ClockFor } from '../../domain/tenants/tenant-clock.ts'
import { answerKeptCall, answerSandboxCall, findSandboxReturn } from './sandbox-call.ts'
import { bookSandboxTransfer, listSandboxDay, type SandboxTransfer } from './sandbox-transfers.ts'

/** Whole units of the asset: far enough beyond a claim to be kept in suspense. */
const USUALLY_OVER = 1_000n
const USUALLY_REVOCABLE_DAYS = 60n

/** Pays everything, and has received what is claimed. On `fail` it refuses, or received nothing; nor
 * did it receive more than anyone can have. Tags in the reference of a receipt choose more: `+over`,
 * or `+over250` for that much more than was claimed; `+revocable`, or `+revocable30` for money that can
 * be taken back for so many days. The test values of docs/provider-contract.md count too. */
export function createSandboxPayments(db: Db, clockFor: ClockFor): Payments {
  const note = (call: Call, transfer: Omit<SandboxTransfer, 'callId'>) =>
    bookSandboxTransfer(db, clockFor, call, { ...transfer, callId: call.callId })
  /** Books two transfers: the money that moved, and its return. */
  const noteReturn = async (call: Call, done: Transfer, returnedAt: Date) => {
    const { transferId, amount } = done
    await note(call, done)
    const back = { ...amount, units: -amount.units }
    const id = `${transferId}-return`
    await note(call, { transferId: id, amount: back, returns: transferId, movedAt: returnedAt })
  }
  const putPayout =
    (isLate: boolean): Payments['payOut'] =>
    async (given) => {
      const call = { ...given, tagged: given.destination }
      const reference = `sandbox-${call.callId}`
      const { asset, units } = call.amount
      const paid = { transferId: reference, amount: { asset, units: -units } }
      const returned = await findSandboxReturn(db, call)
      if (returned) {
        await noteReturn(call, paid, returned.returnedAt)
        return { status: 'returned', amount: call.amount, ...returned }
      }
      const answer = await answerSandboxCall(db, 'payments', { ...call, isLate }, { reference })
      if (answer.status === 'done') await note(call, paid)
      return answer
    }
  return {
    payOut: putPayout(false),
    // Void unless it was done before.
    cancelPayOut: putPayout(true),
    async confirmReceipt(given) {
      const call = { ...given, tagged: given.reference }
      const returned = await findSandboxReturn(db, call)
      if (returned) {
        const receipt = receive(call, returned.returnedAt)
        if (receipt) await noteReturn(call, receipt, returned.returnedAt)
        const amount = receipt?.amount ?? call.claimed
        return { status: 'returned', amount, ...returned }
      }
      const answer = await answerKeptCall(db, 'payments', call, null)
      if (answer.status === 'pending') return answer
      const isReceived = answer.status === 'done'
      const receipt = isReceived ? receive(call, answer.answeredAt) : undefined
      if (receipt) await note(call, { transferId: receipt.transferId, amount: receipt.amount })
      return { status: 'done', receipt }
    },
    async listDay(call) {
      return { status: 'done', ...(await listSandboxDay(db, call)) }
    },
  }
}

type Transfer = Pick<SandboxTransfer, 'transferId' | 'amount'>

function receive(
  { tenantId, reference, claimed }: Parameters<Payments['confirmReceipt']>[0],
  answeredAt: Date,
): Receipt | undefined {
  const { asset } = claimed
  const over = readTag(reference, 'over', USUALLY_OVER) * unitsPerWhole(asset)
  const amount = { asset, units: claimed.units + over }
  if (isBeyondBounds(amount)) return undefined
  const days = Number(readTag(reference, 'revocable', USUALLY_REVOCABLE_DAYS))
  const provisionalMs = Math.min(days * DAY_MS, LONGEST_PROVISIONAL_MS)
  return {
    // Each tenant has payers of its own: two tenants may use one reference.
    transferId: `sandbox-${tenantId}-${foldReference(reference)}`,
    amount,
    ...(provisionalMs > 0 && { finalAt: addMs(answeredAt, provisionalMs) }),
  }
}

/** Nothing without the tag, `usual` without a number. */
function readTag(reference: string, tag: string, usual: bigint): bigint {
  const [found, number] = new RegExp(`\\+${tag}(\\d{1,15})?(?![a-z0-9])`, 'i').exec(reference) ?? []
  if (found === undefined) return 0n
  return number === undefined ? usual : BigInt(number)
}
