import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestBorrower } from '../../support/api/api.ts'
import { operatorApiForFile } from '../../support/api/operators.ts'

let ada: string
let grace: string
const { api, operators } = operatorApiForFile({ env: { FOUR_EYES: 'on' } })
beforeAll(async () => {
  ada = (await operators.addOperator('admin')).token
  grace = (await operators.addOperator('risk')).token
})
let borrowerId: string
let key: string
beforeEach(async () => {
  borrowerId = await createTestBorrower(api.tenant)
  key = randomUUID()
})

const actionsOf = async (subjectId: string) =>
  (await operators.send(`/actions?subject_id=${subjectId}`, { token: ada })).json().items
const act = (name: string, { reason = 'order', under = key, token = ada } = {}) =>
  operators.send(`/tenants/${api.tenant.id}/borrowers/${borrowerId}/${name}`, {
    ...{ token, method: 'POST', body: { reason } },
    headers: { 'idempotency-key': under },
  })

describe('under an Idempotency-Key', () => {
  test('however it is written, and twenty times at once, an act is done once', async () => {
    const keys = Array.from({ length: 20 }, (_, at) => (at % 2 ? key : key.toUpperCase()))
    const answers = await Promise.all(keys.map((under) => act('block', { under })))
    for (const { status, json } of answers) {
      if (status === 200) expect(json()).toMatchObject({ outcome: 'done' })
      else expect(json()).toMatchObject({ code: 'idempotency_in_progress' })
    }
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect(await actionsOf(borrowerId)).toHaveLength(1)
  })

  test('another request is refused, and so is a key that is no UUID', async () => {
    await act('block')
    const other = await act('block', { reason: 'another order' })
    expect([other.status, other.json().code]).toEqual([422, 'idempotency_key_reused'])
    const wrong = await act('block', { under: 'again' })
    expect([wrong.status, wrong.json().code]).toEqual([400, 'idempotency_key_invalid'])
    expect(await actionsOf(borrowerId)).toHaveLength(1)
  })

  test('a refused act leaves the key unused', async () => {
    expect((await act('unblock')).status).toBe(422)
    await act('block', { under: randomUUID() })
    expect((await act('unblock')).json()).toMatchObject({ outcome: 'proposed' })
  })

  test('each operator has keys of their own', async () => {
    await act('block')
    expect((await act('block', { token: grace })).status).toBe(200)
    expect(await actionsOf(borrowerId)).toHaveLength(2)
  })
})

test('an action is read with its hash, which the next one repeats', async () => {
  await act('block')
  await act('block', { under: randomUUID() })
  const { items } = (await operators.send('/actions?limit=2', { token: ada })).json()
  const [newest, before] = items
  expect(newest.previous_hash).toBe(before.hash)
  const read = (await operators.send(`/actions/${newest.number}`, { token: ada })).json()
  expect(read).toEqual(newest)
})
