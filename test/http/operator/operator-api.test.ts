import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addMs, DAY_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { recordOperatorAction } from '../../../src/domain/operators/actions.ts'
import { SET_RESIDENCY } from '../../../src/domain/operators/acts/residency-acts.ts'
import { doOrPropose } from '../../../src/domain/operators/approvals/propose.ts'
import { type Operator, removeOperator } from '../../../src/domain/operators/operators.ts'
import type { OperatorRole } from '../../../src/domain/operators/roles.ts'
import { createOperatorToken, revokeOperatorToken } from '../../../src/domain/operators/tokens.ts'
import { createInternalServer } from '../../../src/process/internal-server.ts'
import { startTestApi, type TestApi } from '../../support/api/api.ts'
import { type OperatorApi, openOperatorApi, type Sent } from '../../support/api/operators.ts'

let owned: AsyncDisposableStack
let api: TestApi
let operators: OperatorApi
let now = new Date()
beforeAll(async () => {
  owned = new AsyncDisposableStack()
  api = owned.use(await startTestApi({ clock: () => now, env: { FOUR_EYES: 'on' } }))
  operators = owned.use(await openOperatorApi(api))
})
afterAll(() => owned.disposeAsync())

const addOperator = (role: OperatorRole) => operators.addOperator(role)
const send = (path: string, sent?: Sent) => operators.send(path, sent)
const expectRefusal = (path: string, sent: Sent, status: number, code: string) =>
  operators.expectRefusal(path, sent, status, code)

/** Proposes a rule for a country, as this operator. */
async function propose(operator: Operator, country: string): Promise<string> {
  const acting = { actor: { kind: 'operator' as const, ...operator }, now }
  return await inTransaction(api.resources.db, async (tx) => {
    const desk = { tx, stack: 'sandbox' as const, now, acting, isFourEyes: true }
    const rule = { country, borrowerType: 'business' as const, allowed: true }
    const { result, act } = await doOrPropose(desk, SET_RESIDENCY, rule, 'board')
    if (act) await recordOperatorAction(tx, acting, act)
    if (result.kind !== 'proposed') throw new Error('it was done at once')
    return result.proposed.approvalId
  })
}

const rulesOf = async (country: string) =>
  await api.db
    .selectFrom('residency_policy')
    .select('allowed')
    .where('country', '=', country)
    .execute()

describe('a token', () => {
  test('shows whose it is and what they may do', async () => {
    const { operator, token } = await addOperator('risk')
    const me = (await send('/me', { token })).json()
    expect(me).toMatchObject({ operator, stack: 'sandbox', four_eyes: true })
    expect(me.acts).toContain('refunds.redirect')
    expect(me.acts).not.toContain('tenants.create')
  })

  test.each([
    ['no token', undefined],
    ['a token of another form', 'secret'],
    ['an unknown token', `opt.${'A'.repeat(43)}`],
  ])('%s is refused', async (_what, token) => {
    const sent = token === undefined ? {} : { token }
    const { headers } = await expectRefusal('/me', sent, 401, 'token_required')
    expect(headers['www-authenticate']).toBe('Bearer')
  })

  test('is refused from the instant at which it expires', async () => {
    const { token } = await addOperator('viewer')
    const before = now
    try {
      now = addMs(before, DAY_MS - 1)
      expect((await send('/me', { token })).status).toBe(200)
      now = addMs(before, DAY_MS)
      await expectRefusal('/me', { token }, 401, 'token_required')
    } finally {
      now = before
    }
  })

  test('is refused once it was revoked, or its operator removed', async () => {
    const first = await addOperator('admin')
    const { id, token } = await inTransaction(api.db, (tx) =>
      createOperatorToken(
        tx,
        first.operator,
        { name: 'script', expiresAt: addMs(now, DAY_MS) },
        now,
      ),
    )
    await inTransaction(api.db, (tx) => revokeOperatorToken(tx, id, now))
    await expectRefusal('/me', { token }, 401, 'token_required')
    expect((await send('/me', { token: first.token })).status).toBe(200)
    await addOperator('admin')
    await inTransaction(api.db, (tx) => removeOperator(tx, first.operator.email, now))
    await expectRefusal('/me', { token: first.token }, 401, 'token_required')
  })

  test('is nowhere in the database as it was given out', async () => {
    const { token } = await addOperator('viewer')
    const rows = await api.db.selectFrom('operator_tokens').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token.slice(4))
  })
})

describe('the approvals', () => {
  test('are confirmed by another operator, in whose name the act is recorded', async () => {
    const [ada, grace] = [await addOperator('risk'), await addOperator('risk')]
    const id = await propose(ada.operator, 'IE')
    const listed = (await send('/approvals', { token: grace.token })).json()
    expect(listed.items).toContainEqual(
      expect.objectContaining({ id, status: 'PENDING', proposed_by: ada.operator.email }),
    )
    const own = { token: ada.token, method: 'POST' as const }
    await expectRefusal(`/approvals/${id}/confirm`, own, 403, 'scope_missing')
    expect(await rulesOf('IE')).toEqual([])

    const confirm = { token: grace.token, method: 'POST' as const }
    const done = await send(`/approvals/${id}/confirm`, confirm)
    expect(done.status).toBe(200)
    expect(done.json()).toEqual({
      ...{ id, status: 'CONFIRMED', action: 'residency.set' },
      subject: { kind: 'residency_rule', id: 'IE/business' },
    })
    expect(await rulesOf('IE')).toEqual([{ allowed: true }])
    const { items } = (
      await send('/actions?subject_id=IE%2Fbusiness', { token: grace.token })
    ).json()
    expect(items).toMatchObject([
      { actor: grace.operator.email, action: 'residency.set', reason: 'board' },
      { actor: grace.operator.email, action: 'approvals.confirm' },
      { actor: ada.operator.email, action: 'approvals.propose', request_id: null },
    ])
    expect(items[0].request_id).toBe(done.headers['x-svc-request-id'])
    await expectRefusal(`/approvals/${id}/confirm`, confirm, 409, 'approval_not_open')
  })

  test('are rejected with a reason, and then cannot be confirmed', async () => {
    const [ada, grace] = [await addOperator('risk'), await addOperator('admin')]
    const id = await propose(ada.operator, 'ES')
    const reject = { token: grace.token, method: 'POST' as const, body: { reason: 'too early' } }
    expect((await send(`/approvals/${id}/reject`, reject)).json()).toMatchObject({
      status: 'REJECTED',
    })
    const confirm = { token: grace.token, method: 'POST' as const }
    await expectRefusal(`/approvals/${id}/confirm`, confirm, 409, 'approval_not_open')
    const { items } = (await send('/approvals?status=all', { token: ada.token })).json()
    expect(items).toContainEqual(
      expect.objectContaining({ id, status: 'REJECTED', decision_reason: 'too early' }),
    )
  })

  test('are not decided by a viewer, nor by one whose role does not allow the act', async () => {
    const ada = await addOperator('risk')
    const id = await propose(ada.operator, 'PT')
    for (const role of ['viewer', 'reviewer'] as const) {
      const { token } = await addOperator(role)
      const body = { reason: 'no' }
      const sent = { token, method: 'POST' as const }
      await expectRefusal(`/approvals/${id}/confirm`, sent, 403, 'scope_missing')
      await expectRefusal(`/approvals/${id}/reject`, { ...sent, body }, 403, 'scope_missing')
    }
    expect(await rulesOf('PT')).toEqual([])
  })

  test('of an unknown id are not found', async () => {
    const { token } = await addOperator('admin')
    const path = '/approvals/apr_01k9x4m2q8e0tb7f2v5j6h8n3c/confirm'
    await expectRefusal(path, { token, method: 'POST' }, 404, 'not_found')
  })
})

test('actions are read newest first in pages, by every role', async () => {
  const { token } = await addOperator('viewer')
  const whole = (await send('/actions?limit=100', { token })).json()
  const first = (await send('/actions?limit=2', { token })).json()
  expect(first).toMatchObject({ has_more: true })
  const second = (await send(`/actions?limit=2&from=${first.next_cursor}`, { token })).json()
  expect([...first.items, ...second.items]).toEqual(whole.items.slice(0, 4))
  const other = `/actions?limit=2&actor=x&from=${first.next_cursor}`
  await expectRefusal(other, { token }, 400, 'cursor_invalid')
})

test('operators are listed', async () => {
  const { operator, token } = await addOperator('viewer')
  const { items } = (await send('/operators', { token })).json()
  const listed = { ...operator, created_at: now.toISOString(), passkeys: 0, last_seen_at: null }
  expect(items).toContainEqual(listed)
})

describe('a request that is not understood', () => {
  test.each([
    ['an unknown path', '/nowhere', {}, 404, 'not_found'],
    ['another method', '/me', { method: 'DELETE' }, 405, 'method_not_allowed'],
    ['a method that no path has', '/me', { method: 'OPTIONS' }, 405, 'method_not_allowed'],
    ['an unknown query', '/me?x=1', {}, 422, 'validation_failed'],
    [
      'a body of another type',
      rejection(),
      { body: 'x', type: 'text/plain' },
      415,
      'unsupported_media_type',
    ],
    ['a body that is no JSON', rejection(), { body: '{' }, 400, 'invalid_json'],
    ['a body without its members', rejection(), { body: {} }, 422, 'validation_failed'],
  ] as const)('is refused: %s', async (_what, path, sent, status, code) => {
    const { token } = await addOperator('admin')
    const method = 'body' in sent ? ('POST' as const) : undefined
    await expectRefusal(path, { token, ...(method && { method }), ...sent }, status, code)
  })

  test('is refused before its path is known, without a token', async () => {
    await expectRefusal('/nowhere', {}, 401, 'token_required')
  })
})

function rejection() {
  return '/approvals/apr_01k9x4m2q8e0tb7f2v5j6h8n3c/reject'
}

test('the document describes every route, and the tenants’ port and a worker have none of it', async () => {
  const served = await operators.server.inject({ method: 'GET', url: '/operator/openapi.json' })
  expect(Object.keys(served.json().paths)).toContain('/operator/v1/approvals/{id}/confirm')
  expect((await fetch(`${api.baseUrl}/operator/v1/me`)).status).toBe(404)
  const worker = await createInternalServer(api.resources, false)
  expect((await worker.inject({ method: 'GET', url: '/operator/v1/me' })).statusCode).toBe(404)
  await worker.close()
})
