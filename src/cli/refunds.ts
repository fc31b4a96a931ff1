import type { Command } from 'commander'
import { formatAmount } from '../core/money.ts'
import { listRefusedRefunds } from '../domain/facilities/refunds/redirect-refund.ts'
import { REDIRECT_REFUND } from '../domain/operators/acts/refund-acts.ts'
import { type ChangeOptions, defineChange, reportOutcome, runChange } from './command/change.ts'
import type { CliIo } from './command/cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from './command/define-command.ts'
import { reportNamed } from './command/named.ts'
import { readId, requireTenant } from './command/options.ts'
import { showTime } from './command/output.ts'
import { assertTenant } from './command/session.ts'

type RedirectOptions = ChangeOptions & { tenant: string; destination: string; reason: string }

export function addRefundCommands(program: Command, io: CliIo): void {
  const group = program
    .command('refunds')
    .description('Refunds to borrowers that the treasury has refused to pay.')
  addList(group, io)
  addRedirect(group, io)
}

function addList(group: Command, io: CliIo): void {
  defineCommand(group, 'list', 'List the refunds, of all tenants, that could not be paid.', [
    'refunds list',
    'refunds list --json',
  ]).action(async (options: CommonOptions) => {
    await runCommand(io, options, async ({ db }) => {
      const items = (await listRefusedRefunds(db)).map((refund) => ({
        id: refund.id,
        tenant_id: refund.tenantId,
        facility_id: refund.facilityId,
        amount: formatAmount(refund.amount),
        destination: refund.destination,
        refusals: refund.refusals,
        payment_under_way: refund.isOrdered,
        created_at: refund.createdAt,
      }))
      return await reportNamed(db, items, {
        columns: ['refund', 'tenant', 'amount', 'destination', 'refusals', 'owed since', 'now'],
        rows: items.map((item) => [
          ...[item.id, item.tenant_id, `${item.amount.amount} ${item.amount.asset}`],
          ...[item.destination ?? '', String(item.refusals), showTime(item.created_at)],
          item.payment_under_way ? 'payment under way' : 'can be redirected',
        ]),
        empty: 'No refund was refused.',
      })
    })
  })
}

function addRedirect(group: Command, io: CliIo): void {
  const command = defineChange(
    group,
    'redirect',
    'Pay a refused refund to another destination, at once and with a new payment id. The change is recorded with its reason. Refused while a payment is under way, because that one may still be paid.',
    [
      'refunds redirect rfd_… --tenant ten_… --destination account-4712 --reason "account closed, letter of 3 November"',
    ],
  )
    .argument('<refund_id>', 'the refund, rfd_…', readId('rfd'))
    .requiredOption('--destination <text>', 'where the money goes instead')
    .requiredOption('--reason <text>', 'why, for the record')
  requireTenant(command).action(async (refundId: string, options: RedirectOptions) => {
    await runChange(io, options, async (session) => {
      const { tenant, destination, reason } = options
      await assertTenant(session, tenant)
      const request = { tenantId: tenant, refundId, destination }
      const outcome = await session.changeOrPropose(REDIRECT_REFUND, request, reason)
      return reportOutcome(outcome, ({ from }) => ({
        data: { id: refundId, from_destination: from, destination, reason },
        text: `Refund ${refundId} goes to ${destination} instead of ${from}; it is paid in a moment.`,
      }))
    })
  })
}
