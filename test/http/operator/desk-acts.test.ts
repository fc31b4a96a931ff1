import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { recordAudit } from '../../../src/domain/audit/runs.ts'
import type { OperatorRole } from '../../../src/domain/operators/roles.ts'
import { createManualCompliance } from '../../../src/providers/compliance-manual.ts'
import { startTestApi, type TestApi } from '../../support/api/api.ts'
import { type OperatorApi, openOperatorApi } from '../../support/api/operators.ts'
import { addBorrower, evaluate, openTenant, sign } from '../../support/lending/onboarding.ts'

let owned: AsyncDisposableStack
let api: TestApi
let operators: OperatorApi
let tokens: Record<OperatorRole, string>
beforeAll(async () => {
  owned = new AsyncDisposableStack()
  api = owned.use(await startTestApi({ env: { FOUR_EYES: 'on' } }))
  operators = owned.use(await openOperatorApi(api))
  const tokenOf = async (role: OperatorRole) => (await operators.addOperator(role)).token
  tokens = {
    ...{ viewer: await tokenOf('viewer'), reviewer: await tokenOf('reviewer') },
    ...{ risk: await tokenOf('risk'), admin: await tokenOf('admin') },
  }
})
afterAll(() => owned.disposeAsync())

let tenantId = ''
let borrowerId = ''
/** A borrower who has signed, with two checks that wait for the operator. */
beforeEach(async () => {
  tenantId = await openTenant(api.db)
  borrowerId = await addBorrower(api.db, tenantId)
  await sign(api.db, tenantId, borrowerId, { fullName: 'Grace Hopper' })
  await evaluate(api.db, tenantId, borrowerId, { provider: createManualCompliance() })
})

const reason = 'passport seen'
const act = (name: string, role: OperatorRole, body: object = { reason }) =>
  operators.send(`/tenants/${tenantId}/borrowers/${borrowerId}/${name}`, {
    ...{ token: tokens[role], method: 'POST', body },
  })
const statuses = async () => {
  const rows = await api.db
    .selectFrom('compliance_checks')
    .select('status')
    .where('borrower_id', '=', borrowerId)
    .execute()
  return rows.map(({ status }) => status)
}
const actionsOf = async (subjectId: string) =>
  (await operators.send(`/actions?subject_id=${subjectId}`, { token: tokens.viewer })).json().items
const waiting = async () => {
  const { items } = (await operators.send('/reviews', { token: tokens.viewer })).json()
  return items.filter((item: { borrower_id: string }) => item.borrower_id === borrowerId)
}

describe('the review queue', () => {
  test('lists what waits in every tenant, without the names of signers', async () => {
    const reviews = await waiting()
    expect(reviews.map((review: { kind: string }) => review.kind).sort()).toEqual(['aml', 'kyc'])
    expect(reviews[0]).toMatchObject({ tenant_id: tenantId })
    const all = (await operators.send('/reviews', { token: tokens.admin })).json()
    expect(JSON.stringify(all)).not.toMatch(/Hopper|full_name|note/)
  })

  test('shows who signed to a reviewer, and records that it did but not what', async () => {
    const shown = (await act('reveal', 'reviewer')).json()
    expect(shown.items.map((item: { full_name: string }) => item.full_name)).toEqual([
      'Grace Hopper',
      'Grace Hopper',
    ])
    expect(shown.signatures).toMatchObject([
      { full_name: 'Grace Hopper', email: expect.any(String) },
    ])
    const actions = await actionsOf(borrowerId)
    expect(actions).toMatchObject([{ action: 'borrowers.reveal', reason, tenant_id: tenantId }])
    expect(JSON.stringify(actions)).not.toContain('Hopper')
  })

  test.each(['viewer', 'risk'] as const)('shows no name to the role %s', async (role) => {
    const refused = await act('reveal', role)
    expect(refused.status).toBe(403)
    expect(JSON.stringify(refused.json())).not.toContain('Hopper')
    expect(await actionsOf(borrowerId)).toEqual([])
  })

  test('is decided with a reason, under the name of the reviewer', async () => {
    expect((await act('approve', 'reviewer')).json()).toEqual({
      ...{ outcome: 'done', approval_id: null, expires_at: null },
    })
    expect(await statuses()).toEqual(['passed', 'passed'])
    expect(await waiting()).toEqual([])
    expect(await actionsOf(borrowerId)).toMatchObject([
      {
        ...{ action: 'borrowers.approve', reason, request_id: expect.stringMatching(/^req_/) },
      },
    ])
    const [{ before, after }] = await actionsOf(borrowerId)
    const kindsAndStatuses = (checks: object) =>
      Object.values(checks).sort((a, b) => a.kind.localeCompare(b.kind))
    expect(kindsAndStatuses(before)).toEqual([
      { kind: 'aml', status: 'review' },
      { kind: 'kyc', status: 'review' },
    ])
    expect(kindsAndStatuses(after)).toEqual([
      { kind: 'aml', status: 'passed' },
      { kind: 'kyc', status: 'passed' },
    ])
    expect((await act('approve', 'reviewer')).status).toBe(404)
    expect((await act('approve', 'reviewer', {})).status).toBe(422)
  })

  test('overrides a failed check only with a second operator', async () => {
    expect((await act('reject', 'reviewer')).json()).toMatchObject({ outcome: 'done' })
    expect(await statuses()).toEqual(['failed', 'failed'])
    const proposed = (await act('approve', 'reviewer')).json()
    expect(proposed).toMatchObject({ outcome: 'proposed' })
    expect(await statuses()).toEqual(['failed', 'failed'])
    const path = `/approvals/${proposed.approval_id}/confirm`
    const confirmed = await operators.send(path, { token: tokens.admin, method: 'POST' })
    expect(confirmed.status).toBe(200)
    expect(await statuses()).toEqual(['passed', 'passed'])
  })

  test("keeps another signer's check failed that failed after the override was proposed", async () => {
    await act('reject', 'reviewer')
    const { approval_id: id } = (await act('approve', 'reviewer')).json()
    await sign(api.db, tenantId, borrowerId, { fullName: 'Alan Turing', email: 'alan@example.com' })
    await evaluate(api.db, tenantId, borrowerId, { provider: createManualCompliance() })
    await act('reject', 'reviewer')
    const failed = await statuses()
    expect(failed.length).toBeGreaterThan(2)
    const sent = { token: tokens.admin, method: 'POST' as const }
    await operators.expectRefusal(`/approvals/${id}/confirm`, sent, 409, 'approval_not_open')
    expect(await statuses()).toEqual(failed.map(() => 'failed'))
  })
})

describe('a block', () => {
  test('is set by one operator, and its release is proposed', async () => {
    expect((await act('block', 'risk')).json()).toMatchObject({ outcome: 'done' })
    expect((await act('unblock', 'risk')).json()).toMatchObject({ outcome: 'proposed' })
    const row = await api.db
      .selectFrom('borrowers')
      .select('blocked_reason')
      .where('borrower_id', '=', borrowerId)
      .executeTakeFirst()
    expect(row).toEqual({ blocked_reason: reason })
  })

  test('that is set again for the same reason is not released by an earlier proposal', async () => {
    await act('block', 'risk')
    const { approval_id: id } = (await act('unblock', 'risk')).json()
    const sent = { token: tokens.admin, method: 'POST' as const }
    await act('block', 'reviewer')
    await operators.expectRefusal(`/approvals/${id}/confirm`, sent, 409, 'approval_not_open')
  })

  test('needs a reason that is more than blanks', async () => {
    for (const blank of ['', ' ', '\u00a0 \u2003']) {
      expect((await act('block', 'risk', { reason: blank })).status).toBe(422)
    }
    expect(await actionsOf(borrowerId)).toEqual([])
  })

  test('that is not there is not released, nor is that proposed', async () => {
    expect((await act('unblock', 'risk')).status).toBe(422)
    expect(await actionsOf(borrowerId)).toEqual([])
  })

  test('is not set by a viewer, nor for a borrower of another tenant', async () => {
    expect((await act('block', 'viewer')).status).toBe(403)
    const other = await openTenant(api.db)
    const path = `/tenants/${other}/borrowers/${borrowerId}/block`
    const sent = { token: tokens.admin, method: 'POST' as const, body: { reason } }
    await operators.expectRefusal(path, sent, 404, 'not_found')
    expect(await actionsOf(borrowerId)).toEqual([])
  })
})

describe('stuck work', () => {
  beforeEach(async () => {
    await api.db
      .insertInto('work')
      .values({
        ...{ tenant_id: tenantId, topic: 'evaluate-borrower', subject_id: `${borrowerId}x` },
        ...{ clock: 'real', priority: 1, due_at: new Date('2100-01-01'), attempts: 12 },
        ...{ failing_since: new Date(), last_error: 'down' },
      } as never)
      .execute()
  })
  const stuck = async () =>
    (await operators.send(`/work/stuck?tenant_id=${tenantId}`, { token: tokens.viewer })).json()
      .items
  const retry = (role: OperatorRole) =>
    operators.send('/work/retry', {
      ...{ token: tokens[role], method: 'POST' },
      body: { tenant_id: tenantId, reason: 'the provider is back' },
    })
  const dueAt = async () => {
    const row = await api.db
      .selectFrom('work')
      .select('due_at')
      .where('subject_id', '=', `${borrowerId}x`)
      .executeTakeFirstOrThrow()
    return row.due_at
  }

  test('is listed with its error, and retried under the name of an operator', async () => {
    expect(await stuck()).toMatchObject([
      { tenant_id: tenantId, topic: 'evaluate-borrower', attempts: 12, error: 'down' },
    ])
    expect((await retry('risk')).json()).toEqual({ retried: 1 })
    expect((await dueAt()).getTime()).toBeLessThanOrEqual(Date.now())
    const path = `/actions?tenant_id=${tenantId}`
    expect((await operators.send(path, { token: tokens.viewer })).json().items).toMatchObject([
      { action: 'work.retry', reason: 'the provider is back', after: { retried: 1 } },
    ])
  })

  test('is not retried by a viewer', async () => {
    expect((await retry('viewer')).status).toBe(403)
    expect((await dueAt()).getUTCFullYear()).toBe(2100)
  })
})

describe('a refused refund', () => {
  test('is listed, and redirected by two operators', async () => {
    const { facilityId, refundId } = await addRefusedRefund()
    const listed = (await operators.send('/refunds/refused', { token: tokens.viewer })).json()
    expect(listed.items).toContainEqual({
      ...{ id: refundId, tenant_id: tenantId, facility_id: facilityId, refusals: 1 },
      ...{ amount: { amount: '500.00', asset: 'USD' }, destination: 'account-1' },
      ...{ payment_under_way: false, created_at: expect.any(String) },
    })
    const path = `/tenants/${tenantId}/refunds/${refundId}/redirect`
    const body = { destination: 'account-2', reason: 'account closed' }
    const redirect = (role: OperatorRole) =>
      operators.send(path, { token: tokens[role], method: 'POST', body })
    expect((await redirect('reviewer')).status).toBe(403)
    const proposed = (await redirect('risk')).json()
    expect(proposed).toMatchObject({ outcome: 'proposed' })
    const destination = async () => {
      const row = await api.db
        .selectFrom('refunds')
        .select('destination')
        .where('refund_id', '=', refundId)
        .executeTakeFirstOrThrow()
      return row.destination
    }
    expect(await destination()).toBe('account-1')
    const confirm = { token: tokens.admin, method: 'POST' as const }
    await operators.send(`/approvals/${proposed.approval_id}/confirm`, confirm)
    expect(await destination()).toBe('account-2')
  })
})

test('the last audit is shown, and that there was none', async () => {
  const shown = async () => (await operators.send('/audit', { token: tokens.viewer })).json()
  const none = { violations: {}, unfinished: 0, findings: [], requested_at: null }
  expect(await shown()).toEqual({ finished_at: null, ...none })
  await recordAudit(api.db, [], new Date('2026-11-22T12:00:00Z'))
  expect(await shown()).toMatchObject({ finished_at: '2026-11-22T12:00:00.000Z', unfinished: 0 })
})

/** Of 500.00, which the treasury has refused once. */
async function addRefusedRefund() {
  const facilityId = newId('fac')
  const refundId = newId('rfd')
  await sql`INSERT INTO facilities (tenant_id, facility_id, borrower_id, state, limit_cents, rate_ppm,
      accrued_at, created_at, updated_at)
    VALUES (${tenantId}, ${facilityId}, ${borrowerId}, 'APPROVED', 100000, 95000, now(), now(),
      now())`.execute(api.db)
  await sql`INSERT INTO refunds (tenant_id, refund_id, facility_id, source_id, asset, amount_units, cents,
      destination, status, refusals, created_at)
    VALUES (${tenantId}, ${refundId}, ${facilityId}, 'rep_1', 'USD', 50000, 50000, 'account-1',
      'PENDING', 1, now())`.execute(api.db)
  return { facilityId, refundId }
}
