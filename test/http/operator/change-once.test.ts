import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../../src/db/database.ts'
import { recordOperatorAction } from '../../../src/domain/operators/actions.ts'
import { SET_RESIDENCY } from '../../../src/domain/operators/acts/residency-acts.ts'
import { doOrPropose } from '../../../src/domain/operators/approvals/propose.ts'
import type { Operator } from '../../../src/domain/operators/operators.ts'
import { createTestBorrower, startTestApi, type TestApi } from '../../support/api/api.ts'
import { type OperatorApi, openOperatorApi } from '../../support/api/operators.ts'

let owned: AsyncDisposableStack
let api: TestApi
let operators: OperatorApi
let ada: { operator: Operator; token: string }
let grace: { operator: Operator; token: string }
beforeAll(async () => {
  owned = new AsyncDisposableStack()
  api = owned.use(await startTestApi({ env: { FOUR_EYES: 'on' } }))
  operators = owned.use(await openOperatorApi(api))
  ada = await operators.addOperator('admin')
  grace = await operators.addOperator('risk')
})
afterAll(() => owned.disposeAsync())

const pathOf = (borrowerId: string, act: string) =>
  `/tenants/${api.tenant.id}/borrowers/${borrowerId}/${act}`
const actionsOf = async (subjectId: string) =>
  (await operators.send(`/actions?subject_id=${subjectId}`, { token: ada.token })).json().items

function act(borrowerId: string, name: string, key: string, body: object = { reason: 'order' }) {
  const sent = { token: ada.token, method: 'POST' as const, body }
  const headers = { 'idempotency-key': key }
  return operators.send(pathOf(borrowerId, name), { ...sent, headers })
}

describe('under an Idempotency-Key', () => {
  test('a repeated act is answered as the first time and done once', async () => {
    const borrowerId = await createTestBorrower(api.tenant)
    const key = randomUUID()
    const first = await act(borrowerId, 'block', key)
    const second = await act(borrowerId, 'block', key.toUpperCase())
    expect(second.json()).toEqual(first.json())
    expect([first.headers['idempotent-replayed'], second.headers['idempotent-replayed']]).toEqual([
      undefined,
      'true',
    ])
    expect(await actionsOf(borrowerId)).toHaveLength(1)
  })

  test('twenty repetitions at once do an act once', async () => {
    const borrowerId = await createTestBorrower(api.tenant)
    const key = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => act(borrowerId, 'block', key)),
    )
    for (const { status, json } of answers) {
      if (status === 200) expect(json()).toMatchObject({ outcome: 'done' })
      else expect(json()).toMatchObject({ code: 'idempotency_in_progress' })
    }
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect(await actionsOf(borrowerId)).toHaveLength(1)
  })

  test('another request is refused, and so is a key that is no UUID', async () => {
    const borrowerId = await createTestBorrower(api.tenant)
    const key = randomUUID()
    await act(borrowerId, 'block', key)
    const other = await act(borrowerId, 'block', key, { reason: 'another order' })
    expect([other.status, other.json().code]).toEqual([422, 'idempotency_key_reused'])
    const wrong = await act(borrowerId, 'block', 'again')
    expect([wrong.status, wrong.json().code]).toEqual([400, 'idempotency_key_invalid'])
    expect(await actionsOf(borrowerId)).toHaveLength(1)
  })

  test('a refused act leaves the key unused', async () => {
    const borrowerId = await createTestBorrower(api.tenant)
    const key = randomUUID()
    expect((await act(borrowerId, 'unblock', key)).status).toBe(422)
    await act(borrowerId, 'block', randomUUID())
    expect((await act(borrowerId, 'unblock', key)).json()).toMatchObject({ outcome: 'proposed' })
  })

  test('each operator has keys of their own', async () => {
    const key = randomUUID()
    const borrowerId = await createTestBorrower(api.tenant)
    await act(borrowerId, 'block', key)
    const other = await operators.send(pathOf(borrowerId, 'block'), {
      ...{ token: grace.token, method: 'POST', body: { reason: 'order' } },
      headers: { 'idempotency-key': key },
    })
    expect(other.status).toBe(200)
    expect(await actionsOf(borrowerId)).toHaveLength(2)
  })
})

describe('a proposal', () => {
  const setRule = (operator: Operator, country: string, allowed: boolean, isFourEyes = true) => {
    const now = api.resources.clock()
    const acting = { actor: { kind: 'operator' as const, ...operator }, now }
    return inTransaction(api.resources.db, async (tx) => {
      const desk = { tx, stack: 'sandbox' as const, now, acting, isFourEyes }
      const rule = { country, borrowerType: 'business' as const, allowed }
      const { result, act: done } = await doOrPropose(desk, SET_RESIDENCY, rule, 'board')
      if (done) await recordOperatorAction(tx, acting, done)
      return result.kind === 'proposed' ? result.proposed.approvalId : ''
    })
  }

  test('sent twice by one operator is one, and by another a second', async () => {
    const [first, second] = [
      await setRule(grace.operator, 'PT', true),
      await setRule(grace.operator, 'PT', true),
    ]
    expect(second).toBe(first)
    expect(await setRule(ada.operator, 'PT', true)).not.toBe(first)
    expect(await setRule(grace.operator, 'PT', false)).not.toBe(first)
  })

  test('is not confirmed when what it would change was changed and changed back', async () => {
    await setRule(ada.operator, 'ES', true, false)
    const approvalId = await setRule(grace.operator, 'ES', false)
    await setRule(ada.operator, 'ES', false, false)
    await setRule(ada.operator, 'ES', true, false)
    const sent = { token: ada.token, method: 'POST' as const }
    const answer = await operators.send(`/approvals/${approvalId}/confirm`, sent)
    expect([answer.status, answer.json().code]).toEqual([409, 'approval_not_open'])
    const rule = { country: 'ES', borrower_type: 'business' }
    const { rows } = { rows: await api.db.selectFrom('residency_policy').selectAll().execute() }
    expect(rows).toContainEqual(expect.objectContaining({ ...rule, allowed: true }))
  })

  test('is read by its id, and proposals by pages', async () => {
    const ids = [
      await setRule(grace.operator, 'IT', true),
      await setRule(grace.operator, 'AT', true),
      await setRule(grace.operator, 'BE', true),
    ]
    const read = await operators.send(`/approvals/${ids[0]}`, { token: ada.token })
    expect(read.json()).toMatchObject({ id: ids[0], status: 'PENDING' })
    for (const status of ['pending', 'all']) {
      const seen: string[] = []
      let from = ''
      do {
        const query = `status=${status}&limit=2${from && `&from=${from}`}`
        const page = (await operators.send(`/approvals?${query}`, { token: ada.token })).json()
        seen.push(...page.items.map(({ id }: { id: string }) => id))
        from = page.next_cursor ?? ''
      } while (from !== '')
      expect(seen).toEqual(expect.arrayContaining(ids))
      expect(new Set(seen).size).toBe(seen.length)
      const ordered = status === 'pending' ? seen : seen.toReversed()
      expect(ordered).toEqual(ordered.toSorted())
    }
  })

  test.each(['/approvals?limit=101', '/actions?limit=101'])(
    '%s asks for too many',
    async (path) => {
      await operators.expectRefusal(path, { token: ada.token }, 422, 'validation_failed')
    },
  )
})

describe('an act of one whose role changes meanwhile', () => {
  test('is refused by the role as it is in its transaction', async () => {
    const { operator, token } = await operators.addOperator('reviewer')
    const borrowerId = await createTestBorrower(api.tenant)
    const stale = { actor: { kind: 'operator' as const, ...operator }, now: api.resources.clock() }
    await api.db
      .updateTable('operators')
      .set({ role: 'viewer' })
      .where('operator_id', '=', operator.id)
      .execute()
    const recorded = inTransaction(api.resources.db, (tx) =>
      recordOperatorAction(tx, stale, {
        action: 'borrowers.block',
        subject: { kind: 'borrower', id: borrowerId },
      }),
    )
    await expect(recorded).rejects.toMatchObject({ code: 'scope_missing' })
    const sent = { token, method: 'POST' as const, body: { reason: 'order' } }
    await operators.expectRefusal(pathOf(borrowerId, 'block'), sent, 403, 'scope_missing')
    expect(await actionsOf(borrowerId)).toEqual([])
  })
})

test('an action is read with its hash, which the next one repeats', async () => {
  const { items } = (await operators.send('/actions?limit=2', { token: ada.token })).json()
  const [newest, before] = items
  expect(newest.previous_hash).toBe(before.hash)
  const read = (await operators.send(`/actions/${newest.number}`, { token: ada.token })).json()
  expect(read).toEqual(newest)
  await operators.expectRefusal('/actions/1000000', { token: ada.token }, 404, 'not_found')
})
