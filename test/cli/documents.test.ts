import { expect, test } from 'vitest'
import { databaseCliForFile } from './database-cli.ts'

const { database, cli } = databaseCliForFile()

const publish = (tenantId: string, version: string) =>
  `documents publish --tenant ${tenantId} --type mla --version ${version} --title Agreement --url https://example.com/${version}.pdf`

test('the current versions are listed, and with --all those superseded and retired too', async () => {
  const tenantId = await cli.createTenant()
  const list = async (rest = '') =>
    (await cli.read<{ items: object[] }>(`documents list --tenant ${tenantId}${rest}`)).items
  const at = (text: string) => ({ now: new Date(`${text}T00:00:00Z`) })
  await cli.read(publish(tenantId, '2026-10'), at('2026-10-01'))
  await cli.read(publish(tenantId, '2026-11'), at('2026-11-01'))
  const current = {
    ...{ contract_type: 'mla', contract_version: '2026-11', state: 'current', title: 'Agreement' },
    ...{ download_url: 'https://example.com/2026-11.pdf', content_type: 'application/pdf' },
    published_at: '2026-11-01T00:00:00.000Z',
  }
  expect(await list()).toEqual([current])
  const older = { state: 'superseded', superseded_at: '2026-11-01T00:00:00.000Z' }
  expect(await list(' --all')).toMatchObject([older, current])
  expect((await cli.fail(publish(tenantId, '2026-13'))).code).toBe('validation_failed')
  await cli.read(`documents retire --tenant ${tenantId} --type mla --version 2026-11`)
  expect(await list()).toEqual([])
  expect(await list(' --all')).toMatchObject([older, { state: 'retired' }])
})

test("documents are published at the tenant's own time on the sandbox and at real time on live", async () => {
  const { id } = await cli.read<{ id: string }>('tenants create Acme')
  await database.db.updateTable('tenants').set({ clock_offset_ms: 86_400_000n }).execute()
  const publishOn = async (stack: 'sandbox' | 'live', version: string) => {
    await database.db.updateTable('stack').set({ name: stack }).execute()
    const options = { now: new Date('2026-11-01T00:00:00Z'), env: { STACK: stack } }
    return await cli.read<{ published_at: string }>(publish(id, version), options)
  }
  const own = await publishOn('sandbox', '2026-11')
  expect(own.published_at).toBe('2026-11-02T00:00:00.000Z')
  const real = await publishOn('live', '2026-12')
  expect(real.published_at).toBe('2026-11-01T00:00:00.000Z')
})
