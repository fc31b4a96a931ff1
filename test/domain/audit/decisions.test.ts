import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMs, HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts'
import { type AuditOptions, audit, type Finding } from '../../../src/domain/audit/audit.ts'
import { type Progress, readProgress, recordAudit } from '../../../src/domain/audit/runs.ts'
import { openBusyHouse } from '../../support/lending/busy-house.ts'
import type { Lending } from '../../support/lending/lending.ts'

let lending: Lending
beforeAll(async () => {
  lending = await openBusyHouse()
  // All of it happened an hour ago.
  await sql`UPDATE audits SET marked_from = ${addMs(new Date(), -2 * HOUR_MS)}`.execute(lending.db)
  await sql`UPDATE margin_decisions SET written_at = ${addMs(new Date(), -HOUR_MS)}`.execute(
    lending.db,
  )
})
afterAll(() => lending[Symbol.asyncDispose]())

/** Runs the check of decisions: in full without progress. */
async function auditDecisions(since?: Progress, options: Partial<AuditOptions> = {}) {
  const rest = { hasSimulation: false, invariants: ['I8'] as const, ...options }
  const findings = await audit(lending.db, { ...rest, since })
  const finding = findings.find(({ name }) => name === 'decided-as-recorded')
  if (!finding) throw new Error('decisions were not checked')
  return finding
}

/** One regular run, as a worker makes it. */
async function runRegularly(options: Partial<AuditOptions> = {}): Promise<Finding> {
  const finding = await auditDecisions(await readProgress(lending.db), options)
  await recordAudit(lending.db, [finding], new Date())
  return finding
}

const reached = async () =>
  (await readProgress(lending.db)).scans['decided-as-recorded/decision']?.getTime() ?? 0

test('a decision is recomputed by the next audit, and later only by a full one', async () => {
  const { db } = lending
  const first = await runRegularly()
  expect(first.violations).toEqual([])
  expect(first.subjects).toBeGreaterThan(0)
  // Transactions of the last ten minutes may have yet to commit.
  expect(Date.now() - (await reached())).toBeGreaterThanOrEqual(10 * MINUTE_MS)
  expect((await runRegularly()).subjects).toBe(0)

  const tampered = sql`
    (SELECT facility_id FROM margin_decisions WHERE kind = 'cure' ORDER BY 1 LIMIT 1)`
  await sql`UPDATE margin_decisions SET kind = 'raise'
    WHERE kind = 'cure' AND facility_id = ${tampered}`.execute(db)
  expect((await runRegularly()).violations).toEqual([])
  expect((await auditDecisions()).violations).toHaveLength(1)

  // As one that was written since: it is found until it is put right.
  const writtenAt = addMs(new Date(await reached()), 1)
  await sql`UPDATE margin_decisions SET written_at = ${writtenAt}
    WHERE kind = 'raise' AND facts #>> '{decision,kind}' = 'cure'`.execute(db)
  for (let run = 0; run < 2; run += 1) {
    expect((await runRegularly()).violations).toHaveLength(1)
    expect(await reached()).toBeLessThanOrEqual(writtenAt.getTime())
  }
  await sql`UPDATE margin_decisions SET kind = 'cure'
    WHERE kind = 'raise' AND facts #>> '{decision,kind}' = 'cure'`.execute(db)
  expect((await runRegularly()).violations).toEqual([])
  expect(await reached()).toBeGreaterThan(writtenAt.getTime())
})

test('an audit that has no time for all decisions continues where it ended', async () => {
  const { db } = lending
  await sql`
    INSERT INTO margin_decisions (tenant_id, facility_id, warning_number, number, kind, decided_at,
                                  facts, evaluation_id, written_at, month)
    SELECT tenant_id, facility_id, warning_number, number + copy, kind, decided_at, facts,
           evaluation_id, now() - interval '1 hour' + copy * interval '1 second', month
    FROM (SELECT * FROM margin_decisions WHERE kind = 'raise' LIMIT 1) one
    CROSS JOIN generate_series(1000, 1450) AS copy`.execute(db)
  await sql`UPDATE audits SET progress = '{}'`.execute(db)
  const instants: number[] = []
  for (;;) {
    const finding = await runRegularly({ secondsAll: 0 })
    expect(finding.violations).toEqual([])
    if (!finding.timedOut) break
    instants.push(await reached())
  }
  expect(instants.length).toBeGreaterThanOrEqual(2)
  expect(new Set(instants).size).toBe(instants.length)
  expect([...instants].sort((a, b) => a - b)).toEqual(instants)
})
