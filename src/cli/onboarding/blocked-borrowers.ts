import type { Command } from 'commander'
import { listBlockedBorrowers } from '../../domain/review-queue/blocked-borrowers.ts'
import type { CliIo } from '../command/cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from '../command/define-command.ts'
import { reportNamed } from '../command/named.ts'
import { FIRST_PAGE, offerTenant } from '../command/options.ts'
import { showTime } from '../command/output.ts'

export function addBlocked(group: Command, io: CliIo): void {
  const command = defineCommand(
    group,
    'blocked',
    'List the blocked borrowers, of all tenants, with the reason and who blocked them.',
    ['borrowers blocked', 'borrowers blocked --tenant ten_…'],
  )
  offerTenant(command).action(async (options: CommonOptions & { tenant?: string }) => {
    await runCommand(io, options, async ({ db }) => {
      const { items } = await listBlockedBorrowers(db, options.tenant, FIRST_PAGE)
      return await reportNamed(
        db,
        items.map((blocked) => ({
          tenant_id: blocked.tenantId,
          borrower_id: blocked.borrowerId,
          blocked_since: blocked.blockedSince,
          reason: blocked.reason,
          blocked_by: blocked.blockedBy?.actor,
        })),
        {
          columns: ['tenant', 'borrower', 'blocked since', 'by', 'reason'],
          rows: items.map((blocked) => [
            ...[blocked.tenantId, blocked.borrowerId, showTime(blocked.blockedSince)],
            ...[blocked.blockedBy?.actor ?? '', blocked.reason],
          ]),
          empty: 'No borrower is blocked.',
        },
      )
    })
  })
}
