import { expect, test } from 'vitest'
import { addMs, MINUTE_MS, SECOND_MS } from '../../../src/core/time.ts'
import {
  admit,
  type Breaker,
  type Caller,
  CLOSED,
  MAX_REMEMBERED,
  type Outcome,
  record,
} from '../../../src/providers/vendors/breaker.ts'

const operation = 'receipts'
const START = new Date('2026-11-20T12:00:00Z')
const LIMITS = { failures: 5, windowMs: 2 * MINUTE_MS, pauseMs: 10 * SECOND_MS }

/** Such as `a1`: the first item of tenant a; `own`: a call for no tenant. */
const callerOf = (name: string): Caller | undefined =>
  name === 'own' ? undefined : { tenantId: `ten_${name[0]}`, subject: name }

const OUTCOMES: Record<string, Outcome> = {
  ok: 'answered',
  no: 'refused',
  bad: 'faulty',
  gone: 'unreachable',
}

/** Plays steps such as `a1 bad` (a call ends so) or `+10` (seconds pass). */
function play(steps: string, before: Breaker = CLOSED, from = START) {
  let breaker = before
  let now = from
  for (const step of steps.split(', ')) {
    const [who = '', how = ''] = step.split(' ')
    if (who.startsWith('+')) {
      now = addMs(now, Number(who) * SECOND_MS)
      continue
    }
    const call = { caller: callerOf(who), operation, hasFailed: false, now }
    breaker = admit(breaker, call, LIMITS).breaker
    breaker = record(breaker, { ...call, outcome: OUTCOMES[how] as Outcome }, LIMITS)
  }
  return { breaker, now }
}

const ONE_TENANT = 'a1 bad, a2 bad, a3 bad, a4 bad, a5 bad'
const TWO_TENANTS = 'a1 bad, a2 bad, a3 bad, a4 bad, b1 bad'
const GONE = 'a1 gone, a1 gone, a1 gone, a1 gone, a1 gone'
const DAY = 24 * 60 * 60

/** The steps with so many seconds between them. */
const spread = (seconds: number, steps: string) => steps.replaceAll(', ', `, +${seconds}, `)

test.each<[name: string, steps: string, state: string, held: unknown]>([
  ['nothing has failed', 'a1 ok', 'closed', undefined],
  ['fewer fail than the limit', 'a1 gone, b1 gone, a2 bad, b2 bad', 'closed', undefined],
  ['one item cannot be answered', `${GONE}`, 'open', 'all'],
  ['an answer came in between', 'a1 gone, a1 gone, b1 ok, a1 gone, a1 gone', 'closed', undefined],
  ['one item gets bad answers', Array(9).fill('a1 bad').join(', '), 'closed', undefined],
  ['five items of one tenant get bad answers', ONE_TENANT, 'open', { id: 'ten_a' }],
  ['four items of one tenant do', 'a1 bad, a2 bad, a3 bad, a4 bad, a4 bad', 'closed', undefined],
  ['items of two tenants get bad answers', TWO_TENANTS, 'open', 'all'],
  [
    'a refusal came in between',
    `a1 bad, b1 no, a2 bad, a3 bad, a4 bad, a5 bad`,
    'open',
    { id: 'ten_a' },
  ],
  [
    'a success of another tenant came in between',
    'a1 bad, a2 bad, a3 bad, b1 ok, a4 bad, a5 bad',
    'closed',
    undefined,
  ],
  ['our own calls get bad answers', Array(5).fill('own bad').join(', '), 'open', 'all'],
  ['another tenant is answered while one is held', `${ONE_TENANT}, b1 ok`, 'closed', undefined],
  ['another tenant fails too', `${ONE_TENANT}, b1 bad`, 'open', 'all'],
  [
    'the held tenant alone fails on',
    `${ONE_TENANT}, +10, a6 bad, +10, a7 bad`,
    'open',
    { id: 'ten_a' },
  ],
  ['a try after the pause fails', `${GONE}, +10, b1 bad`, 'open', 'all'],
  ['a try after the pause is answered', `${GONE}, +10, b1 ok`, 'closed', undefined],
  ['a try after the pause is refused', `${GONE}, +10, b1 no`, 'open', 'all'],
  ['tries after bad answers are refused', `${TWO_TENANTS}, +10, c1 no, d1 no`, 'open', 'all'],
  ['a try of the held tenant is refused', `${ONE_TENANT}, +10, a6 no`, 'open', { id: 'ten_a' }],
  ['a try is answered after refusals', `${GONE}, +10, a1 no, b1 ok`, 'closed', undefined],
  [
    'a refusal came between outages',
    'a1 gone, a1 gone, b1 no, a1 gone, a1 gone',
    'closed',
    undefined,
  ],
  ['failures are days apart', spread(DAY, GONE), 'closed', undefined],
  [
    'failures of our own are days apart',
    spread(DAY, Array(9).fill('own bad').join(', ')),
    'closed',
    undefined,
  ],
  ['failing items of a tenant are minutes apart', spread(60, ONE_TENANT), 'closed', undefined],
  ['failures of two tenants are half a minute apart', spread(30, TWO_TENANTS), 'closed', undefined],
  ['they are less than half a minute apart', spread(29, TWO_TENANTS), 'open', 'all'],
  ['the last failures of a row are close', `a1 gone, +${DAY}, ${GONE}`, 'open', 'all'],
  [
    'a failure of another tenant is old',
    `b1 bad, +${DAY}, a1 bad, a2 bad, a3 bad, a4 bad`,
    'closed',
    undefined,
  ],
  ['an outage lasts for days', `${GONE}, +${DAY}, b1 gone`, 'open', 'all'],
  [
    'the held tenant fails again after days',
    `${ONE_TENANT}, +${DAY}, a6 bad`,
    'open',
    { id: 'ten_a' },
  ],
  [
    'another tenant fails days after one is held',
    `${ONE_TENANT}, +${DAY}, b1 bad`,
    'open',
    { id: 'ten_a' },
  ],
  [
    'the items of another tenant fail days after one is held',
    `${ONE_TENANT}, +${DAY}, ${ONE_TENANT.replaceAll('a', 'b').replaceAll('bbd', 'bad')}`,
    'open',
    { id: 'ten_b' },
  ],
])('when %s', (_name, steps, state, held) => {
  const { breaker } = play(steps)
  expect({ state: breaker.state, held: breaker.held?.tenant }).toEqual({ state, held })
})

/** Each call that is admitted stays on its way. `!`: the item has failed before. */
test.each<[name: string, before: string, calls: string, admitted: boolean[]]>([
  ['closed: all', 'a1 bad', 'a1! a2 b1 own', [true, true, true, true]],
  [
    'open: none before the pause is over',
    `${GONE}, +9`,
    'a1! a2 b1 own',
    [false, false, false, false],
  ],
  ['open: one of each tenant after it', `${GONE}, +10`, 'a2 a3 b1 b2', [true, false, true, false]],
  [
    'open: none that failed before is the test',
    `${TWO_TENANTS}, +10`,
    'a1! a2! a5 b1! b2',
    [false, false, true, false, true],
  ],
  [
    'open: one that failed before is repeated when nothing else was answered for a further pause',
    `${TWO_TENANTS}, +20`,
    'a1! a2! a5 b1! b2',
    [true, false, true, true, true],
  ],
  [
    'open: what always fails is tried again after the next pause only',
    `${TWO_TENANTS}, +10, a9 bad, +9`,
    'a8',
    [false],
  ],
  ['one tenant held: all of the others', ONE_TENANT, 'a6 b1 b2 own', [false, true, true, true]],
  [
    'one tenant held: one of its own after the pause',
    `${ONE_TENANT}, +10`,
    'a1! a2! a6 a7',
    [false, false, true, false],
  ],
])('calls are admitted while %s', (_name, before, calls, admitted) => {
  let { breaker, now } = play(before)
  const seen = calls.split(' ').map((name) => {
    const caller = callerOf(name.replace('!', ''))
    const call = { caller, operation, hasFailed: name.endsWith('!'), now }
    const next = admit(breaker, call, LIMITS)
    breaker = next.breaker
    return next.isAdmitted
  })
  expect(seen).toEqual(admitted)
})

test.each([
  [false, 'half_open'],
  [true, 'open'],
])('when an item tries that has failed before (%s) the breaker is %s', (hasFailed, state) => {
  const { breaker, now } = play(`${GONE}, +20`)
  const next = admit(breaker, { caller: callerOf('b1'), operation, hasFailed, now }, LIMITS)
  expect(next.isAdmitted).toBe(true)
  expect(next.breaker.state).toBe(state)
})

test('however often one item fails, the other failing items of its tenant are remembered', () => {
  const flood = Array(200).fill('a1 bad').join(', ')
  expect(play(`a2 bad, a3 bad, a4 bad, ${flood}, a5 bad`).breaker.held?.tenant).toEqual({
    id: 'ten_a',
  })
})

test('an outage began with the oldest failure that counted, however long it lasts', () => {
  const { breaker } = play(`a1 gone, +${DAY}, a1 gone, +1, ${GONE}, +${DAY}, b1 gone`)
  expect(breaker.held?.since).toEqual(addMs(START, DAY * SECOND_MS))
})

test('the failures that a breaker remembers do not grow', () => {
  const steps = Array.from({ length: 1_000 }, (_, at) => `a${at} bad`).join(', ')
  expect(play(steps).breaker.failures.length).toBeLessThanOrEqual(MAX_REMEMBERED)
})
