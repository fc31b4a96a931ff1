import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { ZodError } from 'zod'
import { addMs, type Clock, MINUTE_MS } from '../../core/time.ts'
import { createHttpPool, type HttpPool, NoAnswer, readBounded } from '../http-pool.ts'
import { type OutboundProxy, proxyFor } from '../outbound/outbound-proxy.ts'
import {
  PROVIDER_CONTRACT,
  type SignedCall,
  type SignedClient,
  signCall,
  type VendorCall,
  type VendorSettings,
} from '../vendors/signed-client.ts'
import { type Rule, Wrong } from './rules.ts'

export type Adapter = Pick<VendorSettings, 'url' | 'token' | 'signingSecret'>

type Reply = {
  status: number
  headers: IncomingHttpHeaders
  /** Undefined: more than was allowed. */
  bytes: Buffer | undefined
}

export type Exchange = {
  /** Sends a call and gets its whole answer. Throws `Wrong` if none comes within the deadline. */
  send(call: SignedCall, maxBytes: number): Promise<Reply>
  close(): Promise<void>
}

const MAX_BYTES = 256 * 1024

export function openExchange(deadlineMs: number, proxy?: OutboundProxy): Exchange {
  const pool = createHttpPool({ proxyOf: { https: (target) => proxyFor(target, proxy) } })
  return {
    send: (call, maxBytes) => exchange(pool, call, { deadlineMs, maxBytes }),
    close: () => pool.close(),
  }
}

async function exchange(
  pool: HttpPool,
  { url, body, headers }: SignedCall,
  { deadlineMs, maxBytes }: { deadlineMs: number; maxBytes: number },
): Promise<Reply> {
  const signal = AbortSignal.timeout(deadlineMs)
  try {
    const sent = { accept: 'application/json', ...headers }
    const request = { url: new URL(url), method: 'PUT', headers: sent, body, signal }
    const answer = await pool.send(request)
    const bytes = await readBounded(answer, maxBytes)
    return { status: answer.statusCode ?? 0, headers: answer.headers, bytes }
  } catch (error) {
    if (signal.aborted) throw new Wrong(`no whole answer within ${deadlineMs / 1_000} s`, 'bounds')
    const cause = error instanceof NoAnswer ? error.cause : error
    const detail = cause instanceof Error ? cause.message : String(cause)
    throw new Wrong(`no answer: ${detail}`, 'answer')
  }
}

/** Calls as a live stack makes them, and reads answers as it does; throws `Wrong` for another one. */
export function callingClient(adapter: Adapter, exchange: Exchange, clock: Clock): SignedClient {
  return {
    async put(call) {
      const maxBytes = call.maxAnswerBytes ?? MAX_BYTES
      return readReply(await exchange.send(signCall(call, adapter, clock()), maxBytes), call)
    },
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function readReply<Answer>({ status, headers, bytes }: Reply, call: VendorCall<Answer>): Answer {
  if (status >= 300 && status < 400) {
    throw new Wrong(`answered ${status}, to ${String(headers.location)}`, 'redirect')
  }
  if (status !== 200) throw new Wrong(`answered ${status}`, 'answer')
  if (bytes === undefined) {
    const most = (call.maxAnswerBytes ?? MAX_BYTES) / 1024
    throw new Wrong(`the answer has more than ${most} KiB`, 'bounds')
  }
  const { 'content-encoding': encoding, 'content-type': type = 'none' } = headers
  if (encoding !== undefined) throw new Wrong(`the answer is ${String(encoding)}`, 'bounds')
  if (!/^application\/json\s*(;|$)/i.test(String(type))) {
    throw new Wrong(`Content-Type is ${String(type)}`, 'type')
  }
  try {
    return call.answer.parse(JSON.parse(decoder.decode(bytes)))
  } catch (error) {
    if (error instanceof ZodError) throw new Wrong(describeForm(error), 'form')
    throw new Wrong('the body is not JSON in UTF-8', 'bounds')
  }
}

function describeForm({ issues }: ZodError): string {
  const describe = (message: string) => {
    const [, wanted, given] = /^Invalid input: expected (\w+), received (\w+)$/.exec(message) ?? []
    if (given === 'undefined') return 'is missing'
    if (given !== undefined) return `is a ${given}, and must be a ${wanted}`
    return message.replace(/^Invalid [^.:]+[.:] expected (one of )?/i, 'must be ')
  }
  return issues
    .map(
      ({ path, message }) => `${path.map(String).join('.') || 'the answer'} ${describe(message)}`,
    )
    .join('; ')
}

type Sign = (call: VendorCall<unknown>, adapter: Adapter, now: Date) => SignedCall

const TEN_MINUTES_MS = 10 * MINUTE_MS

/** Changes a call after it was signed. */
const changed =
  (change: (call: SignedCall) => Partial<SignedCall>): Sign =>
  (...args) => {
    const call = signCall(...args)
    return { ...call, ...change(call) }
  }
const withHeader = (name: string, value: string) =>
  changed(({ headers }) => ({ headers: { ...headers, [name]: value } }))
const signedAt =
  (ms: number): Sign =>
  (call, adapter, now) =>
    signCall(call, adapter, addMs(now, ms))

const UNKNOWN_CONTRACT = String(Number(PROVIDER_CONTRACT) + 998)

const TAMPERED: readonly { step: string; rule: Rule; sign: Sign }[] = [
  {
    ...{ step: 'signed with another secret', rule: 'turnedAway' },
    sign: (call, adapter, now) => signCall(call, { ...adapter, signingSecret: randomUUID() }, now),
  },
  {
    ...{ step: 'without a signature', rule: 'turnedAway' },
    sign: changed(({ headers: { 'x-svc-signature': _signature, ...headers } }) => ({ headers })),
  },
  {
    ...{ step: 'with another body than was signed', rule: 'verify' },
    sign: changed(({ body }) => ({ body: `${body} ` })),
  },
  {
    ...{ step: 'at another address than was signed', rule: 'verify' },
    sign: changed(({ url }) => ({ url: `${url}?changed=1` })),
  },
  { step: 'signed ten minutes ago', rule: 'verify', sign: signedAt(-TEN_MINUTES_MS) },
  { step: 'signed ten minutes ahead', rule: 'verify', sign: signedAt(TEN_MINUTES_MS) },
  {
    ...{ step: 'with another token', rule: 'turnedAway' },
    sign: withHeader('authorization', 'Bearer another-token-than-yours'),
  },
  {
    ...{ step: `of contract ${UNKNOWN_CONTRACT}`, rule: 'number' },
    sign: withHeader('x-provider-contract', UNKNOWN_CONTRACT),
  },
]

/** The adapter turned the call away, as it must. */
export class TurnedAway extends Error {}

/** Clients whose calls an adapter must turn away: they throw `TurnedAway`, or `Wrong`. */
export function tamperingClients(
  adapter: Adapter,
  exchange: Exchange,
  clock: Clock,
): Map<string, SignedClient> {
  const clients = TAMPERED.map(({ step, rule, sign }) => {
    const client: SignedClient = {
      async put(call) {
        const { status } = await exchange.send(sign(call, adapter, clock()), MAX_BYTES)
        if (status === 200) throw new Wrong('answered 200', rule)
        throw new TurnedAway(`answered ${status}`)
      },
    }
    return [step, client] as const
  })
  return new Map(clients)
}
