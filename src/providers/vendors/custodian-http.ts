import { z } from 'zod'
import { formatDecimal, formatUsd, fractionDigits } from '../../core/money.ts'
import type { Position } from '../../domain/collateral/valuation.ts'
import { creditCents } from '../../domain/facilities/ledger/conversion.ts'
import type {
  AccountReading,
  Call,
  CallAnswer,
  Custodian,
  CustodianCall,
  CustodianOrder,
  CustodyAccount,
  Execution,
} from '../../domain/facilities/ports.ts'
import { MAX_ACCOUNTS, MAX_READINGS } from '../../domain/facilities/ports.ts'
import {
  callAnswer,
  dollars,
  heldAsset,
  instant,
  isAhead,
  leftOut,
  nothingMore,
  readUnits,
  vendorText,
} from './answers.ts'
import type { SignedClient } from './signed-client.ts'

const MOST_POSITIONS = 1_000
/** 500 accounts with a few dozen assets each. */
const MAX_READINGS_BYTES = 4 * 1024 * 1024

/** Returns what one of the asset is worth to the tenant now, in 10^-8 USD; undefined without a price. */
export type PriceOf = (tenantId: string, asset: string) => Promise<bigint | undefined>

/** The contract is docs/provider-custodian.md. Without a custody account every call is refused. */
export function createHttpCustodian(client: SignedClient, priceOf: PriceOf): Custodian {
  async function ask<Result extends object>(
    operation: string,
    { tenantId, callId, realNow, account, facilityId, borrowerId }: CustodianCall,
    body: object,
    done: z.ZodType<Result>,
  ): Promise<CallAnswer<Result>> {
    if (account === undefined) return { status: 'refused', code: 'no_account', retryable: false }
    return await client.put({
      tenantId,
      operation,
      callId,
      body: { account, facility_id: facilityId, borrower_id: borrowerId, ...body },
      answer: callAnswer(done, realNow),
    })
  }
  const settle = async (
    answer: CallAnswer<ReportedFill>,
    call: Call & { order: CustodianOrder },
  ) =>
    answer.status === 'done' ? { status: answer.status, ...(await value(answer, call)) } : answer
  const value = (fill: ReportedFill, call: Call & { order: CustodianOrder }) =>
    readExecution(fill, call, priceOf)
  return {
    setFloor: (call) =>
      ask(
        'floors',
        call,
        { sequence: Number(call.sequence), floor_usd: formatUsd(call.floorCents) },
        nothingMore,
      ),
    releaseLien: (call) => ask('releases', call, { sequence: Number(call.sequence) }, nothingMore),
    cancelRelease: (call) =>
      ask('release_cancellations', call, { sequence: Number(call.sequence) }, nothingMore),
    confirmControl: (call) => ask('controls', call, {}, nothingMore),
    positions: (call) => ask('positions', call, {}, heldPositions),
    readings: (call) => askReadings(client, call),
    async sell(call) {
      const { order, placeBy } = call
      const body = { ...formatOrder(order), place_by: placeBy.toISOString() }
      return await settle(await ask('sales', call, body, fillOf(call)), call)
    },
    async cancelSale(call) {
      const body = formatOrder(call.order)
      return await settle(await ask('cancellations', call, body, fillOf(call)), call)
    },
    accounts: ({ tenantId, callId, realNow, after }) =>
      client.put({
        tenantId,
        operation: 'accounts',
        callId,
        body: after === undefined ? {} : { after },
        answer: callAnswer(pledgedAccounts, realNow),
        maxAnswerBytes: MAX_READINGS_BYTES,
      }),
  }
}

async function askReadings(
  client: SignedClient,
  { tenantId, callId, accounts }: Call & { accounts: readonly CustodyAccount[] },
): Promise<Map<string, AccountReading>> {
  const { open = [], none = [] } = Object.groupBy(accounts, ({ account }) =>
    account === undefined ? 'none' : 'open',
  )
  const refused = none.map(({ facilityId }) => [facilityId, { status: 'refused' }] as const)
  if (open.length === 0) return new Map(refused)
  const answers = await client.put({
    tenantId,
    operation: 'readings',
    callId,
    // A call id is new each time, also when the same accounts are read again.
    ...(open[0] ? { subject: open[0].facilityId } : {}),
    body: {
      accounts: open.map(({ account, facilityId, borrowerId }) => {
        return { account, facility_id: facilityId, borrower_id: borrowerId }
      }),
    },
    answer: readingsAnswer,
    maxAnswerBytes: MAX_READINGS_BYTES,
  })
  const answered = open.map(({ facilityId }) => {
    const reading: AccountReading = answers.get(facilityId) ?? { status: 'unanswered' }
    return [facilityId, reading] as const
  })
  return new Map([...refused, ...answered])
}

function formatOrder({ asset, units, inKind }: CustodianOrder): object {
  return { asset, quantity: formatDecimal(units, fractionDigits(asset)), in_kind: inKind }
}

const heldPositions = z.object({
  positions: z
    .array(z.object({ asset: heldAsset, quantity: z.string() }))
    .max(MOST_POSITIONS)
    .transform((rows, context) =>
      rows.map(({ asset, quantity }): Position => {
        const units = readUnits(asset, quantity)
        if (units === undefined) context.addIssue('needs plain quantities of the asset')
        return { asset, units: units ?? 0n }
      }),
    )
    .refine(
      (rows) => new Set(rows.map(({ asset }) => asset)).size === rows.length,
      'must name each asset once',
    ),
})

const pledgedAccount = heldPositions
  .extend({ facility_id: vendorText(64), floor_usd: leftOut(dollars) })
  .transform(({ facility_id: facilityId, floor_usd: floorCents, positions }) => ({
    ...{ facilityId, floorCents, positions },
  }))

/** In the order of their ids, so that a page says what is not in it. */
const pledgedAccounts = z
  .object({ accounts: z.array(pledgedAccount).max(MAX_ACCOUNTS), next: leftOut(vendorText(64)) })
  .refine(
    ({ accounts }) => accounts.every((one, n) => n === 0 || isAfter(one, accounts[n - 1])),
    'must list the facilities in the order of their ids, each once',
  )
  .refine(
    ({ accounts, next }) => next === undefined || next === accounts.at(-1)?.facilityId,
    'must name the last facility of the page as the next',
  )

function isAfter(one: { facilityId: string }, before: { facilityId: string } | undefined): boolean {
  return before === undefined || one.facilityId > before.facilityId
}

const accountReading = z
  .object({ facility_id: z.string() })
  .and(
    z.discriminatedUnion('status', [
      heldPositions.extend({ status: z.literal('done') }),
      z.object({ status: z.literal('refused') }),
    ]),
  )

/** By facility. Leaves out an account that is malformed, pending or repeated. */
const readingsAnswer = z
  .object({ status: z.literal('done'), accounts: z.array(z.unknown()).max(MAX_READINGS) })
  .transform(({ accounts }): Map<string, AccountReading> => {
    const parsed = accounts.flatMap((row) => accountReading.safeParse(row).data ?? [])
    const byFacility = Map.groupBy(parsed, (row) => row.facility_id)
    const single = [...byFacility].filter(([, rows]) => rows.length === 1)
    return new Map(single.flatMap(([id, rows]) => rows.map((row) => [id, row] as const)))
  })

type ReportedFill = {
  units: bigint
  /** Undefined when taken in kind. */
  sold: { proceedsCents: bigint; costsCents: bigint } | undefined
  executedAt: Date | undefined
}

const money = z.object({ proceeds_usd: dollars, costs_usd: dollars })
const execution = z.object({ filled_quantity: z.string(), executed_at: leftOut(instant) })

function fillOf({ order, realNow }: Call & { order: CustodianOrder }): z.ZodType<ReportedFill> {
  return z.unknown().transform((given, context): ReportedFill => {
    const { filled_quantity: quantity, executed_at: executedAt } = execution.parse(given)
    const units = readUnits(order.asset, quantity)
    // A fill above the order is accepted: it has happened.
    if (units === undefined) {
      context.addIssue('needs a plain quantity of the asset')
      return z.NEVER
    }
    if (executedAt && isAhead(executedAt, realNow)) {
      context.addIssue('must not have been executed in the future')
      return z.NEVER
    }
    if (order.inKind) return { units, sold: undefined, executedAt }
    const { proceeds_usd: proceedsCents, costs_usd: costsCents } = money.parse(given)
    if (units === 0n && proceedsCents > 0n) {
      context.addIssue('has proceeds of nothing')
      return z.NEVER
    }
    return { units, sold: { proceedsCents, costsCents }, executedAt }
  })
}

/** Assets taken in kind have no sale price, so our own price credits them. */
async function readExecution(
  { units, sold, executedAt }: ReportedFill,
  { tenantId, order }: Call & { order: CustodianOrder },
  priceOf: PriceOf,
): Promise<Execution> {
  if (sold) return { units, ...sold, executedAt }
  const price = await priceOf(tenantId, order.asset)
  if (price === undefined) throw new Error(`${order.asset} that was taken in kind has no price`)
  const proceedsCents = creditCents({ asset: order.asset, units }, price)
  return { units, proceedsCents, costsCents: 0n, executedAt }
}
