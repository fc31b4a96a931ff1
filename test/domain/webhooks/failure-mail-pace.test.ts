import { expect, test } from 'vitest'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts'
import { planNextMail, type RecentMail } from '../../../src/domain/webhooks/failure-mail-pace.ts'

const now = new Date('2026-11-28T12:00:00Z')
const mail = (agoMs: number, ...webhookIds: string[]): RecentMail => ({
  reservedAt: addMs(now, -agoMs),
  webhookIds,
})
const plan = (waiting: string[], ...recent: RecentMail[]) => planNextMail({ waiting, recent }, now)

test('what waits is one mail, and without anything that waits there is none', () => {
  expect(plan(['a', 'b'])).toEqual({ kind: 'mail', webhookIds: ['a', 'b'] })
  expect(plan([], mail(MINUTE_MS, 'a'))).toEqual({ kind: 'none' })
})

test('a webhook that was in a mail within the hour waits, and another does not', () => {
  const recent = mail(20 * MINUTE_MS, 'a', 'b')
  expect(plan(['a', 'c'], recent)).toEqual({ kind: 'mail', webhookIds: ['c'] })
  expect(plan(['b', 'a'], recent)).toEqual({ kind: 'wait', until: addMs(now, 40 * MINUTE_MS) })
  expect(plan(['a'], mail(HOUR_MS, 'a'))).toEqual({ kind: 'mail', webhookIds: ['a'] })
})

test('after ten mails in a day the next comes a day after the first of them, about any webhook', () => {
  const nine = Array.from({ length: 9 }, (_, n) => mail((n + 2) * HOUR_MS, 'a'))
  expect(plan(['b'], ...nine)).toEqual({ kind: 'mail', webhookIds: ['b'] })
  const ten = [mail(23 * HOUR_MS, 'z'), ...nine]
  expect(plan(['b'], ...ten)).toEqual({ kind: 'wait', until: addMs(now, HOUR_MS) })
  expect(plan(['b'], ...ten.toReversed())).toEqual({ kind: 'wait', until: addMs(now, HOUR_MS) })
  expect(plan(['b'], mail(DAY_MS, 'z'), ...nine)).toMatchObject({ kind: 'mail' })
})

test('of more webhooks than a mail has room for the others wait for the next', () => {
  const many = Array.from({ length: 30 }, (_, n) => `w${n}`)
  expect(plan(many)).toEqual({ kind: 'mail', webhookIds: many.slice(0, 20) })
  expect(plan(many, mail(MINUTE_MS, ...many.slice(0, 20)))).toEqual({
    kind: 'mail',
    webhookIds: many.slice(20),
  })
})
