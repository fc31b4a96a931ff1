import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Checked } from '../../../src/providers/check/check-adapter.ts'
import type { Mistake } from '../../support/servers/adapter.ts'
import type { Body } from '../../support/servers/vendor-books.ts'
import { type SandboxCheck, sandboxForFile, wrongOf } from './sandbox.ts'

const sandbox = sandboxForFile()

/** Changes what is answered to calls of one operation that ended in this way. */
const answering = (
  operation: string,
  change: (answer: Body, before: number) => Body,
  status = 'done',
): Mistake => ({
  answer: (answer, call) =>
    call.operation === operation && answer.status === status ? change(answer, call.before) : answer,
})

/** Writes the answers of payouts by itself. */
const responding = (write: NonNullable<Mistake['respond']>): Mistake => ({
  respond: (response, text, call) =>
    call.operation === 'payouts' && write(response, text, call) !== false,
})

const listing = (change: (rows: Body[]) => Body[]) =>
  answering('days', (answer) => ({ ...answer, transfers: change(answer.transfers) }))

function paysWhatWasCancelled(): Mistake {
  const cancelled = new Set<string>()
  return {
    take(call) {
      if (call.operation === 'cancellations') cancelled.add(call.id)
      const isLate = call.operation === 'payouts' && cancelled.has(call.id)
      return isLate ? { ...call, id: `${call.id}.1` } : call
    },
  }
}

/** The answer is the same, and hides it. */
function paysAgain(): Mistake {
  const again = /\.1$/
  return {
    take(call) {
      const isAgain = call.operation === 'payouts' && call.before === 1
      return isAgain ? { ...call, id: `${call.id}.1` } : call
    },
    answer(answer, { operation }) {
      if (operation === 'payouts' && answer.reference) return { ...answer, reference: 'wire' }
      if (operation === 'cancellations' && answer.reference) return { ...answer, reference: 'wire' }
      if (operation !== 'days') return answer
      const transfers = answer.transfers.map((row: Body) => ({
        ...{ ...row, call_id: row.call_id?.replace(again, '') },
      }))
      return { ...answer, transfers }
    },
  }
}

/** The floor of the last call, whatever its sequence. */
function forgetsSequences(): Mistake {
  let floor: unknown
  return {
    answer(answer, { operation, body }) {
      if (operation === 'floors') floor = body.floor_usd
      if (operation !== 'accounts') return answer
      return {
        ...answer,
        accounts: answer.accounts.map((one: Body) => ({ ...one, floor_usd: floor })),
      }
    },
  }
}

function hangsOnce(): Mistake {
  let hasHung = false
  return responding(() => {
    const isFirst = !hasHung
    hasHung = true
    return isFirst
  })
}

const AWAITING_CALLBACKS: SandboxCheck = { hasCallbacks: true, callbackMs: 1_000 }

type Planted = [mistake: string, Mistake, line: string, options?: SandboxCheck]

const PLANTED: Record<Checked, Planted[]> = {
  payments: [
    [
      'answers 201',
      responding((r, text) => Boolean(r.writeHead(201).end(text))),
      'payouts, first: answered 201',
    ],
    [
      'redirects',
      responding((r) => Boolean(r.writeHead(307, { location: '/v2' }).end())),
      'payouts, first: answered 307, to /v2',
    ],
    [
      'answers with a huge body',
      responding((r, text) => {
        r.setHeader('content-type', 'application/json')
        return Boolean(r.end(text.padEnd(300 * 1024)))
      }),
      'payouts, first: the answer has more than 256 KiB',
    ],
    [
      'answers as HTML',
      responding((r, text) => {
        r.setHeader('content-type', 'text/html')
        return Boolean(r.end(text))
      }),
      'payouts, first: Content-Type is text/html',
    ],
    [
      'compresses its answers',
      responding((r, text) => {
        r.setHeader('content-type', 'application/json')
        r.setHeader('content-encoding', 'gzip')
        return Boolean(r.end(gzipSync(text)))
      }),
      'payouts, first: the answer is gzip',
    ],
    [
      'answers what is no JSON',
      responding((r) => {
        r.setHeader('content-type', 'application/json')
        return Boolean(r.end('<html>'))
      }),
      'payouts, first: the body is not JSON in UTF-8',
    ],
    [
      'answers too late',
      hangsOnce(),
      'payouts, first: no whole answer within 1 s',
      { deadlineMs: 1_000 },
    ],
    [
      'gives another answer to a call that comes again',
      answering('payouts', (a, before) => ({ ...a, reference: `${a.reference}-${before}` })),
      'payouts, sent again: answered done {"reference":"sandbox-…-1"}, and before done {"reference":"sandbox-…-0"}',
    ],
    [
      'leaves a member out',
      answering('payouts', () => ({ status: 'done' })),
      'payouts, first: reference is missing',
    ],
    [
      'writes a member in another form',
      answering('receipts', ({ transfer_id: transferId, ...a }) => ({ ...a, transferId })),
      'receipts, first: the answer must name the transfer that was received',
    ],
    [
      'writes an amount as a number',
      answering('receipts', (a) => ({
        ...a,
        received: a.received && { ...a.received, amount: Number(a.received.amount) },
      })),
      'receipts, first: received.amount is a number, and must be a string',
    ],
    [
      'answers in another currency',
      answering('receipts', (a) => ({
        ...a,
        received: a.received && { ...a.received, asset: 'EUR' },
      })),
      'receipts, first: names 1.17 EUR, and 1.17 USD were moved',
    ],
    [
      'takes a wrong signature',
      { unchecked: 'signature' },
      'payouts, signed with another secret: answered 200',
    ],
    [
      'takes an old timestamp',
      { unchecked: 'timestamp' },
      'payouts, signed ten minutes ago: answered 200',
    ],
    ['takes any token', { unchecked: 'token' }, 'payouts, with another token: answered 200'],
    [
      'takes any number of the contract',
      { unchecked: 'contract' },
      'payouts, of contract 999: answered 200',
    ],
    [
      'forgets a return',
      answering(
        'payouts',
        (a, before) => (before > 1 ? { status: 'done', reference: 'wire-1' } : a),
        'returned',
      ),
      'payouts, returned, sent again: answered done {"reference":"wire-1"}, and before returned {"amount":{"asset":"USD","units":"107"},"code":"recalled","returnedAt":"…"}',
    ],
    [
      'returns another amount',
      answering(
        'receipts',
        (a) => ({ ...a, amount: { amount: '0.01', asset: 'USD' } }),
        'returned',
      ),
      'receipts, returned: names 0.01 USD, and 1.21 USD were moved',
    ],
    [
      'is pending for ever',
      {
        answer: (answer, { body }) =>
          /\+pending/.test(body.destination)
            ? { status: 'pending', retry_after_seconds: 5 }
            : answer,
      },
      'payouts, pending: still pending after 60 s',
    ],
    [
      'writes the pause as a text',
      answering('payouts', (a) => ({ ...a, retry_after_seconds: '3' }), 'pending'),
      'payouts, pending: retry_after_seconds is a string, and must be a number',
    ],
    [
      'refuses without a code',
      answering('payouts', () => ({ status: 'refused', retryable: true }), 'refused'),
      'payouts, refused: code is missing',
    ],
    [
      'pays again what comes again',
      paysAgain(),
      'days, each movement once: lists the payout of -1.03 USD (…) 2 times',
    ],
    [
      'pays what was cancelled',
      paysWhatWasCancelled(),
      'payouts, after it was cancelled: answered done {"reference":"sandbox-…/1"}',
    ],
    [
      'leaves a transfer out of the list of a day',
      listing((rows) =>
        rows.filter(({ amount, direction }) => `${direction} ${amount.amount}` !== 'out 1.03'),
      ),
      'days, each movement once: leaves out the payout of -1.03 USD (…)',
    ],
    [
      'lists a transfer twice',
      listing((rows) => [
        ...rows,
        ...rows
          .filter((row) => row.direction === 'out' && !row.returns)
          .map((row) => ({ ...row, transfer_id: `${row.transfer_id}-2` })),
      ]),
      'days, each movement once: lists the payout of -1.03 USD (…) 2 times',
    ],
    [
      'lists calls under ids of another form',
      listing((rows) => rows.map((row) => ({ ...row, call_id: `svc_${row.call_id}` }))),
      'days, each movement once: leaves out the payout of -1.03 USD (…)',
    ],
    [
      'leaves a return out of the list of a day',
      listing((rows) => rows.filter((row) => !row.returns)),
      'days, each return: leaves out the return of -1.07 USD (…)',
    ],
    [
      'has a wrong balance',
      answering('days', (a) => ({ ...a, balances: [{ amount: '7.00', asset: 'USD' }] })),
      'days, balances: the balance changed by 0.00 USD, the transfers by 0.42 USD',
    ],
    [
      'does not sign callbacks',
      { callback: (c) => ({ ...c, secret: '' }) },
      'callbacks, verified: is not signed',
      AWAITING_CALLBACKS,
    ],
    [
      'signs callbacks with another secret',
      { callback: (c) => ({ ...c, secret: 'another' }) },
      'callbacks, verified: is wrongly signed',
      AWAITING_CALLBACKS,
    ],
    [
      'repeats a callback with other content',
      { callback: (c, times) => ({ ...c, body: c.body.replace('{', `{"times":${times},`) }) },
      'callbacks, verified: … came again with another body',
      AWAITING_CALLBACKS,
    ],
    [
      'dates callbacks wrongly',
      { callback: (c) => ({ ...c, seconds: c.seconds - 600 }) },
      'callbacks, verified: has no X-SVC-Timestamp within 300 s',
      AWAITING_CALLBACKS,
    ],
    [
      'calls nobody back about a return',
      { callback: () => undefined },
      'callbacks, about money that came back: none that verifies named … within 1 s',
      AWAITING_CALLBACKS,
    ],
  ],
  custodian: [
    [
      'writes btc for BTC',
      answering('positions', (a) => ({
        ...a,
        positions: a.positions.map((p: Body) => ({ ...p, asset: p.asset.toLowerCase() })),
      })),
      'positions, first: positions.0.asset must be spelled exactly like our code; positions.1.asset must be spelled exactly like our code',
    ],
    [
      'leaves a facility out of its accounts',
      answering('accounts', (a) => ({ ...a, accounts: [] })),
      'accounts, lists the facility: leaves out …',
    ],
    [
      'forgets the sequence of a floor',
      forgetsSequences(),
      'accounts, with its floor: the floor is 100.05, and 100.09 was set',
    ],
    [
      'holds another quantity in its accounts',
      answering('accounts', (a) => ({
        ...a,
        accounts: a.accounts.map((one: Body) => ({ ...one, positions: [] })),
      })),
      'accounts, with its positions: the account holds nothing, by positions 1 BTC, 10 USDC',
    ],
    [
      'reads only some accounts',
      answering('readings', (a) => ({ ...a, accounts: [] })),
      'readings, of one account: the account is unanswered',
    ],
    [
      'sells after place_by',
      {
        take: (call) =>
          call.operation === 'sales'
            ? { ...call, body: { ...call.body, place_by: '2099-01-01T00:00:00Z' } }
            : call,
      },
      'sales, after place_by: answered done {"units":"100000","proceedsCents":"10000","costsCents":"100","executedAt":"…"}',
    ],
    [
      'fills more than was ordered',
      answering('sales', (a) => ({ ...a, filled_quantity: '2' })),
      'sales, first: filled 2 BTC of 0.001 BTC',
    ],
  ],
  compliance: [
    [
      'answers a check in words of its own',
      answering('checks', () => ({ status: 'approved' }), 'passed'),
      "checks, first: status must be 'passed' | 'failed' | 'review' | 'pending'",
    ],
  ],
}

const ID = /[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}(\.\d+)?|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+Z/g
const withoutIds = (line: string) => line.replaceAll(ID, '…').replaceAll(INSTANT, '…')

const planted = Object.entries(PLANTED).flatMap(([provider, rows]) =>
  rows.map((row) => [row[0], provider as Checked, row] as const),
)

test.each(planted)('an adapter that %s is found', async (_name, provider, planted) => {
  const [, mistake, line, options] = planted
  const steps = await sandbox.check(provider, { ...options, mistake })
  expect(wrongOf(steps).map(withoutIds).join('\n')).toContain(line)
})
