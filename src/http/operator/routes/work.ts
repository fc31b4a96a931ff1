import { z } from 'zod'
import { recordOperatorAction } from '../../../domain/operators/actions.ts'
import { listStuckWork, retryFailedWork } from '../../../domain/work/stuck.ts'
import { TOPICS, type Topic } from '../../../domain/work/topics.ts'
import { bodyOf } from '../../schemas/body-of.ts'
import { idFilter, pageOf, text, timestamp, toPageBody } from '../../schemas/fields.ts'
import { changeOnce } from '../change-once.ts'
import { deskPageQuery, type OperatorApp } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import { withReason } from '../perform-act.ts'

const topicName = z.enum(Object.keys(TOPICS) as [Topic, ...Topic[]])

const STUCK_EXAMPLE = {
  tenant_id: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c',
  topic: 'evaluate-borrower' as const,
  subject_id: 'bor_01k9x4m2q8e0tb7f2v5j6h8n3c',
  attempts: 12,
  failing_since: '2026-11-22T12:00:00.000Z',
  error: 'the provider did not answer within 10 s',
}

const stuckSchema = z
  .strictObject({
    tenant_id: z.string(),
    topic: z.string(),
    subject_id: z.string(),
    attempts: z.int(),
    failing_since: timestamp,
    error: z.string(),
  })
  .meta({ id: 'StuckWork', examples: [STUCK_EXAMPLE] })

const filter = {
  tenant_id: idFilter('ten').optional(),
  topic: topicName.optional(),
  subject_id: text(200).optional().describe('A borrower, facility, draw, repayment or refund'),
}

const retrySchema = withReason(
  { ...filter },
  { topic: 'evaluate-borrower', reason: 'the provider is back' },
)

const retriedSchema = z
  .strictObject({ retried: z.int() })
  .meta({ id: 'RetriedWork', examples: [{ retried: 3 }] })

export function workRoutes(app: OperatorApp, context: OperatorContext): void {
  const { db, cursors } = context
  app.get('/work/stuck', {
    id: 'listStuckWork',
    summary: 'List work that has failed ten times or more, longest failing first',
    tag: 'Operations',
    querystring: z.strictObject({ ...deskPageQuery, ...filter }),
    response: { 200: pageOf(stuckSchema, 'StuckWorkPage', STUCK_EXAMPLE) },
    errors: ['cursor_invalid'],
    async handler(request) {
      const list = { request: request.query, cursors }
      return toPageBody(await listStuckWork(db, toFilter(request.query), list), toBody)
    },
  })

  app.post('/work/retry', {
    id: 'retryWork',
    summary: 'Retry stuck work now; with subject_id also work that has failed less often',
    tag: 'Operations',
    body: retrySchema,
    response: { 200: retriedSchema },
    errors: ['scope_missing'],
    async handler(request) {
      const { reason, topic, tenant_id: tenantId, subject_id: subjectId } = request.body
      return await changeOnce(context, request, async (tx, acting) => {
        const retried = await retryFailedWork(tx, toFilter(request.body), acting.now)
        await recordOperatorAction(tx, acting, {
          ...{ action: 'work.retry', tenantId, reason, after: { topic, retried } },
          ...(subjectId !== undefined && { subject: { kind: 'work', id: subjectId } }),
        })
        return { retried }
      })
    },
  })
}

type Filter = {
  tenant_id?: string | undefined
  topic?: Topic | undefined
  subject_id?: string | undefined
}

function toFilter({ tenant_id: tenantId, topic, subject_id: subjectId }: Filter) {
  return { tenantId, topic, subjectId }
}

const toBody = bodyOf(stuckSchema)
