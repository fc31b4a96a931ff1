import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { MINUTE_MS } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { addPerson } from '../../src/domain/people/people.ts'
import { apiForFile } from '../support/api/api.ts'
import { type SignedIn, signIn } from '../support/api/console.ts'
import { expectProblem } from '../support/api/expect-problem.ts'

let aheadMs = 0
const clock = () => new Date(Date.now() + aheadMs)
const api = apiForFile({ clock })

let invited = 0
async function invite(admin: SignedIn) {
  invited += 1
  const body = { email: `p${invited}@example.com`, name: 'Grace', role: 'viewer' }
  return await admin.send('POST', '/console/api/people', { body })
}

test("a tenant's people make ten invitations an hour, new ones and again, however many admins they are", async () => {
  const { id: tenantId } = await api.addTenant()
  const [admin, other] = [await signIn(api, { tenantId }), await signIn(api, { tenantId })]
  const stranger = await signIn(api, { tenantId: (await api.addTenant()).id })
  const first = await invite(admin)
  const { id } = first.json().person
  const again = () => other.send('POST', `/console/api/people/${id}/invitation`, { body: {} })
  const answers = await Promise.all([
    ...Array.from({ length: 8 }, () => invite(admin)),
    ...Array.from({ length: 8 }, again),
  ])
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(9)
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expectProblem(answer, 409, 'limit_reached')
    const wait = Number(answer.headers['retry-after'])
    expect(wait).toBeGreaterThan(3_500)
    expect(wait).toBeLessThanOrEqual(3_600)
  }
  expect((await invite(stranger)).status).toBe(201)
  // The lender's invitations are not counted, and not refused.
  const act = { audience: 'tenant', tenantId, now: clock() } as const
  const person = { email: 'lender@example.com', name: 'Lena', role: 'viewer' } as const
  await inTransaction(api.db, (tx) => addPerson(tx, act, person))

  aheadMs += 61 * MINUTE_MS
  expect((await invite(admin)).status).toBe(201)
})

test('a tenant has fifty people, and one who was removed makes room', async () => {
  const { id: tenantId } = await api.addTenant()
  const admin = await signIn(api, { tenantId })
  await sql`INSERT INTO console_people (tenant_id, person_id, email, name, role, created_at)
    SELECT ${tenantId}, 'per_' || lpad(number::text, 26, '0'), 'n' || number || '@example.com', 'N', 'viewer',
      ${clock()}
    FROM generate_series(1, 48) number`.execute(api.db)
  const last = await invite(admin)
  expect(last.status).toBe(201)
  expectProblem(await invite(admin), 409, 'limit_reached')
  const path = `/console/api/people/${last.json().person.id}`
  expect((await admin.send('DELETE', path)).status).toBe(204)
  expect((await invite(admin)).status).toBe(201)
})
