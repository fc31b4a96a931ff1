import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { createManualCompliance } from '../../../src/providers/compliance-manual.ts'
import { operatorApiForFile } from '../../support/api/operators.ts'
import { addBorrower, evaluate, openTenant, sign } from '../../support/lending/onboarding.ts'
import { sealOf } from '../../support/lending/sealed.ts'

let viewer = ''
let reviewer = ''
const { api, operators } = operatorApiForFile({ env: { FOUR_EYES: 'on' } })
beforeAll(async () => {
  viewer = (await operators.addOperator('viewer')).token
  reviewer = (await operators.addOperator('reviewer')).token
})

let tenantId = ''
let borrowerId = ''
beforeEach(async () => {
  tenantId = await openTenant(api.db)
  borrowerId = await addBorrower(api.db, tenantId)
})

const read = async (path: string) => {
  const answer = await operators.send(path, { token: viewer })
  expect(answer.status).toBe(200)
  return answer.json()
}
const send = (name: string, reason = 'court order') =>
  operators.send(`/tenants/${tenantId}/borrowers/${borrowerId}/${name}`, {
    ...{ token: reviewer, method: 'POST', body: { reason } },
  })

const readAll = async (path: string) => (await read(path)).items

const signAs = async (fullName: string, email: string) => {
  await sign(api.db, tenantId, borrowerId, { fullName, email })
  await evaluate(api.db, tenantId, borrowerId, { provider: createManualCompliance() })
}

describe('the checks that wait', () => {
  test('are filtered by kind and tenant, and show where the borrower lives but not who signed', async () => {
    await signAs('Grace Hopper', 'grace@navy.example')
    const both = await readAll(`/reviews?tenant_id=${tenantId}`)
    expect(both.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['aml', 'kyc'])
    const kyc = await readAll(`/reviews?tenant_id=${tenantId}&kind=kyc`)
    expect(kyc).toMatchObject([
      { kind: 'kyc', borrower_id: borrowerId, residency: expect.stringMatching(/^[A-Z]{2}/) },
    ])
    expect(JSON.stringify(both)).not.toMatch(/Hopper|navy|full_name|note/)
    expect(await readAll(`/reviews?tenant_id=${await openTenant(api.db)}`)).toEqual([])
  })

  test('are the longest waiting first, though instants differ by a microsecond', async () => {
    await signAs('Grace Hopper', 'grace@navy.example')
    await sql`INSERT INTO compliance_checks
        (tenant_id, check_id, borrower_id, kind, signature_id, subject, status, created_at)
      SELECT tenant_id, 'chk_' || lpad(n::text, 26, '0'), borrower_id, 'kyb', signature_id,
        'person.' || lpad(n::text, 40, '0'), 'review', timestamptz '2020-01-01' + (n / 3) * interval '1 us'
      FROM compliance_checks, generate_series(1, 23) AS n
      WHERE borrower_id = ${borrowerId} AND kind = 'kyc'`.execute(api.db)
    const all = await readAll(`/reviews?tenant_id=${tenantId}`)
    const ids: string[] = all.map((item: { check_id: string }) => item.check_id)
    expect(ids).toHaveLength(25)
    expect(ids.slice(0, 23)).toEqual([...ids.slice(0, 23)].sort())
  })

  test('show who signed to a reviewer, and it is recorded that they did but not what', async () => {
    await signAs('Grace Hopper', 'grace@navy.example')
    const shown = (await send('reveal', 'passport seen')).json()
    const names = shown.items.map((item: { full_name: string }) => item.full_name)
    expect(names).toEqual(['Grace Hopper', 'Grace Hopper'])
    expect(shown.signatures).toMatchObject([
      { full_name: 'Grace Hopper', email: 'grace@navy.example' },
    ])
    const actions = await readAll(`/actions?subject_id=${borrowerId}`)
    expect(actions).toMatchObject([{ action: 'borrowers.reveal', reason: 'passport seen' }])
    expect(JSON.stringify(actions)).not.toMatch(/Hopper|navy/)
  })
})

describe("a borrower's file", () => {
  test('shows checks, documents and proposals, and nothing of who signed', async () => {
    await signAs('Grace Hopper', 'grace@navy.example')
    await sign(api.db, tenantId, borrowerId, {
      ...{ fullName: 'Alan Turing', email: 'alan@bletchley.example' },
    })
    await send('reject', 'forged')
    await send('approve', 'seen after all')
    const file = await read(`/tenants/${tenantId}/borrowers/${borrowerId}`)
    expect(file).toMatchObject({
      ...{ borrower_id: borrowerId, tenant_id: tenantId, block: null, latest_facility: null },
      proposals: [{ action: 'borrowers.approve', reason: 'seen after all' }],
    })
    expect(file.checks.map((check: { status: string }) => check.status)).toContain('failed')
    expect(file.signatures.map((signature: { signer: number }) => signature.signer)).toEqual([1, 2])
    expect(file.signatures[0].document).toMatchObject({ url: expect.stringMatching(/^https:/) })
    expect(JSON.stringify(file)).not.toMatch(/Hopper|Turing|navy|bletchley/)
  })
})

describe('blocked borrowers', () => {
  const blocked = () => readAll(`/borrowers/blocked?tenant_id=${tenantId}`)

  test('are listed with the reason, the instant and who blocked them', async () => {
    expect((await send('block')).status).toBe(200)
    expect(await blocked()).toMatchObject([
      {
        ...{ borrower_id: borrowerId, reason: 'court order' },
        ...{ blocked_by: expect.stringMatching(/@lender\.example$/) },
        action_number: expect.any(Number),
      },
    ])
  })

  test('have no name where the block is older than the record of operators', async () => {
    await sql`UPDATE borrowers SET blocked_at = '2020-01-01', blocked_reason = ${await sealOf(api.db, { tenantId, borrowerId }, 'old')}
      WHERE borrower_id = ${borrowerId}`.execute(api.db)
    expect(await blocked()).toMatchObject([
      { reason: 'old', blocked_by: null, action_number: null },
    ])
  })
})

describe('applications that wait', () => {
  async function apply(): Promise<string> {
    const facilityId = newId('fac')
    await sql`INSERT INTO facilities (tenant_id, facility_id, borrower_id, state, limit_cents,
        rate_ppm, accrued_at, created_at, updated_at)
      VALUES (${tenantId}, ${facilityId}, ${borrowerId}, 'PENDING', 2000000, 95000, now(), now(),
        now())`.execute(api.db)
    return facilityId
  }
  const waiting = () => readAll(`/applications?tenant_id=${tenantId}`)
  const addWork = (facilityId: string, attempts: number, error: string | null) =>
    sql`INSERT INTO work (tenant_id, topic, subject_id, clock, priority, due_at, attempts, last_error)
      VALUES (${tenantId}, 'underwrite-facility', ${facilityId}, 'real', 5,
        now() + interval '1 hour', ${attempts}, ${error})`.execute(api.db)

  test('show what each waits for, and by when it is decided', async () => {
    const facilityId = await apply()
    const [application] = await waiting()
    expect(application).toMatchObject({
      ...{ facility_id: facilityId, borrower_id: borrowerId, waits_for: 'portfolio_missing' },
      ...{ limit: { amount: '20000.00', asset: 'USD' }, error: null },
    })
    const patience = Date.parse(application.decided_by) - Date.parse(application.waiting_since)
    expect(patience).toBe(24 * 3_600_000)
  })

  test('show the error of the last try, and a portfolio that is too old', async () => {
    const facilityId = await apply()
    await addWork(facilityId, 3, 'RangeError at custodian-http.ts:9')
    expect(await waiting()).toMatchObject([
      { waits_for: 'attempt_failed', error: 'RangeError at custodian-http.ts:9' },
    ])
    await sql`DELETE FROM work WHERE subject_id = ${facilityId}`.execute(api.db)
    await sql`INSERT INTO portfolios (tenant_id, borrower_id, as_of, digest, positions, received_at)
      VALUES (${tenantId}, ${borrowerId}, 1, sha256(''), '{}', now() - interval '1 hour')`.execute(
      api.db,
    )
    expect(await waiting()).toMatchObject([{ waits_for: 'portfolio_stale' }])
  })

  test('are gone from the list once they are decided', async () => {
    const facilityId = await apply()
    await sql`UPDATE facilities SET state = 'APPROVED' WHERE facility_id = ${facilityId}`.execute(
      api.db,
    )
    expect(await waiting()).toEqual([])
  })
})

test('a contested receipt shows what was reported, and whose repayment its transfer pays', async () => {
  const [facilityId, repaymentId] = [newId('fac'), newId('rep')]
  const paidFor = { tenant_id: tenantId, repayment_id: newId('rep') }
  await sql`INSERT INTO facilities (tenant_id, facility_id, borrower_id, state, limit_cents, rate_ppm,
      accrued_at, created_at, updated_at, close_reason, closed_at)
    VALUES (${tenantId}, ${facilityId}, ${borrowerId}, 'CLOSED', 100000, 95000, now(), now(),
      now(), 'repaid', now())`.execute(api.db)
  await sql`INSERT INTO repayments (tenant_id, repayment_id, facility_id, status, asset, amount_units,
      delivered_units, reference, requested_at, reported_at, contested_transfer, undecided_since)
    VALUES (${tenantId}, ${repaymentId}, ${facilityId}, 'REPORTED', 'USD', 50000, 50000, 'wire-1',
      now(), now(), 'mt103', now())`.execute(api.db)
  await sql`INSERT INTO transfer_claims (tenant_id, transfer_id, repayment_id)
    VALUES (${tenantId}, 'mt103', ${paidFor.repayment_id})`.execute(api.db)
  expect(await readAll('/receipts/undecided')).toContainEqual({
    ...{ kind: 'contested', tenant_id: tenantId, facility_id: facilityId },
    ...{ repayment_id: repaymentId, delivered: { amount: '500.00', asset: 'USD' } },
    ...{ reference: 'wire-1', transfer_id: 'mt103', paid_for: paidFor },
    ...{ in_suspense: null, holds_until: null, final_at: null },
    since: expect.any(String),
  })
})

test('a refused refund shows where its payment was to go, and how often it was refused', async () => {
  const [facilityId, refundId] = [newId('fac'), newId('rfd')]
  await sql`INSERT INTO facilities (tenant_id, facility_id, borrower_id, state, limit_cents, rate_ppm,
      accrued_at, created_at, updated_at)
    VALUES (${tenantId}, ${facilityId}, ${borrowerId}, 'APPROVED', 100000, 95000, now(), now(),
      now())`.execute(api.db)
  const destination = await sealOf(
    ...([api.db, { tenantId, borrowerId }, 'account-1', 'destination'] as const),
  )
  await sql`INSERT INTO refunds (tenant_id, refund_id, facility_id, source_id, asset, amount_units, cents,
      destination, status, refusals, created_at)
    VALUES (${tenantId}, ${refundId}, ${facilityId}, 'rep_1', 'USD', 50000, 50000, ${destination},
      'PENDING', 1, now())`.execute(api.db)
  expect(await readAll('/refunds/refused')).toContainEqual({
    ...{ id: refundId, tenant_id: tenantId, facility_id: facilityId, refusals: 1 },
    ...{ amount: { amount: '500.00', asset: 'USD' }, destination: 'account-1' },
    ...{ payment_under_way: false, created_at: expect.any(String) },
  })
})
