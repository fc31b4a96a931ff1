import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction, openForReads } from '../../src/db/database.ts'
import { createTestDatabase, type TestDatabase } from '../support/stores/database.ts'
import { createDatabaseCli } from './database-cli.ts'

type Operator = { id: string; email: string; role: string }
type Action = {
  number: number
  actor: string
  operator_id?: string
  action: string
  reason?: string
  before?: object
  after?: object
}

let database: TestDatabase
let cli: ReturnType<typeof createDatabaseCli>
beforeAll(async () => {
  database = await createTestDatabase()
  cli = createDatabaseCli(database.url)
})
afterAll(() => database[Symbol.asyncDispose]())

const invite = (email: string, role: string) =>
  cli.read<Operator>(['operators', 'invite', '--email', email, '--role', role])
const listed = async () => (await cli.read<{ items: Operator[] }>('operators list')).items
const actions = async (filter = '') =>
  (await cli.read<{ items: Action[] }>(`operators actions ${filter}`.trim())).items

describe('an operator', () => {
  test('is invited once for each address, and invited again has the new role', async () => {
    const first = await invite('Ada@lender.example', 'admin')
    expect(first).toMatchObject({ email: 'ada@lender.example', role: 'admin' })
    const grace = await invite('grace@lender.example', 'viewer')
    expect(await invite('grace@lender.example', 'risk')).toMatchObject({ id: grace.id })
    expect(await listed()).toMatchObject([
      { email: 'ada@lender.example', role: 'admin' },
      { email: 'grace@lender.example', role: 'risk' },
    ])
    expect((await actions('--limit 1'))[0]).toMatchObject({
      ...{ actor: 'os:tester', action: 'operators.invite' },
      ...{ before: { role: 'viewer' }, after: { role: 'risk' } },
    })
  })

  test('acts under their own name, with a reason', async () => {
    const { id } = await invite('ada@lender.example', 'admin')
    const argv = ['residency', 'set', '--country', 'DE', '--type', 'individual', '--allow']
    await cli.read([...argv, '--actor', 'ADA@lender.example', '--reason', 'board of 3 November'])
    await cli.read([...argv, '--rate', '0.08', '--actor', 'ada@lender.example'])
    const [second, first] = await actions('--subject DE/individual')
    expect(first).toMatchObject({
      ...{ actor: 'ada@lender.example', operator_id: id, reason: 'board of 3 November' },
      after: { allowed: true, rate: null },
    })
    expect(first?.before).toBeUndefined()
    expect(second).toMatchObject({ before: { allowed: true }, after: { rate: '0.08' } })
  })

  test('who is not known cannot be named as the actor', async () => {
    const before = await actions()
    expect(await cli.fail('tenants create Acme --actor mallory@lender.example')).toMatchObject({
      code: 'not_found',
    })
    expect(await actions()).toEqual(before)
  })

  test('whose role does not allow an act is refused, and nothing is changed', async () => {
    await invite('viewer@lender.example', 'viewer')
    const before = await actions()
    const refused = await cli.fail('tenants create Acme --actor viewer@lender.example')
    expect(refused).toEqual({
      code: 'scope_missing',
      message: 'The role viewer does not allow tenants.create.',
    })
    expect(await cli.read('tenants list')).toEqual({ items: [] })
    expect(await actions()).toEqual(before)
  })

  test('who is removed is no actor any more, and stays on record', async () => {
    const { id } = await invite('leaver@lender.example', 'admin')
    await cli.read('tenants create Leaver --actor leaver@lender.example')
    await cli.read('operators remove leaver@lender.example --reason retired')
    expect((await listed()).map((operator) => operator.id)).not.toContain(id)
    expect(await cli.fail('tenants create Acme --actor leaver@lender.example')).toMatchObject({
      code: 'not_found',
    })
    expect(await actions('--by leaver@lender.example')).toMatchObject([{ operator_id: id }])
    expect(await cli.fail('operators remove leaver@lender.example')).toMatchObject({
      code: 'not_found',
    })
  })

  test('who is the last admin among others neither goes nor loses the role', async () => {
    for (const { email } of await listed()) {
      if (email !== 'ada@lender.example') await invite(email, 'viewer')
    }
    expect(await cli.fail('operators remove ada@lender.example')).toMatchObject({
      code: 'last_admin',
    })
    expect(
      await cli.fail('operators invite --email ada@lender.example --role viewer'),
    ).toMatchObject({ code: 'last_admin' })
  })
})

test('a command cannot open a transaction but by the function that demands the action', () => {
  const session = { db: openForReads(database.db) }
  // @ts-expect-error A handle for reading is not taken.
  const open = () => inTransaction(session.db, async () => undefined)
  expect(open).toBeTypeOf('function')
})
