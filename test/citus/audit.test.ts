import { afterAll, beforeAll, expect, test } from 'vitest'
import { isDistributed } from '../../src/db/cluster/distribution.ts'
import { inTransaction } from '../../src/db/database.ts'
import { type AuditOptions, audit } from '../../src/domain/audit/audit.ts'
import { readProgress, recordAudit } from '../../src/domain/audit/runs.ts'
import { registerKey } from '../../src/domain/auth/keys.ts'
import { generateKeyPair } from '../../src/domain/auth/public-key.ts'
import { checkLedger } from '../../src/domain/facilities/ledger/check-ledger.ts'
import { openBusyHouse } from '../support/lending/busy-house.ts'
import type { Lending } from '../support/lending/lending.ts'
import { LONG_SCENARIO_MS } from '../support/process/patience.ts'

let lending: Lending
/** The tenant that has a borrower, and nothing else. */
let other: string
beforeAll(async () => {
  lending = await openBusyHouse()
  const { db, tenantId } = lending
  const key = {
    publicKeyPem: generateKeyPair().publicKeyPem,
    label: 'test',
    scopes: ['borrower:read'] as const,
    expiresAt: undefined,
  }
  await inTransaction(db, (tx) =>
    registerKey(tx, tenantId, key, { maxActive: 10, now: new Date() }),
  )
  const tenants = await db.selectFrom('tenants').select('tenant_id').execute()
  other = tenants.find(({ tenant_id: id }) => id !== tenantId)?.tenant_id ?? ''
}, LONG_SCENARIO_MS)
afterAll(() => lending[Symbol.asyncDispose]())

async function findViolations(options: Partial<AuditOptions> = {}) {
  const findings = await audit(lending.db, { hasSimulation: false, ...options })
  expect(findings.filter(({ timedOut }) => timedOut)).toEqual([])
  return findings.flatMap(({ name, violations }) =>
    violations.map(({ tenantId, subject, detail }) => ({ name, tenantId, subject, detail })),
  )
}

test('an audit of a distributed database reads every tenant and finds nothing, whole and regular', {
  timeout: LONG_SCENARIO_MS,
}, async () => {
  expect(await isDistributed(lending.db)).toBe(true)
  expect(await findViolations()).toEqual([])
  const since = await readProgress(lending.db)
  const findings = await audit(lending.db, { hasSimulation: false, since })
  expect(findings.flatMap(({ violations }) => violations)).toEqual([])
  expect(findings.find(({ name }) => name === 'balances-as-booked')?.subjects).toBeGreaterThan(4)
  await recordAudit(lending.db, findings, new Date())
})

test('an audit of a distributed database finds what is wrong with one tenant', {
  timeout: LONG_SCENARIO_MS,
}, async () => {
  const { db, tenantId } = lending
  const facility = await db
    .selectFrom('facilities')
    .select('facility_id')
    .where('tenant_id', '=', tenantId)
    .where('state', '=', 'APPROVED')
    .executeTakeFirstOrThrow()
  const { borrower_id: borrowerId } = await db
    .selectFrom('borrowers')
    .select('borrower_id')
    .where('tenant_id', '=', other)
    .executeTakeFirstOrThrow()
  const facilityId = facility.facility_id
  await db
    .updateTable('facilities')
    .set((column) => ({ principal_cents: column('principal_cents', '+', 1n) }))
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .execute()
  await db
    .updateTable('borrowers')
    .set({ latest_facility_id: facilityId })
    .where('tenant_id', '=', other)
    .execute()
  const expected = [
    {
      name: 'latest-facility-of-its-borrower',
      tenantId: other,
      subject: borrowerId,
      detail: `has ${facilityId} as its latest facility, which it does not have`,
    },
    {
      name: 'rows-of-their-tenant',
      tenantId: other,
      subject: facilityId,
      detail: `is named in borrowers.latest_facility_id and belongs to ${tenantId}`,
    },
  ]
  const since = await readProgress(db)
  for (const found of [await findViolations(), await findViolations({ since })]) {
    expect(found).toEqual(expect.arrayContaining(expected))
    const rest = found.filter(({ name }) => name === 'balances-as-booked')
    expect(rest.map(({ subject }) => subject)).toEqual([facilityId, facilityId])
    expect(found.length).toBe(expected.length + rest.length)
  }
  const disagreements = await checkLedger(db)
  expect(disagreements.map((one) => one.facilityId)).toEqual([facilityId, facilityId])
})
