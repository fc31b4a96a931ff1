// Appends events at a steady pace through the domain, and wakes the worker as the API does.
import { setTimeout as pause } from 'node:timers/promises'
import { loadConfig } from '../../../src/config/config.ts'
import { newId } from '../../../src/core/ids.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { appendEvents } from '../../../src/domain/events/append-event.ts'
import { createResources, type Resources } from '../../../src/process/resources.ts'
import { answerQuestions } from './processes.ts'

export type AppendQuestion = {
  environment: Record<string, string>
  tenantId: string
  perSecond: number
  count: number
}
/** When each event was committed, by its borrower, as milliseconds of the wall clock. */
export type AppendAnswer = Map<string, number>

let resources: Resources | undefined

answerQuestions(async (question: AppendQuestion): Promise<AppendAnswer> => {
  resources ??= createResources(loadConfig({ ...question.environment, LOG_LEVEL: 'error' }))
  const { db } = resources
  const committed: AppendAnswer = new Map()
  const startedAt = performance.now()
  const appends = Array.from({ length: question.count }, async (_, at) => {
    const dueMs = startedAt + (at * 1_000) / question.perSecond - performance.now()
    await pause(Math.max(0, dueMs))
    const borrowerId = newId('bor')
    await inTransaction(db, (tx) =>
      appendEvents(tx, question.tenantId, [
        {
          type: 'borrower.eligible',
          resource: { type: 'borrower', id: borrowerId },
          occurredAt: new Date(),
          data: { borrower_id: borrowerId },
        },
      ]),
    )
    committed.set(borrowerId, performance.timeOrigin + performance.now())
  })
  await Promise.all(appends)
  return committed
})
