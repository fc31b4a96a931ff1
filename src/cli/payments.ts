import type { Command } from 'commander'
import { type Doubt, pageDoubts } from '../domain/facilities/doubts/doubts.ts'
import type { GuardedAct } from '../domain/operators/acts/guarded-act.ts'
import {
  CHECK_PAYMENT_AGAIN,
  DISMISS_PAYMENT,
  type OfPayment,
} from '../domain/operators/acts/payment-acts.ts'
import { type ChangeOptions, defineChange, reportOutcome, runChange } from './command/change.ts'
import type { CliIo } from './command/cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from './command/define-command.ts'
import { FIRST_PAGE, readIdOf, requireTenant } from './command/options.ts'
import { reportList, showTime } from './command/output.ts'
import { assertTenant } from './command/session.ts'

export function addPaymentCommands(program: Command, io: CliIo): void {
  const group = program
    .command('payments')
    .description('Payments that were done, about which the provider answers something else.')
  addList(group, io)
  addDecision(group, io, {
    name: 'check',
    about:
      'Ask the payments provider again about a receipt, a draw or a refund that was done. Money that has come back is booked.',
    guarded: CHECK_PAYMENT_AGAIN,
    done: 'The provider is asked again in a moment.',
  })
  addDecision(group, io, {
    name: 'dismiss',
    about:
      'Take an answer off the list, once it is cleared up with the provider. Nothing is booked.',
    guarded: DISMISS_PAYMENT,
    done: 'It is off the list.',
  })
}

function addList(group: Command, io: CliIo): void {
  defineCommand(
    group,
    'list',
    'List the answers that can be neither the one before nor a return, of all tenants, longest first.',
    ['payments list', 'payments list --json'],
  ).action(async (options: CommonOptions) => {
    await runCommand(io, options, async ({ db }) => {
      const items = (await pageDoubts(db, FIRST_PAGE)).items.map(toItem)
      return reportList(items, {
        columns: ['payment', 'tenant', 'why', 'since', 'answer'],
        rows: items.map((item) => [
          ...[item.id, item.tenant_id, item.reason, showTime(item.since)],
          JSON.stringify(item.answer),
        ]),
        empty: 'No answer about a payment waits for an operator.',
      })
    })
  })
}

function toItem({ subjectId: id, tenantId, facilityId, reason, since, answer }: Doubt) {
  return { id, tenant_id: tenantId, facility_id: facilityId, reason, since, answer }
}

type Decision = {
  name: string
  about: string
  guarded: GuardedAct<OfPayment, unknown>
  done: string
}

function addDecision(group: Command, io: CliIo, { name, about, guarded, done }: Decision): void {
  const example = `payments ${name} rep_… --tenant ten_… --reason "as the bank says"`
  const command = defineChange(group, name, about, [example])
    .argument('<id>', 'the repayment, draw or refund', readIdOf('rep', 'drw', 'rfd'))
    .requiredOption('--reason <text>', 'why, for the record')
  requireTenant(command).action(
    async (subjectId: string, options: ChangeOptions & { tenant: string; reason: string }) => {
      await runChange(io, options, async (session) => {
        const { tenant, reason } = options
        await assertTenant(session, tenant)
        const request = { tenantId: tenant, subjectId }
        const outcome = await session.changeOrPropose(guarded, request, reason)
        return reportOutcome(outcome, () => ({ data: { id: subjectId, reason }, text: done }))
      })
    },
  )
}
