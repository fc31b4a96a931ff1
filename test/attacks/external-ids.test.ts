import { describe, expect, test } from 'vitest'
import type { TestTenant } from '../support/api/api.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import { operatorApiForFile } from '../support/api/operators.ts'
import { insertFacilities } from '../support/lending/facility-rows.ts'

const { api, operators } = operatorApiForFile()

const BORROWER = { type: 'individual', kyc_attested: true, residency_country: 'DE' }

const create = (tenant: TestTenant, externalId: unknown) =>
  tenant.send('POST', '/v1/borrowers', { body: { ...BORROWER, external_id: externalId } })

const found = async (tenant: TestTenant, list: string, externalId: string) => {
  const target = `/v1/${list}?external_id=${encodeURIComponent(externalId)}`
  const { items } = (await tenant.send('GET', target)).json()
  return items.map(({ id }: { id: string }) => id) as string[]
}

async function addEligible(tenant: TestTenant): Promise<string> {
  const { id } = (await tenant.send('POST', '/v1/borrowers', { body: BORROWER })).json()
  await api.db
    .updateTable('borrowers')
    .set({ eligible: true })
    .where('borrower_id', '=', id)
    .execute()
  return id
}

const apply = (tenant: TestTenant, borrowerId: string, externalId: string) =>
  tenant.send('POST', '/v1/facilities', {
    body: {
      borrower_id: borrowerId,
      limit: { amount: '40000.00', asset: 'USD' },
      external_id: externalId,
    },
  })

describe('the external id of a borrower', () => {
  test('it is shown, found, in no event, and the same case for case', async () => {
    const { tenant } = api
    const id = 'Customer 47/11 ~!"%&=+?#'
    const created = await create(tenant, id)
    expect(created.status).toBe(201)
    const borrower = created.json()
    expect(borrower.external_id).toBe(id)
    expect((await tenant.send('GET', `/v1/borrowers/${borrower.id}`)).json()).toEqual(borrower)
    expect(await found(tenant, 'borrowers', id)).toEqual([borrower.id])
    expect(await found(tenant, 'borrowers', id.toLowerCase())).toEqual([])
    const events = (await tenant.send('GET', '/v1/events?limit=500')).json().items
    expect(JSON.stringify(events)).not.toContain('47/11')
  })

  test('a second use is refused with the id of the first, and leaves its key unused', async () => {
    const tenant = await api.addTenant()
    const first = (await create(tenant, 'customer-1')).json()
    const refused = expectProblem(await create(tenant, 'customer-1'), 409, 'external_id_taken')
    expect(refused).toMatchObject({ existing_id: first.id })
    expect((await tenant.send('GET', '/v1/borrowers')).json().items).toEqual([first])
    // Another tenant knows nothing of it.
    const stranger = await api.addTenant()
    expect((await create(stranger, 'customer-1')).status).toBe(201)
  })

  test('of twenty creations at once one succeeds, and the others name it', async () => {
    const tenant = await api.addTenant()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => create(tenant, 'customer-1')),
    )
    const [made, ...others] = answers.filter(({ status }) => status === 201)
    expect(others).toEqual([])
    const refused = answers.filter((answer) => answer !== made)
    for (const answer of refused) {
      const problem = expectProblem(answer, 409, 'external_id_taken')
      expect(problem).toMatchObject({ existing_id: made?.json().id })
    }
  })

  test.each<[string | number | null, string]>([
    ['', 'too_short'],
    ['x'.repeat(101), 'too_long'],
    ...['grün', 'a\tb', 'a\n', '\u007f'].map(
      (text) => [text, 'forbidden_character'] as [string, string],
    ),
    ...[7, null].map((value) => [value, 'wrong_type'] as [number | null, string]),
  ])(
    'an external id that is not 1 to 100 printable ASCII characters is refused: %j, %s',
    async (externalId, code) => {
      const { errors } = expectProblem(
        await create(api.tenant, externalId),
        422,
        'validation_failed',
      )
      expect(errors).toMatchObject([{ pointer: '/external_id', code }])
    },
  )
})

describe('the external id of a facility', () => {
  test('it is taken while a loan may come of it, and after it, and free after a decline or a cancellation', async () => {
    const tenant = await api.addTenant()
    const [first, second] = [await addEligible(tenant), await addEligible(tenant)]
    const created = await apply(tenant, first, 'loan-1')
    expect(created.json()).toMatchObject({ external_id: 'loan-1' })
    const { id } = created.json()
    const setState = (change: object) =>
      api.db.updateTable('facilities').set(change).where('facility_id', '=', id).execute()
    const expectTaken = async () => {
      const problem = expectProblem(await apply(tenant, second, 'loan-1'), 409, 'external_id_taken')
      expect(problem).toMatchObject({ existing_id: id })
    }
    await expectTaken()
    // The program that lost the answer learns which facility it has made.
    const lost = expectProblem(await apply(tenant, first, 'loan-1'), 409, 'external_id_taken')
    expect(lost).toMatchObject({ existing_id: id })
    await setState({ state: 'CLOSED', close_reason: 'repaid', closed_at: new Date() })
    await expectTaken()
    await setState({ state: 'PENDING', close_reason: null, closed_at: null })
    await tenant.send('POST', `/v1/facilities/${id}/close`)
    const next = (await apply(tenant, second, 'loan-1')).json()
    expect(await found(tenant, 'facilities', 'loan-1')).toEqual([next.id, id])

    await api.db
      .updateTable('facilities')
      .set({ state: 'DECLINED', decline_reasons: ['limit_out_of_range'] })
      .where('facility_id', '=', next.id)
      .execute()
    expect((await apply(tenant, first, 'loan-1')).status).toBe(201)
  })

  test('the database lets no two facilities have it', async () => {
    const tenant = await api.addTenant()
    const loan = { positions: {}, principalCents: 0n, accruedAt: new Date() }
    const ids = await insertFacilities(api.db, tenant.id, [loan, loan])
    const take = api.db
      .updateTable('facilities')
      .set({ external_id: 'loan-1' })
      .where('facility_id', 'in', ids)
    await expect(take.execute()).rejects.toThrow('facilities_external_id')
  })
})

test('operators find what tenants have given an id', async () => {
  const { token } = await operators.addOperator('viewer')
  const [one, other] = [await api.addTenant(), await api.addTenant()]
  const borrowerId = await addEligible(one)
  const facility = (await apply(one, borrowerId, 'shared-1')).json()
  const borrower = (await create(other, 'shared-1')).json()
  const find = async (text: string) =>
    (await operators.send(`/find?text=${text}`, { token })).json().items
  expect(await find('shared-1')).toMatchObject([
    { kind: 'borrower', tenant_id: other.id, id: borrower.id },
    { kind: 'facility', tenant_id: one.id, id: facility.id },
  ])
  expect(await find('shared-2')).toEqual([])
  const shown = await operators.send(`/tenants/${other.id}/borrowers/${borrower.id}`, { token })
  expect(shown.json()).toMatchObject({ external_id: 'shared-1' })
})
