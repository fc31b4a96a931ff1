import { z } from 'zod'
import { listActions, type RecordedAction } from '../../../domain/console/actions.ts'
import type { TypedApp } from '../../app-type.ts'
import type { RouteContext } from '../../route-context.ts'
import { idText, pageOf, pageQuery, timestamp, toPageBody } from '../../schemas/fields.ts'
import { sessionOf } from '../authenticate-session.ts'
import { consoleOperation } from '../operation.ts'

const ACTION_EXAMPLE = {
  id: 'act_01k9x4m2q8e0tb7f2v5j6h8n3c',
  person: { id: 'per_01k9x4m2q8e0tb7f2v5j6h8n3c', email: 'ada@example.com' },
  action: 'revoke_key',
  subject: 'key_01k9x4m2q8e0tb7f2v5j6h8n3c',
  request_id: 'req_01k9x4m2q8e0tb7f2v5j6h8n3c',
  acted_at: '2026-11-22T12:00:00.000Z',
}

const anyMembers = z.record(z.string(), z.unknown())

const actionSchema = z
  .strictObject({
    id: idText('act'),
    person: z
      .strictObject({ id: idText('per'), email: z.string() })
      .optional()
      .describe('Absent where the operator acted'),
    action: z.string().describe('The name of the operation'),
    subject: z.string().optional().describe('The id of what it is about'),
    before: anyMembers.optional(),
    after: anyMembers.optional(),
    request_id: z.string().optional(),
    acted_at: timestamp,
  })
  .meta({ id: 'Action', examples: [ACTION_EXAMPLE] })

export function actionRoutes(app: TypedApp, { db, cursors }: RouteContext): void {
  app.get(
    '/actions',
    {
      config: { limitClass: 'console', scope: 'action:read' },
      schema: consoleOperation({
        id: 'listActions',
        summary: 'List who did what in the console, newest first',
        tag: 'Actions',
        querystring: z.strictObject(pageQuery),
        response: { 200: pageOf(actionSchema, 'ActionPage', ACTION_EXAMPLE) },
        errors: ['cursor_invalid'],
      }),
    },
    async (request) => {
      const list = { request: request.query, cursors }
      const page = await listActions(db, sessionOf(request).tenant.id, list)
      return toPageBody(page, toActionBody)
    },
  )
}

function toActionBody({ requestId, actedAt, ...action }: RecordedAction) {
  return {
    ...action,
    ...(requestId !== undefined && { request_id: requestId }),
    acted_at: actedAt.toISOString(),
  }
}
