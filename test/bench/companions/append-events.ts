// Appends events through the domain, one transaction each, and wakes the worker as the API does.
import { setTimeout as pause } from 'node:timers/promises'
import { loadConfig } from '../../../src/config/config.ts'
import { newId } from '../../../src/core/ids.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { appendEvents, type EventToAppend } from '../../../src/domain/events/append/append.ts'
import { exampleEvent } from '../../../src/domain/events/catalogue/event-examples.ts'
import { type EventType, resourceOf } from '../../../src/domain/events/catalogue/event-types.ts'
import { createResources, type Resources } from '../../../src/process/resources.ts'
import { answerQuestions } from './answer-questions.ts'

export type AppendQuestion = { environment: Record<string, string>; count: number } & (
  | { ask: 'paced'; tenantId: string; perSecond: number }
  /** So many writers at once, each taking the next tenant and the next type. */
  | { ask: 'burst'; tenantIds: readonly string[]; types: readonly EventType[]; writers: number }
)
/** When the transaction of each paced event began and returned, by its borrower, as milliseconds of the wall
 * clock. */
export type AppendAnswer = {
  pid: number
  begun: Map<string, number>
  committed: Map<string, number>
}

let resources: Resources | undefined

answerQuestions(async (question: AppendQuestion): Promise<AppendAnswer> => {
  resources ??= createResources(loadConfig({ ...question.environment, LOG_LEVEL: 'error' }))
  const times = { begun: new Map<string, number>(), committed: new Map<string, number>() }
  if (question.ask === 'paced') await appendPaced(resources, question, times)
  else await appendBurst(resources, question)
  return { pid: process.pid, ...times }
})

async function appendPaced(
  { db }: Resources,
  { tenantId, perSecond, count }: AppendQuestion & { ask: 'paced' },
  { begun, committed }: Pick<AppendAnswer, 'begun' | 'committed'>,
): Promise<void> {
  const startedAt = performance.now()
  const appends = Array.from({ length: count }, async (_, at) => {
    const dueMs = startedAt + (at * 1_000) / perSecond - performance.now()
    await pause(Math.max(0, dueMs))
    const borrowerId = newId('bor')
    begun.set(borrowerId, performance.timeOrigin + performance.now())
    await inTransaction(db, (tx) =>
      appendEvents(tx, tenantId, [
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
}

async function appendBurst(
  { db }: Resources,
  { tenantIds, types, writers, count }: AppendQuestion & { ask: 'burst' },
): Promise<void> {
  let next = 0
  const write = async () => {
    while (next < count) {
      const at = next
      next += 1
      const tenantId = tenantIds[at % tenantIds.length] ?? ''
      const type = types[at % types.length] ?? 'borrower.eligible'
      await inTransaction(db, (tx) => appendEvents(tx, tenantId, [exampleOf(type)]))
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
}

/** Of a resource of its own. */
function exampleOf(type: EventType): EventToAppend {
  const { data } = exampleEvent(type)
  const resource = { ...resourceOf(type, data), id: newId('bor') }
  return { type, resource, occurredAt: new Date(), data } as EventToAppend
}
