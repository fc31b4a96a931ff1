import { z } from 'zod'
import { listActions, type RecordedAction } from '../../../domain/console/actions.ts'
import type { RouteContext } from '../../route-context.ts'
import { bodyOf } from '../../schemas/body-of.ts'
import { idText, pageOf, pageQuery, timestamp, toPageBody } from '../../schemas/fields.ts'
import { sessionOf } from '../authenticate-session.ts'
import type { ConsoleApp } from '../operation.ts'

const ACTION_EXAMPLE = {
  id: 'act_01k9x4m2q8e0tb7f2v5j6h8n3c',
  at: '2026-11-22T12:00:00.000Z',
  person: { id: 'per_01k9x4m2q8e0tb7f2v5j6h8n3c', name: 'Ada Example', email: 'ada@example.com' },
  key_id: null,
  action: 'revokeKey',
  subject_id: 'key_01k9x4m2q8e0tb7f2v5j6h8n3c',
  request_id: 'req_01k9x4m2q8e0tb7f2v5j6h8n3c',
  before: null,
  after: null,
}

const anyMembers = z.record(z.string(), z.unknown()).nullable()

const actionSchema = z
  .strictObject({
    id: idText('act'),
    at: timestamp,
    person: z.strictObject({ id: idText('per'), name: z.string(), email: z.string() }).nullable(),
    key_id: idText('key').nullable().describe('Null in both: the operator acted'),
    action: z.string().describe('The name of the operation'),
    subject_id: z.string().nullable().describe('What it is about'),
    request_id: z.string().nullable(),
    before: anyMembers,
    after: anyMembers,
  })
  .meta({ id: 'Action', examples: [ACTION_EXAMPLE] })

export function actionRoutes(app: ConsoleApp, { db, cursors }: RouteContext): void {
  app.get('/actions', {
    id: 'listActions',
    summary:
      'List who did what in the console, and which keys were shown a secret again, newest first',
    tag: 'Actions',
    config: { limitClass: 'console', scope: 'action:read' },
    querystring: z.strictObject(pageQuery),
    response: { 200: pageOf(actionSchema, 'ActionPage', ACTION_EXAMPLE) },
    errors: ['cursor_invalid'],
    async handler(request) {
      const list = { request: request.query, cursors }
      const page = await listActions(db, sessionOf(request).tenant.id, list)
      return toPageBody(page, toActionBody)
    },
  })
}

const showAction = bodyOf(actionSchema)

const toActionBody = (recorded: RecordedAction) =>
  showAction({ ...recorded, at: recorded.actedAt, subjectId: recorded.subject })
