import { beforeAll, expect, test } from 'vitest'
import type { TestTenant } from '../../support/api/api.ts'
import { operatorApiForFile } from '../../support/api/operators.ts'
import { addApproved, addDraw, startLendingApi } from '../../support/lending/lending-api.ts'
import { waitFor } from '../../support/process/patience.ts'

const { api, operators } = operatorApiForFile({}, startLendingApi)
let tenant: TestTenant
let token = ''
let facilityId = ''
let borrowerId = ''
beforeAll(async () => {
  token = (await operators.addOperator('viewer')).token
  tenant = await api.addTenant()
  const facility = await addApproved(tenant)
  facilityId = facility.id
  borrowerId = facility.borrowerId
})

const find = async (text: string) => {
  const answer = await operators.send(`/find?text=${encodeURIComponent(text)}`, { token })
  expect(answer.status).toBe(200)
  return answer.json().items
}

test('an id of any kind leads to the page that shows it, of whichever tenant', async () => {
  const draw = await addDraw(tenant, facilityId, '1000.00')
  const { client } = tenant
  const repayment = await client.createRepayment(facilityId, { amount: '10.00', asset: 'USD' })
  const { items: events } = await client.listEvents({ limit: 100 })
  const event = events.find(({ type }) => type.startsWith('facility.'))
  const facilityPage = `/margin/${tenant.id}/${facilityId}`
  const borrowerPage = `/reviews/${tenant.id}/${borrowerId}`
  const tenantPage = `/administration/tenants/${tenant.id}`
  for (const [id, kind, page] of [
    [facilityId, 'facility', facilityPage],
    [draw.id, 'draw', facilityPage],
    [repayment.id, 'repayment', facilityPage],
    [event?.id ?? '', 'event', facilityPage],
    [borrowerId, 'borrower', borrowerPage],
    [tenant.keyId, 'key', tenantPage],
    [tenant.id, 'tenant', tenantPage],
  ] as const) {
    expect({ id, found: await find(id) }).toEqual({
      id,
      found: [
        {
          kind,
          id,
          tenant_id: tenant.id,
          about: kind === 'borrower' ? null : expect.any(String),
          page,
        },
      ],
    })
  }
})

test('the reference of a transfer leads to the repayment that it was reported for', async () => {
  const { client } = tenant
  const { id } = await client.createRepayment(facilityId, { amount: '10.00', asset: 'USD' })
  const delivered = { amount: '10.00', asset: 'USD' } as const
  const reference = `Wire 4711 ${id}`
  await client.reportExecution(facilityId, id, { status: 'completed', reference, delivered })
  const text = reference.toUpperCase()
  expect(await find(text)).toEqual([
    {
      ...{ kind: 'transfer', id: text, tenant_id: tenant.id, about: expect.any(String) },
      page: `/margin/${tenant.id}/${facilityId}`,
    },
  ])
})

test('the id of a request shows what was asked, and leads to what it was about', async () => {
  const answer = await tenant.send('GET', `/v1/facilities/${facilityId}`)
  const requestId = String(answer.headers['x-svc-request-id'])
  const found = await waitFor(async () => {
    const items = await find(requestId)
    expect(items).toHaveLength(1)
    return items
  })
  expect(found).toEqual([
    {
      ...{ kind: 'request', id: requestId, tenant_id: tenant.id },
      about: `GET /v1/facilities/${facilityId}, 200`,
      page: `/margin/${tenant.id}/${facilityId}`,
    },
  ])
})

test('the id of a request to the operator API shows what it did', async () => {
  const admin = await operators.addOperator('admin')
  const body = { name: 'Northwind Lending', reason: 'signed' }
  const answer = await operators.send('/tenants', { token: admin.token, method: 'POST', body })
  const requestId = String(answer.headers['x-svc-request-id'])
  const [act, ...others] = await find(requestId)
  expect(others).toEqual([])
  expect(act).toMatchObject({ kind: 'act', about: `tenants.create, by ${admin.operator.email}` })
  expect(act.page).toBe(`/actions?number=${act.id}`)
  expect(await find('northwind')).toMatchObject([{ kind: 'tenant', about: 'Northwind Lending' }])
})

test('what names nothing finds nothing, and text of another form is refused', async () => {
  expect(await find('fac_01k9x4m2q8e0tb7f2v5j6h8n3c')).toEqual([])
  expect(await find('req_01k9x4m2q8e0tb7f2v5j6h8n3c')).toEqual([])
  expect(await find('%_')).toEqual([])
  await operators.expectRefusal('/find', { token }, 422, 'validation_failed')
  await operators.expectRefusal(
    `/find?text=${'x'.repeat(201)}`,
    { token },
    422,
    'validation_failed',
  )
})
