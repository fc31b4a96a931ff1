import { beforeAll, expect, test } from 'vitest'
import { apiForFile, createTestBorrower, type TestTenant } from '../support/api/api.ts'
import { expectProblem } from '../support/api/expect-problem.ts'

const api = apiForFile()
let tenant: TestTenant
let ids: string[]
beforeAll(async () => {
  tenant = await api.addTenant()
  ids = []
  for (let count = 0; count < 5; count += 1) ids.push(await createTestBorrower(tenant))
  await api.db
    .updateTable('borrowers')
    .set({ eligible: true })
    .where('borrower_id', 'in', [ids[1] ?? '', ids[3] ?? ''])
    .execute()
})

const read = async (query = '') => (await tenant.send('GET', `/v1/borrowers${query}`)).json()
const idsOf = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id)
const at = (...places: number[]) => places.map((place) => ids[place])

test('the list of borrowers shows all of the tenant, newest first, each as when it is read alone', async () => {
  const page = await read()
  expect(idsOf(page)).toEqual(at(4, 3, 2, 1, 0))
  expect(page.has_more).toBe(false)
  expect(page.items[0]).toEqual((await tenant.send('GET', `/v1/borrowers/${ids[4]}`)).json())
})

test('the list of borrowers is filtered by whether a borrower is eligible', async () => {
  expect(idsOf(await read('?eligible=true'))).toEqual(at(3, 1))
  expect(idsOf(await read('?eligible=false'))).toEqual(at(4, 2, 0))
})

test('the list of borrowers is read page by page, each borrower once', async () => {
  const first = await read('?eligible=false&limit=2')
  expect(first.has_more).toBe(true)
  const second = await read(`?eligible=false&limit=2&from=${first.next_cursor}`)
  expect([...idsOf(first), ...idsOf(second)]).toEqual(at(4, 2, 0))
  expect(second).not.toHaveProperty('next_cursor')
})

test('the list of borrowers takes no cursor that was given under another filter', async () => {
  const { next_cursor: cursor } = await read('?eligible=false&limit=1')
  for (const query of ['', 'eligible=true&']) {
    const answer = await tenant.send('GET', `/v1/borrowers?${query}from=${cursor}`)
    expectProblem(answer, 400, 'cursor_invalid')
  }
})

test.each(['1', 'TRUE', ''])('the list of borrowers refuses eligible=%s', async (value) => {
  const answer = await tenant.send('GET', `/v1/borrowers?eligible=${value}`)
  const { errors } = expectProblem(answer, 422, 'validation_failed')
  expect(errors).toEqual([
    {
      pointer: '?eligible',
      code: 'unknown_value',
      detail: 'Expected `true` or `false`. Example: true.',
    },
  ])
})
