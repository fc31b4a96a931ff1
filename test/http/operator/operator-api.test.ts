import { describe, expect, test } from 'vitest'
import { inTransaction } from '../../../src/db/database.ts'
import type { OperatorRole } from '../../../src/domain/operators/roles.ts'
import { createInternalServer } from '../../../src/process/internal-server.ts'
import { operatorApiForFile, type Sent } from '../../support/api/operators.ts'
import { removeOperator } from '../../support/people.ts'

const now = new Date()
const { api, operators } = operatorApiForFile({ clock: () => now, env: { FOUR_EYES: 'on' } })

const addOperator = (role: OperatorRole) => operators.addOperator(role)
const send = (path: string, sent?: Sent) => operators.send(path, sent)
const expectRefusal = (path: string, sent: Sent, status: number, code: string) =>
  operators.expectRefusal(path, sent, status, code)

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

  test('of an operator who was removed is refused', async () => {
    const { operator, token } = await addOperator('viewer')
    await addOperator('admin')
    const { items } = (await send('/operators', { token })).json()
    const listed = { ...operator, created_at: now.toISOString(), passkeys: 0 }
    expect(items).toContainEqual({ ...listed, last_seen_at: now.toISOString() })
    await inTransaction(api.db, (tx) => removeOperator(tx, operator.email, now))
    await expectRefusal('/me', { token }, 401, 'token_required')
  })
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
