import {
  divideDown,
  divideUp,
  formatDecimal,
  formatUsd,
  fractionDigits,
  parseDecimal,
} from '../../../src/core/money.ts'

// biome-ignore lint/suspicious/noExplicitAny: bodies are looked into as they came.
export type Body = any

/** What the vendors of a test know and have done: every call id at most once. */
export type VendorBooks = {
  now: () => Date
  /** What was decided of each call, by vendor, operation and id. */
  decided: Map<string, object>
  /** KYC and KYB: how a check of a name ends, where it does not pass. */
  identities: Map<string, 'failed' | 'review'>
  /** AML: the score of a name that is listed. */
  listed: Map<string, number>
  /** AML: the listed names that the service calls a match, whatever their score. */
  matched: Set<string>
  /** Custodian: what an account holds, in the smallest units. */
  holdings: Map<string, Map<string, bigint>>
  /** Custodian: the owner of each account, and for which facility it is pledged; none is an omnibus. */
  pledges: Map<string, { tenantId: string; borrowerId: string; facilityId: string }>
  /** The floor in force by account, and the sequence it came with. */
  floors: Map<string, { sequence: bigint; floorUsd: string }>
  /** USD for one unit. */
  prices: Map<string, string>
  sales: { id: string; asset: string; quantity: string }[]
  payouts: { id: string; amount: { amount: string; asset: string }; destination: string }[]
  /** Payments: what arrived under a reference, where it is not what was claimed. */
  received: Map<string, { amount: string; asset: string } | null>
  /** Payments: the transfer that came under a reference, where it is not one of its own. */
  transfers: Map<string, string>
}

export function openBooks(now: () => Date): VendorBooks {
  return {
    now,
    decided: new Map(),
    identities: new Map(),
    listed: new Map(),
    matched: new Set(),
    holdings: new Map(),
    pledges: new Map(),
    floors: new Map(),
    prices: new Map(),
    sales: [],
    payouts: [],
    received: new Map(),
    transfers: new Map(),
  }
}

/** Decides a call once for its id; readings are of the moment. */
export function decide(books: VendorBooks, operation: string, id: string, body: Body): object {
  const key = `${operation}/${id}`
  const before = books.decided.get(key)
  if (before) return before
  if (operation === 'custodian/positions') return readPositions(books, body)
  if (operation === 'custodian/readings') return readAccounts(books, body)
  const answer = act(books, operation, id, body)
  books.decided.set(key, answer)
  return answer
}

function act(books: VendorBooks, operation: string, id: string, body: Body): object {
  switch (operation) {
    case 'kyc/checks':
      return { status: books.identities.get(body.subject.full_name) ?? 'passed', reference: id }
    case 'custodian/controls':
      return pledge(books, body)
    case 'custodian/floors':
      return setFloor(books, body)
    case 'custodian/releases':
      return release(books, body)
    case 'custodian/sales':
      return sell(books, id, body)
    case 'custodian/cancellations':
      return cancel(books, `custodian/sales/${id}`)
    case 'custodian/release_cancellations':
      return cancel(books, `custodian/releases/${id}`)
    case 'payments/cancellations':
      return cancel(books, `payments/payouts/${id}`)
    case 'payments/payouts':
      books.payouts.push({ id, amount: body.amount, destination: body.destination })
      return { status: 'done', reference: `paid-${id}` }
    case 'payments/receipts': {
      const { reference, claimed } = body
      const received = books.received.has(reference) ? books.received.get(reference) : claimed
      if (received === null) return { status: 'done', received }
      const transferId = books.transfers.get(reference) ?? `transfer-${body.tenant_id}-${reference}`
      return { status: 'done', received, transfer_id: transferId }
    }
    case 'payments/days':
      return { status: 'done', time_zone: 'UTC', transfers: [], balances: [] }
    case 'custodian/accounts':
      return { status: 'done', accounts: [] }
    default:
      throw new Error(`no vendor does ${operation}`)
  }
}

/** An account is one borrower's until it is released; a later facility of this borrower takes it over. */
function pledge({ pledges }: VendorBooks, body: Body): object {
  const before = pledges.get(body.account)
  const { tenant_id: tenantId, borrower_id: borrowerId, facility_id: facilityId } = body
  if (before && (before.tenantId !== tenantId || before.borrowerId !== borrowerId)) {
    return { status: 'refused', code: 'pledged', retryable: true }
  }
  pledges.set(body.account, { tenantId, borrowerId, facilityId })
  return { status: 'done' }
}

function release(books: VendorBooks, body: Body): object {
  const { account, facility_id: facilityId } = body
  if (books.pledges.get(account)?.facilityId === facilityId) books.pledges.delete(account)
  return setFloor(books, body)
}

/** A release is the floor nil; a lower sequence never undoes a higher one. */
function setFloor({ floors }: VendorBooks, body: Body): object {
  const sequence = BigInt(body.sequence)
  const before = floors.get(body.account)
  if (!before || before.sequence < sequence) {
    floors.set(body.account, { sequence, floorUsd: body.floor_usd ?? '0.00' })
  }
  return { status: 'done' }
}

function readPositions({ holdings }: VendorBooks, body: Body): object {
  const held = [...(holdings.get(body.account) ?? [])]
  const positions = held.map(([asset, units]) => {
    return { asset, quantity: formatDecimal(units, fractionDigits(asset)) }
  })
  return { status: 'done', positions }
}

function readAccounts(books: VendorBooks, { accounts }: Body): object {
  const answers = accounts.map((account: Body) => {
    return { facility_id: account.facility_id, ...readPositions(books, account) }
  })
  return { status: 'done', accounts: answers }
}

/** What was done stays done; a call that was never heard of is refused from now on. */
function cancel({ decided }: VendorBooks, key: string): object {
  const known = decided.get(key) ?? { status: 'refused', code: 'cancelled', retryable: true }
  decided.set(key, known)
  return known
}

/** Sells what there is of an order at the price, for one per cent. */
function sell(books: VendorBooks, id: string, body: Body): object {
  if (books.now() > new Date(body.place_by)) {
    return { status: 'refused', code: 'too_late', retryable: true }
  }
  const { asset, account } = body
  const held = books.holdings.get(account)
  const digits = fractionDigits(asset)
  const ordered = parseDecimal(body.quantity, digits) ?? 0n
  const there = held?.get(asset) ?? 0n
  const units = ordered < there ? ordered : there
  held?.set(asset, there - units)
  const price = parseDecimal(books.prices.get(asset) ?? '0', 8) ?? 0n
  const cents = divideDown(units * price * 100n, 10n ** BigInt(digits + 8))
  books.sales.push({ id, asset, quantity: formatDecimal(units, digits) })
  const filled = { status: 'done', filled_quantity: formatDecimal(units, digits) }
  if (body.in_kind) return filled
  return {
    ...filled,
    proceeds_usd: formatUsd(cents),
    costs_usd: formatUsd(divideUp(cents, 100n)),
    executed_at: books.now().toISOString(),
  }
}
