import { expect, test } from 'vitest'
import { HOUR_MS } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { scheduleEvaluation } from '../../src/domain/margin/evaluation/evaluate.ts'
import { runDeadlinesUntil } from '../../src/domain/work/deadlines.ts'
import { houseForEachTest } from '../support/lending/houses.ts'
import { pass } from '../support/lending/lending.ts'
import {
  addBorrowed,
  expectSound,
  holdPrice,
  readCalls,
  readWarning,
} from '../support/lending/margin.ts'

const lending = houseForEachTest({ isSandbox: true })

/** As the sandbox's clock does it: each instant on the way is handled as it is passed. */
async function passInstants(ms: number): Promise<void> {
  const { db, context, tenantId } = lending
  const from = lending.now()
  const until = new Date(from.getTime() + ms)
  const span = { from, until, isOver: () => false }
  const arriveAt = async (now: Date) => {
    lending.advance(now.getTime() - lending.now().getTime())
    return lending.instant()
  }
  await runDeadlinesUntil({ db, handlers: context.deadlineHandlers, tenantId, arriveAt }, span)
  lending.advance(until.getTime() - lending.now().getTime())
}

test('a sandbox clock that passes a deadline leaves none of its work for later', async () => {
  const { id } = await addBorrowed(lending)
  await holdPrice(lending, '68000')
  const { cureDeadline } = await readWarning(lending, id)
  await passInstants(72 * HOUR_MS)
  const escalatedAt = new Date(cureDeadline.getTime() + 1)
  expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED', escalatedAt })
  expect(await readCalls(lending, id)).toMatchObject([
    { status: 'COMPLETED', startedAt: escalatedAt, completedAt: escalatedAt },
  ])
  await expectSound(lending, id)
})

test('a sale that is refused is retried later, and does not stop the clock at every instant on the way', async () => {
  const { id } = await addBorrowed(lending)
  await holdPrice(lending, '68000')
  const { db, context, tenantId } = lending
  lending.fills = ['refused']
  // Waiting five seconds at each of them would be more than any test has.
  for (let minute = 0; minute < 20; minute += 1) {
    const at = new Date(lending.now().getTime() + 48 * HOUR_MS + minute * 1_000)
    await inTransaction(db, (tx) => scheduleEvaluation(tx, context, tenantId, at))
  }
  const advanced = lending.now()
  const realNow = () => advanced
  // Real time stands still while the clock is set ahead.
  const from = lending.now()
  const until = new Date(from.getTime() + 49 * HOUR_MS)
  const span = { from, until, isOver: () => false }
  const arriveAt = async (now: Date) => {
    lending.advance(now.getTime() - lending.now().getTime())
    return { now, realNow: realNow() }
  }
  await runDeadlinesUntil({ db, handlers: context.deadlineHandlers, tenantId, arriveAt }, span)
  expect(await readCalls(lending, id)).toMatchObject([{ status: 'SELLING', sold: [] }])
  await pass(lending, HOUR_MS)
  expect(await readCalls(lending, id)).toMatchObject([{ status: 'COMPLETED' }])
  await expectSound(lending, id)
})
