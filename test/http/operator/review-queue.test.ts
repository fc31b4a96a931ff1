import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { createManualCompliance } from '../../../src/providers/compliance-manual.ts'
import { startTestApi, type TestApi } from '../../support/api/api.ts'
import { type OperatorApi, openOperatorApi } from '../../support/api/operators.ts'
import { addBorrower, evaluate, openTenant, sign } from '../../support/lending/onboarding.ts'

let owned: AsyncDisposableStack
let api: TestApi
let operators: OperatorApi
let viewer = ''
let reviewer = ''
beforeAll(async () => {
  owned = new AsyncDisposableStack()
  api = owned.use(await startTestApi({ env: { FOUR_EYES: 'on' } }))
  operators = owned.use(await openOperatorApi(api))
  viewer = (await operators.addOperator('viewer')).token
  reviewer = (await operators.addOperator('reviewer')).token
})
afterAll(() => owned.disposeAsync())

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

/** Every item of a list that is read page by page. */
async function readAll(path: string, limit: number) {
  const items = []
  let from = ''
  for (;;) {
    const page = await read(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}${from}`)
    expect(page.items.length).toBeLessThanOrEqual(limit)
    items.push(...page.items)
    if (!page.has_more) return items
    from = `&from=${page.next_cursor}`
  }
}

/** One check that waits, and so many more, a microsecond apart. */
async function addWaitingChecks(more: number) {
  await sign(api.db, tenantId, borrowerId, {
    fullName: 'Grace Hopper',
    email: 'grace@navy.example',
  })
  await evaluate(api.db, tenantId, borrowerId, { provider: createManualCompliance() })
  await sql`INSERT INTO compliance_checks
      (tenant_id, check_id, borrower_id, kind, signature_id, subject, status, created_at)
    SELECT tenant_id, 'chk_' || lpad(n::text, 26, '0'), borrower_id, 'kyb', signature_id, n::text,
      'review', timestamptz '2020-01-01' + (n / 3) * interval '1 us'
    FROM compliance_checks, generate_series(1, ${more}::int) AS n
    WHERE borrower_id = ${borrowerId} AND kind = 'kyc'`.execute(api.db)
}

describe('the checks that wait', () => {
  test('are read page by page, longest waiting first, each once though instants differ by a microsecond', async () => {
    await addWaitingChecks(23)
    const all = await readAll(`/reviews?tenant_id=${tenantId}`, 4)
    expect(all).toHaveLength(25)
    const ids = all.map((item: { check_id: string }) => item.check_id)
    expect(new Set(ids).size).toBe(25)
    expect(ids.slice(0, 23)).toEqual([...ids.slice(0, 23)].sort())
    const everyone = await readAll('/reviews', 7)
    expect(everyone.map(({ check_id: id }) => id)).toEqual(expect.arrayContaining(ids))
  })

  test('are filtered by kind and tenant, and show where the borrower lives', async () => {
    await addWaitingChecks(2)
    const kyc = await readAll(`/reviews?tenant_id=${tenantId}&kind=kyc`, 10)
    expect(kyc).toMatchObject([
      { kind: 'kyc', borrower_id: borrowerId, residency: expect.stringMatching(/^[A-Z]{2}/) },
    ])
    expect(await readAll(`/reviews?tenant_id=${await openTenant(api.db)}`, 10)).toEqual([])
    const page = await operators.send('/reviews?limit=101', { token: viewer })
    expect(page.status).toBe(422)
  })

  test('accept a cursor only of the same list', async () => {
    await addWaitingChecks(2)
    const { next_cursor: cursor } = await read(`/reviews?tenant_id=${tenantId}&limit=1`)
    const sent = { token: viewer }
    await operators.expectRefusal(`/reviews?from=${cursor}`, sent, 400, 'cursor_invalid')
    await operators.expectRefusal(`/applications?from=${cursor}`, sent, 400, 'cursor_invalid')
  })
})

describe("a borrower's file", () => {
  test('shows checks, documents and proposals, and nothing of who signed', async () => {
    await addWaitingChecks(0)
    await sign(api.db, tenantId, borrowerId, {
      fullName: 'Alan Turing',
      email: 'alan@bletchley.example',
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

  test('is not found under another tenant', async () => {
    const path = `/tenants/${await openTenant(api.db)}/borrowers/${borrowerId}`
    await operators.expectRefusal(path, { token: viewer }, 404, 'not_found')
  })
})

describe('blocked borrowers', () => {
  const blocked = () => readAll(`/borrowers/blocked?tenant_id=${tenantId}`, 2)

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
    await sql`UPDATE borrowers SET blocked_at = '2020-01-01', blocked_reason = 'old'
      WHERE borrower_id = ${borrowerId}`.execute(api.db)
    expect(await blocked()).toMatchObject([
      { reason: 'old', blocked_by: null, action_number: null },
    ])
  })

  test('are read page by page, each once', async () => {
    for (let number = 0; number < 5; number += 1) {
      borrowerId = await addBorrower(api.db, tenantId)
      await send('block')
    }
    expect(new Set((await blocked()).map((item) => item.borrower_id)).size).toBe(5)
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
  const waiting = async () => await readAll(`/applications?tenant_id=${tenantId}`, 10)
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
