import { expect, test } from 'vitest'
import { addMs } from '../../../src/core/time.ts'
import { withoutLostTime } from '../../../src/domain/margin/lost-time.ts'
import { DEFAULT_MARGIN_POLICY } from '../../../src/domain/margin/policy.ts'
import type { StoredWarning } from '../../../src/domain/margin/queries.ts'

const BEATEN = new Date('2026-11-20T12:00:00Z')
const after = (seconds: number) => addMs(BEATEN, seconds * 1_000)

function look(warning: StoredWarning, seconds: number): StoredWarning {
  const at = after(seconds)
  const moment = { now: at, realNow: at, beatenAt: BEATEN }
  return withoutLostTime(warning, true, moment, DEFAULT_MARGIN_POLICY)
}

const WARNING: StoredWarning = {
  number: 1,
  tier: 1,
  cureDeadline: after(30),
  windowDeadline: after(30),
  raisedAt: BEATEN,
  ltvAtRaise: '0.710000',
  extendedSeconds: 0,
  unjudgedSince: undefined,
  outagesUntil: BEATEN,
}

test('an outage moves a deadline by all of it, however often it is looked at meanwhile', () => {
  const once = look(WARNING, 111)
  expect(once).toMatchObject({ cureDeadline: after(141), windowDeadline: after(141) })
  const often = [61, 100, 111].reduce(look, WARNING)
  expect(often.cureDeadline).toEqual(once.cureDeadline)
  expect(often.windowDeadline).toEqual(once.windowDeadline)
  expect(often.extendedSeconds).toBe(111)
})

test('a minute without a worker is no outage', () => {
  expect(look(WARNING, 60)).toBe(WARNING)
})
