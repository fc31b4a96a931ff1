import type { Command } from 'commander'
import { formatAmount } from '../core/money.ts'
import { type Doubt, pageDoubts, pageWaiting } from '../domain/facilities/doubts/doubts.ts'
import type { GuardedAct } from '../domain/operators/acts/guarded-act.ts'
import {
  CHECK_PAYMENT_AGAIN,
  DISMISS_PAYMENT,
  type OfPayment,
} from '../domain/operators/acts/payment-acts.ts'
import { type ChangeOptions, defineChange, reportOutcome, runChange } from './command/change.ts'
import type { CliIo } from './command/cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from './command/define-command.ts'
import { reportNamed } from './command/named.ts'
import { FIRST_PAGE, readIdOf, requireTenant } from './command/options.ts'
import { showTime } from './command/output.ts'
import { assertTenant } from './command/session.ts'

export function addPaymentCommands(program: Command, io: CliIo): void {
  const group = program
    .command('payments')
    .description('Payments that wait for a final answer, or about which another one came.')
  addList(group, io)
  addWaiting(group, io)
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
      return await reportNamed(db, items, {
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

function addWaiting(group: Command, io: CliIo): void {
  defineCommand(
    group,
    'waiting',
    'List the payments without a final answer for an hour or more, of all tenants, longest first. They are asked for again by themselves.',
    ['payments waiting', 'payments waiting --json'],
  ).action(async (options: CommonOptions) => {
    await runCommand(io, options, async ({ db, now }) => {
      const items = (await pageWaiting(db, now, FIRST_PAGE)).items.map((one) => ({
        ...{ id: one.id, kind: one.kind, tenant_id: one.tenantId, facility_id: one.facilityId },
        ...{ amount: formatAmount(one.amount), since: one.since },
        ...{ asked_again_at: one.askedAgainAt, failures: one.failures, error: one.error },
      }))
      return await reportNamed(db, items, {
        columns: ['payment', 'tenant', 'kind', 'amount', 'since', 'last answer', 'asked again'],
        rows: items.map((item) => [
          ...[item.id, item.tenant_id, item.kind, `${item.amount.amount} ${item.amount.asset}`],
          ...[showTime(item.since), item.error ?? 'pending', showTime(item.asked_again_at)],
        ]),
        empty: 'No payment has waited for an hour.',
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
