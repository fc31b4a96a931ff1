import { addMs, SECOND_MS } from '../../core/time.ts'
import { continueRecovery, RECOVER_WEBHOOK } from '../../domain/deliveries/recover.ts'
import { MAIL_PERSON, mailPerson } from '../../domain/mails/account-mails.ts'
import { MAIL_FAILURE, mailFailures } from '../../domain/webhooks/failure-mails.ts'
import { ADVANCE_CLOCK, continueAdvance, findTarget } from '../../domain/work/advance-clock.ts'
import type { Claim } from '../../domain/work/claim.ts'
import type { DeadlineHandlers } from '../../domain/work/deadlines.ts'
import {
  type DeadlineTopic,
  isOnceALeap,
  type Topic,
  type WorkTopic,
} from '../../domain/work/topics.ts'
import type { WorkResult } from '../../domain/work/work.ts'
import type { JobContext } from '../job-context.ts'
import { evaluateBorrowerWork } from './evaluate-borrower.ts'
import { lendingWork } from './lend.ts'
import { marginWork } from './margin.ts'
import type { WorkHandler, WorkHandlers } from './work-lanes.ts'

/** May run twice. */
export type TopicHandler =
  | ((context: JobContext, tenantId: string, subjectId: string) => Promise<WorkResult>)
  | { batch: (context: JobContext, claims: readonly Claim[]) => ReturnType<BatchRun> }

type BatchRun = Extract<WorkHandler, { runBatch: unknown }>['runBatch']

const WORK: Readonly<Record<WorkTopic, TopicHandler>> = {
  ...evaluateBorrowerWork,
  ...lendingWork,
  ...marginWork,
  [ADVANCE_CLOCK]: continueAdvance,
  [RECOVER_WEBHOOK]: continueRecovery,
  [MAIL_FAILURE]: mailFailures,
  [MAIL_PERSON]: mailPerson,
}

export const WORK_TOPICS = Object.keys(WORK) as WorkTopic[]

export function createWorkHandlers(context: JobContext): WorkHandlers {
  const handlers = new Map<Topic, WorkHandler>(
    Object.entries(WORK).map(([topic, handler]) => [
      topic as WorkTopic,
      'batch' in handler
        ? { runBatch: (claims) => handler.batch(context, claims) }
        : { run: ({ tenantId, subjectId }) => handler(context, tenantId, subjectId) },
    ]),
  )
  for (const [topic, handler] of deadlineRuns(context)) handlers.set(topic, handler)
  return handlers
}

type DeadlineContext = Pick<
  JobContext,
  'db' | 'clock' | 'clockFor' | 'deadlineHandlers' | 'hasRounds'
>

const LEAP_PAUSE_MS = SECOND_MS

export function deadlineRuns(
  context: DeadlineContext,
): ReadonlyMap<DeadlineTopic, { run(claim: Claim): Promise<WorkResult> }> {
  const { db, clock, clockFor, hasRounds } = context
  const handlers: DeadlineHandlers = context.deadlineHandlers
  return new Map(
    [...handlers].map(([topic, handle]) => [
      topic,
      {
        async run({ tenantId, subjectId, dueAt }: Claim): Promise<WorkResult> {
          const realNow = clock()
          // Left to the end of the advance: on the way it would be due once a day.
          if (isOnceALeap(topic) && !hasRounds && (await findTarget(db, tenantId))) {
            return { done: false, retryAt: addMs(realNow, LEAP_PAUSE_MS) }
          }
          const instant = { now: await clockFor(db, tenantId), realNow }
          await handle(db, { tenantId, topic, subjectId, dueAt }, instant)
          return { done: true }
        },
      },
    ]),
  )
}
