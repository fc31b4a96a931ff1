import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMs, HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts'
import { type AuditOptions, audit } from '../../../src/domain/audit/audit.ts'
import { readDecisionsSince, recordAudit } from '../../../src/domain/audit/runs.ts'
import { openBusyHouse } from '../../support/busy-house.ts'
import type { Lending } from '../../support/lending.ts'

let lending: Lending
beforeAll(async () => {
  lending = await openBusyHouse()
})
afterAll(() => lending[Symbol.asyncDispose]())

/** Runs the check of decisions as a worker does, and keeps what it has found. */
async function auditDecisions(options: Partial<AuditOptions> = {}) {
  const findings = await audit(lending.db, {
    hasSimulation: false,
    invariants: ['I8'],
    ...options,
  })
  const finding = findings.find(({ name }) => name === 'decided-as-recorded')
  if (!finding) throw new Error('decisions were not checked')
  return finding
}

const keep = async (finding: Awaited<ReturnType<typeof auditDecisions>>) =>
  await recordAudit(lending.db, [finding], new Date())

test('a decision is recomputed by the audit after it, and later only by a full one', async () => {
  const { db } = lending
  await sql`UPDATE margin_decisions SET written_at = ${addMs(new Date(), -HOUR_MS)}`.execute(db)
  expect(await readDecisionsSince(db)).toBeUndefined()
  const first = await auditDecisions()
  expect(first.violations).toEqual([])
  await keep(first)
  const since = await readDecisionsSince(db)
  expect(since).toEqual(addMs(first.decisionsUntil ?? new Date(0), -10 * MINUTE_MS))

  const tampered = sql`
    (SELECT facility_id FROM margin_decisions WHERE kind = 'cure' ORDER BY 1 LIMIT 1)`
  await sql`UPDATE margin_decisions SET kind = 'raise'
    WHERE kind = 'cure' AND facility_id = ${tampered}`.execute(db)
  expect((await auditDecisions({ decisionsSince: since })).violations).toEqual([])
  expect((await auditDecisions()).violations).toHaveLength(1)

  // As one that was written just now: it is found until it is put right.
  await sql`UPDATE margin_decisions SET written_at = now()
    WHERE kind = 'raise' AND facts #>> '{decision,kind}' = 'cure'`.execute(db)
  for (let run = 0; run < 2; run += 1) {
    const again = await auditDecisions({ decisionsSince: await readDecisionsSince(db) })
    expect(again.violations).toHaveLength(1)
    await keep(again)
  }
  expect(await readDecisionsSince(db)).toEqual(since)
  await sql`UPDATE margin_decisions SET kind = 'cure'
    WHERE kind = 'raise' AND facts #>> '{decision,kind}' = 'cure'`.execute(db)
})

test('an audit that has no time for all decisions goes on where it ended', async () => {
  const { db } = lending
  await sql`
    INSERT INTO margin_decisions (tenant_id, facility_id, warning_number, number, kind, decided_at,
                                  facts, judgement_id, written_at, month)
    SELECT tenant_id, facility_id, warning_number, number + copy, kind, decided_at, facts,
           judgement_id, now() + copy * interval '1 second', month
    FROM (SELECT * FROM margin_decisions WHERE kind = 'raise' LIMIT 1) one
    CROSS JOIN generate_series(1000, 1450) AS copy`.execute(db)
  await sql`UPDATE audits SET decisions_until = NULL`.execute(db)
  const reached: (Date | undefined)[] = []
  for (;;) {
    const decisionsSince = reached.at(-1)
    const finding = await auditDecisions({ decisionsSince, secondsAll: 0 })
    expect(finding.violations).toEqual([])
    if (!finding.timedOut) break
    reached.push(finding.decisionsUntil)
  }
  expect(reached.length).toBeGreaterThanOrEqual(2)
  expect([...reached].sort((a, b) => Number(a) - Number(b))).toEqual(reached)
})
