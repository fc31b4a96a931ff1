import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addMs, HOUR_MS } from '../../../src/core/time.ts'
import { isDistributed } from '../../../src/db/cluster/distribution.ts'
import { inTransaction, type Tx } from '../../../src/db/database.ts'
import { audit, termsOf } from '../../../src/domain/audit/audit.ts'
import type { Read, Violation } from '../../../src/domain/audit/check.ts'
import { CHECKS } from '../../../src/domain/audit/checks.ts'
import { runScans } from '../../../src/domain/audit/run-scans.ts'
import { readProgress } from '../../../src/domain/audit/runs.ts'
import { openBusyHouse } from '../../support/lending/busy-house.ts'
import type { Lending } from '../../support/lending/lending.ts'
import { LONG_SCENARIO_MS } from '../../support/process/patience.ts'
import { DELIVERY_BREAKS } from './delivery-breaks.ts'
import { EVENT_BREAKS } from './event-breaks.ts'
import { MARGIN_BREAKS } from './margin-breaks.ts'
import { MONEY_BREAKS } from './money-breaks.ts'
import { OPERATOR_BREAKS } from './operator-breaks.ts'
import { PERMITTED } from './permitted.ts'
import { tamper } from './tamper.ts'
import { TENANT_BREAKS } from './tenant-breaks.ts'

const BREAKS = [
  ...EVENT_BREAKS,
  ...OPERATOR_BREAKS,
  ...DELIVERY_BREAKS,
  ...MONEY_BREAKS,
  ...TENANT_BREAKS,
  ...MARGIN_BREAKS,
]

let lending: Lending
beforeAll(async () => {
  lending = await openBusyHouse()
})
afterAll(() => lending[Symbol.asyncDispose]())

const live = { hasSimulation: false }

test('an audit finds no violation in a database with much history and work in progress', {
  timeout: LONG_SCENARIO_MS,
}, async () => {
  const findings = await audit(lending.db, live)
  expect(findings.filter(({ violations }) => violations.length > 0)).toEqual([])
  expect(findings.filter(({ timedOut }) => timedOut)).toEqual([])
  expect(new Set(findings.map(({ invariant }) => invariant)).size).toBe(9)
})

test('checks made side by side find what they find one after the other, in the same order', {
  timeout: LONG_SCENARIO_MS,
}, async () => {
  const [alone, together] = [
    await audit(lending.db, live),
    await audit(lending.db, { ...live, lanes: 4 }),
  ]
  expect(together).toEqual(alone)
  expect(alone.length).toBe(CHECKS.length)
})

test('every lane of an audit ends when one fails', async () => {
  const failing = new Error('aborted')
  const signal = AbortSignal.abort(failing)
  await expect(audit(lending.db, { ...live, lanes: 4, signal })).rejects.toBe(failing)
})

test('every check of the audit has a way to be broken here', () => {
  const names = CHECKS.map(({ name }) => name)
  expect([...new Set(BREAKS.map(([name]) => name))].sort()).toEqual([...names].sort())
})

const RUNS = ['regular', 'full'] as const

describe.each(RUNS)('in a %s run, a database that was tampered with', (run) => {
  test.each(BREAKS)(
    'a tampered database is caught by %s: %s',
    async (name, _how, statements, expected) => {
      const found = await findAfter(statements, name, run)
      expect(found.map(({ subject, detail }) => `${subject} ${detail}`).join('\n')).toMatch(
        expected,
      )
    },
  )
})

describe.each(RUNS)('in a %s run, a database in which all is as it may be', (run) => {
  test.each(PERMITTED)('a sound database is passed by %s: %s', async (name, _how, statements) => {
    expect(await findAfter(statements, name, run)).toEqual([])
  })

  test('the check failure-counter passes a database in which a simulation may have reset a counter', async () => {
    const setBack = ['UPDATE lanes SET failures = 0']
    expect(await findAfter(setBack, 'failure-counter', run, { hasSimulation: true })).toEqual([])
  })
})

/** What a check finds once this was done to the house, which is undone. */
async function findAfter(
  statements: readonly string[],
  name: string,
  run: (typeof RUNS)[number],
  options = live,
) {
  const check = CHECKS.find((candidate) => candidate.name === name)
  if (!check) throw new Error(`there is no check ${name}`)
  const found: Violation[] = []
  await withRollback(async (tx) => {
    // Constraints would refuse most of it: they are taken away, for this transaction alone.
    await tamper(lending.db, tx, statements)
    const { begin: since } = await readProgress(lending.db)
    const period = run === 'full' ? undefined : { since, end: addMs(new Date(), HOUR_MS) }
    const distributed = await isDistributed(lending.db)
    const context = { terms: termsOf(options), limit: 100, period, distributed }
    const read: Read = (see) => see(tx)
    for (const scan of await check.scans(read)) {
      const results = await runScans([scan], { ...context, read })
      found.push(...(results.get(scan)?.violations ?? []))
    }
  })
  return found
}

async function withRollback(run: (tx: Tx) => Promise<void>): Promise<void> {
  const undo = new Error('undo')
  const transaction = inTransaction(lending.db, async (tx) => {
    await run(tx)
    throw undo
  })
  await expect(transaction).rejects.toBe(undo)
}
