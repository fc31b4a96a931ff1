import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import {
  type Amount,
  formatAmount,
  formatDecimal,
  formatUsd,
  fractionDigits,
  parseDecimal,
} from '../../../src/core/money.ts'
import type { Clock } from '../../../src/core/time.ts'
import type { Custodian, Payments } from '../../../src/domain/facilities/ports.ts'
import type { IdentityVerifier } from '../../../src/domain/onboarding/compliance.ts'
import { listen } from './misbehaving-server.ts'
import type { Body } from './vendor-books.ts'

export type AdapterPorts = {
  payments?: Payments
  custodian?: Custodian
  identity?: IdentityVerifier
}

export type AdapterCall = {
  operation: string
  id: string
  body: Body
  /** How often this id has come before. */
  before: number
}

/** What an adapter does otherwise than its contract says. */
export type Mistake = {
  /** The check of a call that it leaves out. */
  unchecked?: 'signature' | 'timestamp' | 'token' | 'contract'
  /** Another call than came; its answer is that of the call which came. */
  take?: (call: AdapterCall) => AdapterCall
  answer?: (answer: Body, call: AdapterCall) => Body
  /** Writes the answer itself; false to have it written as usual. */
  respond?: (response: ServerResponse, text: string, call: AdapterCall) => boolean
  callback?: (callback: Callback, times: number) => Callback | undefined
}

type Callback = { id: string; target: string; body: string; secret: string; seconds: number }

const SECRETS = {
  token: 'token-of-an-adapter-for-tests',
  signingSecret: 'signing-secret-of-an-adapter-for-tests',
  callbackSecret: 'callback-secret-of-an-adapter-for-tests',
}

export type AdapterOptions = {
  ports: AdapterPorts
  clock: Clock
  /** With the path of the callbacks. */
  callbackUrl?: () => string | undefined
  mistake?: Mistake
}

export type TestAdapter = AsyncDisposable & typeof SECRETS & { url: string }

/** The contract over HTTP, as a vendor would write it from the pages alone, in front of our own ports. */
export async function startAdapter(options: AdapterOptions): Promise<TestAdapter> {
  const calls = new Map<string, number>()
  const waiting = new Set<string>()
  const sending: Promise<void>[] = []
  const { ports, clock, mistake = {} } = options

  const answerCall = async (request: IncomingMessage, response: ServerResponse) => {
    const raw = await buffer(request)
    const status = turnAway(request, raw, { clock, mistake })
    if (status !== undefined) return void response.writeHead(status).end('{}')
    const [operation = '', id = ''] = new URL(request.url ?? '', 'http://a').pathname
      .slice(1)
      .split('/')
    const key = `${operation}/${id}`
    const before = calls.get(key) ?? 0
    calls.set(key, before + 1)
    const call = { operation, id, body: JSON.parse(raw.toString()), before }
    const given = await answerBy(ports, mistake.take?.(call) ?? call, clock())
    const answer = mistake.answer?.(given, call) ?? given
    if (given.status === 'pending') waiting.add(key)
    else if (waiting.delete(key) || (given.status === 'returned' && before < 2)) {
      sending.push(callBack(call, options))
    }
    const text = JSON.stringify(answer)
    if (mistake.respond?.(response, text, call)) return
    response.setHeader('content-type', 'application/json')
    response.end(text)
  }
  const server = await listen(
    createServer((request, response) => {
      answerCall(request, response).catch((error) => response.writeHead(500).end(String(error)))
    }),
  )
  return {
    ...SECRETS,
    url: `http://127.0.0.1:${server.port}`,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await Promise.all(sending)
    },
  }
}

function hmac(secret: string, lines: string[], body: Buffer | string): string {
  const hash = createHash('sha256').update(body).digest('hex')
  const text = ['SVC-HMAC-V1', ...lines, hash].join('\n')
  return `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`
}

/** The status for a call that is not ours; undefined for one that is. */
function turnAway(
  { headers, method = '', url = '' }: IncomingMessage,
  body: Buffer,
  { clock, mistake }: { clock: Clock; mistake: Mistake },
): number | undefined {
  const { unchecked } = mistake
  if (headers['x-provider-contract'] !== '1' && unchecked !== 'contract') return 400
  if (headers.authorization !== `Bearer ${SECRETS.token}` && unchecked !== 'token') return 401
  const timestamp = String(headers['x-svc-timestamp'])
  const skew = Math.abs(clock().getTime() / 1_000 - Number(timestamp))
  if (skew > 300 && unchecked !== 'timestamp') return 401
  const lines = [timestamp, method, url, String(headers['idempotency-key'])]
  const signature = hmac(SECRETS.signingSecret, lines, body)
  return headers['x-svc-signature'] === signature || unchecked === 'signature' ? undefined : 401
}

async function callBack(call: AdapterCall, options: AdapterOptions): Promise<void> {
  const { clock, callbackUrl, mistake } = options
  const address = callbackUrl?.()
  if (address === undefined) return
  const { target, url } = { target: new URL(address).pathname, url: address }
  const seconds = Math.floor(clock().getTime() / 1_000)
  const body = JSON.stringify({ tenant_id: call.body.tenant_id, call_id: call.id })
  const first = { id: randomUUID(), target, body, secret: SECRETS.callbackSecret, seconds }
  for (let times = 0; times < 3; times += 1) {
    const callback = mistake?.callback ? mistake.callback(first, times) : first
    if (!callback) return
    const lines = [String(callback.seconds), 'POST', callback.target, callback.id]
    const response = await fetch(url, {
      method: 'POST',
      body: callback.body,
      headers: {
        'content-type': 'application/json',
        'idempotency-key': callback.id,
        'x-svc-timestamp': String(callback.seconds),
        ...(callback.secret && { 'x-svc-signature': hmac(callback.secret, lines, callback.body) }),
      },
    })
    if (response.status !== 503) return
  }
}

const readAmount = ({ amount, asset }: Body): Amount => ({
  asset,
  units: parseDecimal(amount, fractionDigits(asset)) ?? 0n,
})

async function answerBy(
  { payments, custodian, identity }: AdapterPorts,
  { operation, id, body }: AdapterCall,
  realNow: Date,
): Promise<Body> {
  const call = { tenantId: body.tenant_id, callId: id.replaceAll('.', '/'), realNow }
  const account = {
    ...{ ...call, account: body.account, facilityId: body.facility_id },
    ...{ borrowerId: body.borrower_id, sequence: BigInt(body.sequence ?? 0) },
  }
  const order = () => {
    const { asset, quantity, in_kind: inKind } = body
    return { asset, units: parseDecimal(quantity, fractionDigits(asset)) ?? 0n, inKind }
  }
  const payout = () => ({ ...call, amount: readAmount(body.amount), destination: body.destination })
  const isOrder = body.asset !== undefined
  switch (operation) {
    case 'payouts':
      return format(await payments?.payOut(payout()), body, realNow)
    case 'cancellations':
      return format(
        isOrder
          ? await custodian?.cancelSale({ ...account, order: order() })
          : await payments?.cancelPayOut(payout()),
        ...[body, realNow],
      )
    case 'receipts': {
      const { reference, claimed } = body
      const asked = { ...call, reference, claimed: readAmount(claimed) }
      return format(await payments?.confirmReceipt(asked), body, realNow)
    }
    case 'days':
      return format(
        await payments?.listDay({ ...call, day: body.day, after: body.after }),
        body,
        realNow,
      )
    case 'controls':
      return format(await custodian?.confirmControl(account), body, realNow)
    case 'floors': {
      const floorCents = parseDecimal(body.floor_usd, 2) ?? 0n
      return format(await custodian?.setFloor({ ...account, floorCents }), body, realNow)
    }
    case 'releases':
      return format(await custodian?.releaseLien(account), body, realNow)
    case 'release_cancellations':
      return format(await custodian?.cancelRelease(account), body, realNow)
    case 'positions':
      return format(await custodian?.positions(account), body, realNow)
    case 'readings': {
      const accounts = body.accounts.map((one: Body) => ({
        ...{ account: one.account, facilityId: one.facility_id, borrowerId: one.borrower_id },
      }))
      const readings = (await custodian?.readings({ ...call, accounts })) ?? new Map()
      const rows = [...readings].map(([facilityId, reading]) => ({
        ...{ facility_id: facilityId, ...format(reading, body, realNow) },
      }))
      return { status: 'done', accounts: rows }
    }
    case 'accounts':
      return format(await custodian?.accounts({ ...call, after: body.after }), body, realNow)
    case 'sales': {
      const sale = { ...account, order: order(), placeBy: new Date(body.place_by) }
      return format(await custodian?.sell(sale), body, realNow)
    }
    case 'checks': {
      const { full_name: fullName, email, ...residency } = body.subject
      const { residency_country: residencyCountry, residency_state: residencyState } = residency
      const borrowerType = body.type === 'kyb' ? ('business' as const) : ('individual' as const)
      const subject = { borrowerType, fullName, email, residencyCountry, residencyState }
      const { reference } = body
      const { tenantId } = call
      return format(
        await identity?.verify({ tenantId, checkId: id, subject, reference, now: realNow }),
        ...[body, realNow],
      )
    }
    default:
      throw new Error(`no operation ${operation}`)
  }
}

const formatPositions = (positions: Body) =>
  positions.map(({ asset, units }: Amount) => {
    return { asset, quantity: formatDecimal(units, fractionDigits(asset)) }
  })

/** The answer of a port in the members of the contract. */
function format(answer: Body, { asset, in_kind: inKind }: Body, realNow: Date): Body {
  const { status } = answer
  if (status === 'refused') return answer
  if (status === 'pending') {
    const { askAgainAt, reference } = answer
    const seconds = Math.max(1, Math.ceil((askAgainAt.getTime() - realNow.getTime()) / 1_000))
    return { status, retry_after_seconds: seconds, reference }
  }
  if (status === 'returned') {
    const { amount, code, returnedAt } = answer
    return { status, amount: formatAmount(amount), code, returned_at: returnedAt.toISOString() }
  }
  if ('receipt' in answer) {
    const { receipt } = answer
    if (!receipt) return { status, received: null }
    const { transferId, amount, receivedAt, finalAt } = receipt
    const dates = { received_at: receivedAt?.toISOString(), final_at: finalAt?.toISOString() }
    return { status, received: formatAmount(amount), transfer_id: transferId, ...dates }
  }
  if ('transfers' in answer) {
    const transfers = answer.transfers.map(({ transferId, amount, callId, returns }: Body) => ({
      transfer_id: transferId,
      direction: amount.units > 0n ? 'in' : 'out',
      amount: formatAmount({ ...amount, units: amount.units > 0n ? amount.units : -amount.units }),
      ...{ call_id: callId, returns },
    }))
    const balances = answer.balances.map(formatAmount)
    return { status, time_zone: answer.timeZone, transfers, balances, next: answer.next }
  }
  if ('accounts' in answer) {
    const accounts = answer.accounts.map(({ facilityId, floorCents, positions }: Body) => ({
      facility_id: facilityId,
      floor_usd: floorCents === undefined ? undefined : formatUsd(floorCents),
      positions: formatPositions(positions),
    }))
    return { status, accounts, next: answer.next }
  }
  if ('positions' in answer) return { status, positions: formatPositions(answer.positions) }
  if ('units' in answer) {
    const filled = formatDecimal(answer.units, fractionDigits(asset))
    const executed_at = answer.executedAt?.toISOString()
    const money = {
      proceeds_usd: formatUsd(answer.proceedsCents),
      costs_usd: formatUsd(answer.costsCents),
    }
    return { status, filled_quantity: filled, ...(inKind ? {} : money), executed_at }
  }
  return answer
}
