import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../support/stores/database.ts'
import { createDatabaseCli } from './database-cli.ts'

type Document = { contract_type: string; contract_version: string; state: string }

const database = await createTestDatabase()
afterAll(() => database[Symbol.asyncDispose]())
const cli = createDatabaseCli(database.url)

const agreement = 'master_loan_agreement'
const publish = (tenantId: string, version: string) =>
  `documents publish --tenant ${tenantId} --type ${agreement} --version ${version} --title Agreement --url https://example.com/${version}.pdf`
const retire = (tenantId: string, version: string) =>
  `documents retire --tenant ${tenantId} --type ${agreement} --version ${version}`
const listDocuments = async (tenantId: string, rest = '') =>
  (await cli.read<{ items: Document[] }>(`documents list --tenant ${tenantId}${rest}`)).items

test('a published version is listed, and supersedes the one before it', async () => {
  const tenantId = await cli.createTenant()
  await cli.read(publish(tenantId, '2026-10'), { now: new Date('2026-10-01T00:00:00Z') })
  await cli.read(publish(tenantId, '2026-11'), { now: new Date('2026-11-01T00:00:00Z') })

  expect(await listDocuments(tenantId)).toEqual([
    {
      contract_type: agreement,
      contract_version: '2026-11',
      state: 'current',
      title: 'Agreement',
      download_url: 'https://example.com/2026-11.pdf',
      content_type: 'application/pdf',
      published_at: '2026-11-01T00:00:00.000Z',
    },
  ])
  const [older] = await listDocuments(tenantId, ' --all')
  expect(older).toMatchObject({
    contract_version: '2026-10',
    state: 'superseded',
    superseded_at: '2026-11-01T00:00:00.000Z',
  })
})

test('a retired version is listed among all and cannot be retired twice', async () => {
  const tenantId = await cli.createTenant()
  await cli.read(publish(tenantId, '2026-11'))
  await cli.read(retire(tenantId, '2026-11'))

  expect(await listDocuments(tenantId)).toEqual([])
  expect((await listDocuments(tenantId, ' --all')).map((document) => document.state)).toEqual([
    'retired',
  ])
  expect((await cli.fail(retire(tenantId, '2026-11'))).code).toBe('not_found')
})

test("documents are published at the tenant's own time on the sandbox and at real time on live", async () => {
  const now = new Date('2026-11-01T00:00:00Z')
  const published = async (stack: 'sandbox' | 'live') => {
    await using own = await createTestDatabase()
    await own.db.updateTable('stack').set({ name: stack }).execute()
    const ownCli = createDatabaseCli(own.url)
    const options = { now, env: { STACK: stack } }
    const { id } = await ownCli.read<{ id: string }>(['tenants', 'create', 'Acme'], options)
    await own.db.updateTable('tenants').set({ clock_offset_ms: 86_400_000n }).execute()
    return await ownCli.read(publish(id, '2026-11'), options)
  }
  expect(await published('sandbox')).toMatchObject({ published_at: '2026-11-02T00:00:00.000Z' })
  expect(await published('live')).toMatchObject({ published_at: '2026-11-01T00:00:00.000Z' })
})

test.each([
  ['an older version', (tenantId: string) => publish(tenantId, '2026-10')],
  ['the same version', (tenantId: string) => publish(tenantId, '2026-11')],
  ['a version that is no month', (tenantId: string) => publish(tenantId, '2026-13')],
  [
    'an address without https',
    (tenantId: string) => publish(tenantId, '2026-12').replace('https:', 'http:'),
  ],
])('publishing %s is refused and changes nothing', async (_, command) => {
  const tenantId = await cli.createTenant()
  await cli.read(publish(tenantId, '2026-11'))
  const before = await listDocuments(tenantId, ' --all')
  expect((await cli.fail(command(tenantId))).code).toBe('validation_failed')
  expect(await listDocuments(tenantId, ' --all')).toEqual(before)
})

test.each(['documents list', 'documents publish', 'documents retire'])(
  '%s is refused for a tenant that does not exist',
  async (command) => {
    const unknown = 'ten_01k9m3v3k5e0ha4xqv5j8x3y6z'
    const full = {
      'documents list': `documents list --tenant ${unknown}`,
      'documents publish': publish(unknown, '2026-11'),
      'documents retire': retire(unknown, '2026-11'),
    }[command]
    expect(await cli.fail(full ?? '')).toEqual({
      code: 'not_found',
      message: `There is no tenant ${unknown}.`,
    })
  },
)
