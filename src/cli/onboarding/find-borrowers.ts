import type { Command } from 'commander'
import { findByExternalId } from '../../domain/review-queue/find-by-external-id.ts'
import type { CliIo } from '../command/cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from '../command/define-command.ts'
import { offerTenant } from '../command/options.ts'
import { reportList } from '../command/output.ts'

export function addFind(group: Command, io: CliIo): void {
  const command = defineCommand(
    group,
    'find',
    'List the borrowers and facilities, of all tenants, with an id that their tenant has given.',
    ['borrowers find customer-4711', 'borrowers find customer-4711 --tenant ten_…'],
  ).argument('<external_id>', "the tenant's own id")
  type Options = CommonOptions & { tenant?: string }
  offerTenant(command).action(async (externalId: string, options: Options) => {
    await runCommand(io, options, async ({ db }) => {
      const found = await findByExternalId(db, { externalId, tenantId: options.tenant })
      return reportList(
        found.map(({ kind, tenantId, id }) => ({ kind, tenant_id: tenantId, id })),
        {
          columns: ['tenant', 'kind', 'id'],
          rows: found.map(({ kind, tenantId, id }) => [tenantId, kind, id]),
          empty: 'No borrower or facility has this id.',
        },
      )
    })
  })
}
