import { z } from 'zod'
import { readLastAudit } from '../../../../domain/audit/runs.ts'
import { readProblems } from '../../../../domain/operations/overview.ts'
import { PROBLEM_KINDS } from '../../../../domain/operations/problems.ts'
import { timestamp } from '../../../schemas/fields.ts'
import type { OperatorApp } from '../../operation.ts'
import type { OperatorContext } from '../../operator-context.ts'

const EXAMPLE = {
  at: '2026-11-22T12:00:00.000Z',
  items: [
    {
      kind: 'work_stuck' as const,
      severity: 'ticket' as const,
      summary: 'push-floor: 3 stuck, failed ten times or more.',
    },
  ],
}

const schema = z
  .strictObject({
    at: timestamp,
    items: z.array(
      z.strictObject({
        kind: z.enum(PROBLEM_KINDS),
        severity: z.enum(['page', 'ticket']).describe('page: cannot wait until morning'),
        summary: z.string(),
      }),
    ),
  })
  .meta({ id: 'Problems', examples: [EXAMPLE] })

export function overviewRoutes(app: OperatorApp, { db, clock, config }: OperatorContext): void {
  app.get('/operations/problems', {
    id: 'listProblems',
    summary: 'List what is wrong now, the most urgent first, by the limits of the alarms',
    tag: 'Operations',
    response: { 200: schema },
    async handler() {
      const now = clock()
      const retention = { events: config.eventRetentionDays, requestLog: config.requestLogDays }
      const audit = await readLastAudit(db)
      return { at: now.toISOString(), items: await readProblems(db, { audit, retention }, now) }
    },
  })
}
