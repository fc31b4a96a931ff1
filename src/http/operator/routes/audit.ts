import { z } from 'zod'
import { findRequestedAudit, readLastAudit, requestAudit } from '../../../domain/audit/runs.ts'
import { assertAllowed, recordOperatorAction } from '../../../domain/operators/actions.ts'
import { timestamp } from '../../schemas/fields.ts'
import { changeOnce } from '../change-once.ts'
import type { OperatorApp } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import { withReason } from '../perform-act.ts'

const FINDING_EXAMPLE = {
  invariant: 'I4',
  check: 'journal-sums-to-zero',
  violations: [
    { tenant_id: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c', subject: 'fac_…', detail: 'USD sums to 100' },
  ],
  has_more: false,
  timed_out: false,
}

const auditSchema = z
  .strictObject({
    finished_at: timestamp.nullable().describe('Null before the first'),
    violations: z.record(z.string(), z.int()).describe('How many were found, by invariant'),
    unfinished: z.int().describe('Checks that took too long'),
    findings: z
      .array(
        z.strictObject({
          invariant: z.string(),
          check: z.string(),
          violations: z.array(
            z.strictObject({ tenant_id: z.string(), subject: z.string(), detail: z.string() }),
          ),
          has_more: z.boolean().describe('The audit command prints all'),
          timed_out: z.boolean(),
        }),
      )
      .describe('Of each check that found something or took too long'),
    requested_at: timestamp.nullable().describe('An audit that a worker begins within a minute'),
  })
  .meta({
    id: 'LastAudit',
    examples: [
      {
        finished_at: '2026-11-22T12:00:00.000Z',
        violations: { I1: 0, I4: 1 },
        unfinished: 0,
        findings: [FINDING_EXAMPLE],
        requested_at: null,
      },
    ],
  })

const requestSchema = withReason({}, { reason: 'the disk was full at noon' })

const requestedSchema = z
  .strictObject({ requested: z.boolean().describe('False where one was requested already') })
  .meta({ id: 'RequestedAudit', examples: [{ requested: true }] })

export function auditRoutes(app: OperatorApp, context: OperatorContext): void {
  const { db } = context
  app.get('/audit', {
    id: 'getLastAudit',
    summary: 'Show when the invariants were last checked, and what violates them',
    tag: 'Operations',
    response: { 200: auditSchema },
    async handler() {
      const last = await readLastAudit(db)
      return {
        finished_at: last?.finishedAt.toISOString() ?? null,
        violations: last?.violations ?? {},
        unfinished: last?.unfinished ?? 0,
        findings: (last?.findings ?? []).map((finding) => ({
          ...{ invariant: finding.invariant, check: finding.check },
          violations: finding.violations.map(({ tenantId, subject, detail }) => ({
            ...{ tenant_id: tenantId, subject, detail },
          })),
          ...{ has_more: finding.hasMore, timed_out: finding.timedOut },
        })),
        requested_at: (await findRequestedAudit(db))?.toISOString() ?? null,
      }
    },
  })

  app.post('/audit/request', {
    id: 'requestAudit',
    summary: 'Have a worker check the invariants, within a minute',
    tag: 'Operations',
    body: requestSchema,
    response: { 200: requestedSchema },
    errors: ['scope_missing'],
    async handler(request) {
      const { reason } = request.body
      return await changeOnce(context, request, async (tx, acting) => {
        assertAllowed(acting.actor, 'audit.request')
        const requested = await requestAudit(tx, acting.now)
        if (requested) await recordOperatorAction(tx, acting, { action: 'audit.request', reason })
        return { requested }
      })
    },
  })
}
