import { beforeAll, expect, test } from 'vitest'
import type { Db } from '../../../src/db/database.ts'
import { createSessionLookup } from '../../../src/domain/people/sign-in/session-lookup.ts'
import { newToken } from '../../../src/domain/people/tokens.ts'
import { apiForFile } from '../../support/api/api.ts'
import { signIn } from '../../support/api/console.ts'

const api = apiForFile()
let queries = 0
let counted: Db
beforeAll(async () => {
  counted = api.db.withPlugin({
    transformQuery({ node }) {
      queries += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
})

test('invented tokens from an exhausted source share one query, and a real one among them is found', async () => {
  const find = createSessionLookup(counted)
  const { cookie = '', personId } = await signIn(api)
  const other = await signIn(api, { tenantId: (await api.addTenant()).id })
  const foreign = (other.cookie ?? '').replace(other.tenantId, api.tenant.id)
  const invented = Array.from({ length: 50 }, () => newToken(api.tenant.id).token)
  queries = 0
  const now = api.resources.clock()
  const asked = [...invented, foreign, cookie].map((token) => find(token, now, async () => true))
  const found = await Promise.all(asked)
  expect(found.filter((session) => session !== undefined)).toMatchObject([
    { person: { id: personId } },
  ])
  expect(queries).toBe(1)
})

test('what is no token is not looked up', async () => {
  const find = createSessionLookup(counted)
  queries = 0
  for (const token of ['', 'nonsense', `${api.tenant.id}.short`]) {
    expect(await find(token, api.resources.clock(), async () => false)).toBeUndefined()
  }
  expect(queries).toBe(0)
})
