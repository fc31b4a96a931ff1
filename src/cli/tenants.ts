import type { Command } from 'commander'
import { inTransaction } from '../db/database.ts'
import { createTenant, listTenants, type Tenant } from '../domain/tenants/tenants.ts'
import type { CliIo } from './cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from './define-command.ts'
import { reportList, showTime } from './output.ts'

export function addTenantCommands(program: Command, io: CliIo): void {
  const group = program
    .command('tenants')
    .description('The API clients that integrate the service.')

  defineCommand(group, 'create <name>', 'Open an account for a tenant.', [
    'tenants create "Acme Exchange"',
  ]).action(async (name: string, options: CommonOptions) => {
    await runCommand(io, options, async ({ db, now }) => {
      const tenant = await inTransaction(db, (tx) => createTenant(tx, name, now))
      const next = `Next: ${io.programName} keys generate --tenant ${tenant.id}`
      return { data: toJson(tenant), text: `Tenant ${tenant.id} created.\n${next}` }
    })
  })

  defineCommand(group, 'list', 'List all tenants, oldest first.', [
    'tenants list',
    'tenants list --json',
  ]).action(async (options: CommonOptions) => {
    await runCommand(io, options, async ({ db }) => {
      const tenants = await listTenants(db)
      return reportList(tenants.map(toJson), {
        columns: ['id', 'name', 'created'],
        rows: tenants.map((tenant) => [tenant.id, tenant.name, showTime(tenant.createdAt)]),
        empty: 'There are no tenants yet.',
      })
    })
  })
}

function toJson(tenant: Tenant) {
  return { id: tenant.id, name: tenant.name, created_at: tenant.createdAt }
}
