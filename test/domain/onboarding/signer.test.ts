import { expect, test } from 'vitest'
import { hasBidiOverride, isMailbox, isScreenable } from '../../../src/domain/onboarding/signer.ts'

const LABEL = 'a'.repeat(63)

test.each([
  ['ada@example.com'],
  ['ADA+review@Example.COM'],
  ['r&d@example.com'],
  ['a/b=c@example.com'],
  ["!#$%&'*+-/=?^_`{|}~@example.com"],
  ['ada.lovelace@mail.example.co.uk'],
  ['jörg@bücher.example'],
  ['用户@例子.公司'],
  ['ada@xn--bcher-kva.example'],
  ['"ada lovelace"@example.com'],
  ['"a@b\\"c"@example.com'],
  ['ada@localhost'],
  ['ada@[192.0.2.1]'],
  ['ada@[IPv6:2001:db8::1]'],
  [`${'a'.repeat(64)}@example.com`],
  [`${'ö'.repeat(32)}@example.com`],
  [`ada@${LABEL}.${LABEL}.${LABEL}.${'a'.repeat(58)}`],
])('%s is a mailbox', (address) => expect(isMailbox(address)).toBe(true))

test.each([
  [''],
  ['ada'],
  ['@example.com'],
  ['ada@'],
  ['.ada@example.com'],
  ['ada.@example.com'],
  ['ada..b@example.com'],
  ['ada b@example.com'],
  ['ada@b@example.com'],
  ['ada(comment)@example.com'],
  ['<ada@example.com>'],
  ['ada@example..com'],
  ['ada@.example.com'],
  ['ada@example.com.'],
  ['ada@-example.com'],
  ['ada@example-.com'],
  ['ada@exa_mple.com'],
  ['ada@exam%2eple.com'],
  ['ada@[192.0.2]'],
  ['ada@[2001:db8::1]'],
  ['ada@[IPv6:fe80::1%eth0]'],
  ['ada\n@example.com'],
  ['ada\u0085@example.com'],
  ['ada\u00a0@example.com'],
  ['ada\u202e@example.com'],
  ['ada\ud800@example.com'],
  ['ada@exam\u3000ple.com'],
  ['"ada'.concat('@example.com')],
  [`${'a'.repeat(65)}@example.com`],
  [`${'ö'.repeat(33)}@example.com`],
  [`ada@${LABEL}a.example`],
  [`ada@${'ö'.repeat(60)}.example`],
  [`ada@${LABEL}.${LABEL}.${LABEL}.${'a'.repeat(59)}`],
])('%j is no mailbox', (address) => expect(isMailbox(address)).toBe(false))

test('a long address is refused as fast as any other', () => {
  const started = performance.now()
  for (const piece of ['a.', '"', '\\', 'ö', '@', '-']) isMailbox(`${piece.repeat(100_000)}@a`)
  expect(performance.now() - started).toBeLessThan(1_000)
})

test.each([['Ada Lovelace'], ['李'], ['محمد'], ['O’Brien-Smith 3rd'], ['Я.'], ['\u200dक्षि']])(
  '%s can be screened',
  (name) => expect(isScreenable(name)).toBe(true),
)

test.each([
  [' '],
  ['.'],
  ['12345'],
  ['\u00a0\u3000'],
  ['\u200b\u200d\ufeff'],
  ['\u0301'],
  ['\u3164\u115f\uffa0'],
  ['\u2800'],
  ['\u0378\u{e0fff}'],
  ['🦆'],
])('%j cannot be screened', (name) => expect(isScreenable(name)).toBe(false))

test('both bidi overrides are found, marks of direction are not', () => {
  expect(['a\u202eb', '\u202da'].map(hasBidiOverride)).toEqual([true, true])
  expect(['\u200fא', '\u2067א\u2069'].map(hasBidiOverride)).toEqual([false, false])
})
