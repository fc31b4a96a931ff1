import { expect, test } from 'vitest'
import { addMs, MINUTE_MS } from '../../../src/core/time.ts'
import { describeFailure, planRetry } from '../../../src/domain/work/failure.ts'
import { TOPICS, type Topic } from '../../../src/domain/work/topics.ts'
import { NoAnswer } from '../../../src/providers/http-pool.ts'
import {
  VendorFailure,
  type VendorFailureReason,
} from '../../../src/providers/vendors/vendor-failure.ts'

/** A place in the image, where API and worker are built. */
const BUILT = 'file:///app/dist/service'

function describeAt(lines: readonly string[]): string {
  const error = new TypeError('ada@example.com is not a function')
  error.stack = [`TypeError: ${error.message}`, ...lines.map((line) => `    at ${line}`)].join('\n')
  return describeFailure(error)
}

test('of what is built, the first line that is not of a package is named with its function', () => {
  const lines = [
    `Parser.parse (${BUILT}/packages-pg-protocol-DGyoF2Xq.js:117:25)`,
    `async claimDue (${BUILT}/start-worker-DVwn68ds.js:812:17)`,
    `async run (${BUILT}/start-worker-DVwn68ds.js:990:3)`,
  ]
  expect(describeAt(lines)).toBe('TypeError at claimDue@start-worker-DVwn68ds.js:812')
})

test('a function without a name is named by its line', () => {
  expect(describeAt([`${BUILT}/policy-Dl0CMXa1.js:41:9`])).toBe(
    'TypeError at policy-Dl0CMXa1.js:41',
  )
  const anonymous = [`<anonymous> (${BUILT}/policy-Dl0CMXa1.js:41:9)`]
  expect(describeAt(anonymous)).toBe('TypeError at policy-Dl0CMXa1.js:41')
})

test('of the sources their file is named, and of packages alone nothing', () => {
  const source = 'async claimDue (file:///app/src/domain/work/claim.ts:80:17)'
  expect(describeAt([source])).toBe('TypeError at domain/work/claim.ts:80')
  expect(describeAt(['Parser.parse (/app/node_modules/pg-protocol/parser.js:117:25)'])).toBe(
    'TypeError',
  )
})

const NOW = new Date('2026-11-20T12:00:00Z')

function pauseMinutes(topic: Topic, attempts: number, error: unknown = new Error('out of order')) {
  const { at } = planRetry({ topic, attempts }, error, { now: NOW, random: () => 1 })
  return (at.getTime() - NOW.getTime()) / MINUTE_MS
}

/** The longest pause of each kind of work, in minutes. */
const LONGEST: Record<Topic, number> = {
  ...{ 'sell-collateral': 1, 'escalate-warning': 1, 'confirm-push': 1 },
  ...{ 'release-draw': 1, 'pay-refund': 1, 'check-payment': 1, 'confirm-repayment': 60 },
  ...{ 'release-lien': 1, 'push-floor': 1, 'apply-portfolio-source': 1 },
  ...{ 'read-positions': 1, 'read-positions-alone': 1, 'check-push': 1 },
  ...{ 'read-for-write-off': 1 },
  ...{ 'evaluate-borrower': 60, 'underwrite-facility': 60, 'mail-failure': 60, 'mail-person': 60 },
  ...{ 'evaluate-facility': 1, 'evaluate-tenant': 1, 'refresh-floor': 1, 'recheck-push': 1 },
  'amend-facility': 1,
  ...{ 'evaluate-after-price': 1, 'evaluate-after-collateral': 1, 'evaluate-after-repayment': 1 },
  ...{ 'evaluate-after-correction': 1 },
  ...{ 'expire-repayment': 10, 'decide-facility': 10, 'accrue-interest': 10 },
  ...{ 'receipt-final': 10 },
  ...{ 'advance-clock': 10, 'recover-webhook': 10 },
}

test.each(Object.keys(TOPICS) as Topic[])('%s that fails on never waits longer', (topic) => {
  expect(pauseMinutes(topic, 1_000)).toBe(LONGEST[topic])
})

test('onboarding, confirmations and mails that fail back off for 1, 2, 5, 15 and 60 minutes', () => {
  for (const topic of [
    'evaluate-borrower',
    'confirm-repayment',
    'mail-failure',
    'mail-person',
  ] as const) {
    const pauses = [0, 1, 2, 3, 4, 5].map((attempts) => pauseMinutes(topic, attempts))
    expect(pauses).toEqual([1, 2, 5, 15, 60, 60])
  }
})

const VENDOR_FAILURES: [VendorFailureReason, minutes: number][] = [
  ...(['timeout', 'breaker_open', 'busy'] as const).map((reason): [typeof reason, number] => [
    reason,
    1,
  ]),
  ...(['status_5xx', 'garbage', 'status_4xx', 'network'] as const).map(
    (reason): [typeof reason, number] => [reason, 60],
  ),
]

test.each(VENDOR_FAILURES)(
  'a confirmation that failed often waits after "%s" for %i minutes at most',
  (reason, minutes) => {
    const failure = new VendorFailure({ provider: 'payments', operation: 'receipts' }, reason)
    expect(pauseMinutes('confirm-repayment', 9, failure)).toBe(minutes)
  },
)

test.each([
  ['connect', 1],
  ['tls', 1],
  ['answer', 60],
] as const)(
  'a confirmation that failed often without an answer, at "%s", waits for %i minutes at most',
  (phase, minutes) => {
    const named = { provider: 'payments', operation: 'receipts' }
    const cause = new NoAnswer(phase, new Error('closed'))
    const failure = new VendorFailure(named, 'network', { cause })
    expect(pauseMinutes('confirm-repayment', 9, failure)).toBe(minutes)
  },
)

test('a retry is spread over the second half of its pause', () => {
  const claim = { topic: 'confirm-repayment', attempts: 1 } as const
  const { at } = planRetry(claim, new Error('out of order'), { now: NOW, random: () => 0 })
  expect(at).toEqual(addMs(NOW, MINUTE_MS))
})
