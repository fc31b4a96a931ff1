import type { Command } from 'commander'
import { usd } from '../../core/money.ts'
import { DEFAULT_POLICY } from '../../domain/facilities/policy.ts'
import { listWaitingApplications } from '../../domain/review-queue/applications.ts'
import type { CliIo } from '../command/cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from '../command/define-command.ts'
import { reportNamed } from '../command/named.ts'
import { FIRST_PAGE, offerTenant } from '../command/options.ts'
import { showTime } from '../command/output.ts'

export function addApplicationCommands(program: Command, io: CliIo): void {
  const group = program.command('applications').description('Applications for facilities.')
  const command = defineCommand(
    group,
    'list',
    'List the applications that are not decided, longest waiting first, and what each waits for.',
    ['applications list', 'applications list --tenant ten_…'],
  )
  offerTenant(command).action(async (options: CommonOptions & { tenant?: string }) => {
    await runCommand(io, options, async ({ db, now, stack }) => {
      const policy = { ...DEFAULT_POLICY, requireControl: stack === 'live' }
      const of = { tenantId: options.tenant, policy, realNow: now }
      const { items } = await listWaitingApplications(db, of, FIRST_PAGE)
      return await reportNamed(
        db,
        items.map((application) => ({
          tenant_id: application.tenantId,
          facility_id: application.facilityId,
          borrower_id: application.borrowerId,
          limit: usd(application.limitCents),
          waiting_since: application.waitingSince,
          waits_for: application.waitsFor,
          error: application.error,
          decided_by: application.decidedBy,
        })),
        {
          columns: [
            'tenant',
            'facility',
            'limit',
            'waiting since',
            'waits for',
            'decided by',
            'error',
          ],
          rows: items.map((application) => [
            ...[application.tenantId, application.facilityId, usd(application.limitCents).amount],
            ...[showTime(application.waitingSince), application.waitsFor],
            ...[showTime(application.decidedBy), application.error ?? ''],
          ]),
          empty: 'No application waits.',
        },
      )
    })
  })
}
