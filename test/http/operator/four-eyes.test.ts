import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMs, DAY_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { recordOperatorAction } from '../../../src/domain/operators/actions.ts'
import type { Operator } from '../../../src/domain/operators/operators.ts'
import { createTestBorrower, startTestApi, type TestApi } from '../../support/api/api.ts'
import { type OperatorApi, openOperatorApi } from '../../support/api/operators.ts'

type Person = { operator: Operator; token: string }

let owned: AsyncDisposableStack
let api: TestApi
let operators: OperatorApi
let ada: Person
let grace: Person
const now = new Date()
beforeAll(async () => {
  owned = new AsyncDisposableStack()
  api = owned.use(await startTestApi({ env: { FOUR_EYES: 'on' }, clock: () => now }))
  operators = owned.use(await openOperatorApi(api))
})
afterAll(() => owned.disposeAsync())
beforeEach(async () => {
  ada = await operators.addOperator('admin')
  grace = await operators.addOperator('risk')
})

const post = ({ token }: Person, path: string) =>
  operators.send(path, { token, method: 'POST', body: { reason: 'court order' } })

/** Returns the path of its confirmation. */
async function proposeUnblock(by: Person): Promise<string> {
  const path = `/tenants/${api.tenant.id}/borrowers/${await createTestBorrower(api.tenant)}`
  await post(by, `${path}/block`)
  const { approval_id: id } = (await post(by, `${path}/unblock`)).json()
  return `/approvals/${id}/confirm`
}

const confirm = ({ token }: Person, path: string) => operators.send(path, { token, method: 'POST' })

async function letIn(by: Person, { operator: { id } }: Person, action: Way, agoMs = 0) {
  const acting = {
    actor: { kind: 'operator' as const, ...by.operator },
    now: addMs(now, -agoMs),
  }
  const subject = { kind: 'operator', id }
  await inTransaction(api.db, (tx) => recordOperatorAction(tx, acting, { action, subject }))
}

const WAYS = ['operators.invite', 'operators.create_token'] as const
type Way = (typeof WAYS)[number]

test.each(WAYS)(
  'who let the second operator in by %s could be both, so for a day it takes two others',
  async (action) => {
    const proposals = [await proposeUnblock(ada), await proposeUnblock(grace)] as const
    await letIn(ada, grace, action, DAY_MS - 1)
    for (const answer of [await confirm(grace, proposals[0]), await confirm(ada, proposals[1])]) {
      expect(answer.json()).toMatchObject({ status: 403, code: 'scope_missing' })
      expect(answer.json().detail).toContain(grace.operator.email)
    }
  },
)

test.each(WAYS)('who was let in a day ago by %s confirms', async (action) => {
  const path = await proposeUnblock(ada)
  await letIn(ada, grace, action, DAY_MS)
  expect((await confirm(grace, path)).status).toBe(200)
})

test('a token of their own keeps no one from confirming', async () => {
  const path = await proposeUnblock(grace)
  await letIn(ada, ada, 'operators.create_token')
  expect((await confirm(ada, path)).status).toBe(200)
})

test('an admin makes no token of another operator, by which they would be both', async () => {
  const expires = addMs(now, DAY_MS).toISOString()
  const make = ({ operator: { id } }: Person) =>
    operators.send('/tokens', {
      ...{ token: ada.token, method: 'POST' },
      body: { operator_id: id, name: 'laptop', expires_at: expires },
    })
  expect((await make(grace)).json()).toMatchObject({ status: 403, code: 'scope_missing' })
  expect((await make(ada)).status).toBe(201)
})
