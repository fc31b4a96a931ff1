import { z } from 'zod'
import { readLastAudit } from '../../../domain/audit/runs.ts'
import type { TypedApp } from '../../app-type.ts'
import { timestamp } from '../../schemas/fields.ts'
import { operatorOperation } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'

const auditSchema = z
  .strictObject({
    finished_at: timestamp.nullable().describe('Null before the first'),
    violations: z.record(z.string(), z.int()).describe('How many were found, by invariant'),
    unfinished: z.int().describe('Checks that took too long'),
  })
  .meta({
    id: 'LastAudit',
    examples: [
      { finished_at: '2026-11-22T12:00:00.000Z', violations: { I1: 0, I2: 0 }, unfinished: 0 },
    ],
  })

export function auditRoutes(app: TypedApp, { db }: OperatorContext): void {
  app.get(
    '/audit',
    {
      schema: operatorOperation({
        id: 'getLastAudit',
        summary: 'Show when the invariants were last checked, and what was found',
        tag: 'Operations',
        response: { 200: auditSchema },
      }),
    },
    async () => {
      const last = await readLastAudit(db)
      return {
        finished_at: last?.finishedAt.toISOString() ?? null,
        violations: last?.violations ?? {},
        unfinished: last?.unfinished ?? 0,
      }
    },
  )
}
