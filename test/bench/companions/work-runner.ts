// A worker's work loop in a process of its own; its runs only note when they began.
import { pino } from 'pino'
import { createDatabase } from '../../../src/db/database.ts'
import type { Topic } from '../../../src/domain/work/topics.ts'
import { createWorkerConnections } from '../../../src/jobs/work/work-connections.ts'
import { createWorkLoop, type WorkHandler } from '../../../src/jobs/work/work-loop.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'
import { answerQuestions } from './processes.ts'

export const BULK_TOPIC = 'evaluate-after-price'
export const URGENT_TOPIC = 'escalate-warning'

export type RunnerQuestion =
  | { ask: 'open'; databaseUrl: string }
  | { ask: 'start' | 'wake' | 'report' }

/** How many runs there were, and how long the urgent ones had waited, in milliseconds. */
export type RunnerAnswer = { runs: number; waitsMs: number[] }

let runs = 0
let waitsMs: number[] = []
let wake: (() => void) | undefined

answerQuestions<RunnerQuestion, RunnerAnswer>(async (question) => {
  switch (question.ask) {
    case 'open':
      open(question.databaseUrl)
      break
    case 'start':
      runs = 0
      waitsMs = []
      wake?.()
      break
    case 'wake':
      wake?.()
      break
    case 'report':
      break
    default: {
      const unreachable: never = question
      return unreachable
    }
  }
  return { runs, waitsMs }
})

/** With a worker's own number of connections, and its log on a file descriptor. */
function open(connectionString: string): void {
  const slots = createWorkerConnections(10)
  const db = createDatabase({ connectionString, maxConnections: 10, slots })
  const note: WorkHandler = {
    async run({ topic, subjectId }) {
      runs += 1
      // The subject of an urgent one is the time at which it was asked for, and a number.
      if (topic === URGENT_TOPIC) waitsMs.push(Date.now() - Number.parseInt(subjectId, 10))
      return { done: true }
    },
  }
  const handlers = new Map<Topic, WorkHandler>([
    [BULK_TOPIC, note],
    [URGENT_TOPIC, note],
  ])
  const logger = pino(pino.destination('/dev/null'))
  const loop = createWorkLoop(
    { db, clock: () => new Date(), logger, metrics: createMetrics(), slots },
    handlers,
  )
  wake = loop.wake
}
