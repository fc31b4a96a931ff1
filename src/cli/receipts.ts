import type { Command } from 'commander'
import { formatAmount } from '../core/money.ts'
import type { GuardedAct } from '../domain/operators/acts/guarded-act.ts'
import {
  APPLY_SUSPENSE,
  ASK_AGAIN,
  type OfRepayment,
  REFUSE_CLAIM,
  RETURN_SUSPENSE,
} from '../domain/operators/acts/receipt-acts.ts'
import { pageUndecided, type Undecided } from '../domain/repayments/undecided.ts'
import { createClockFor } from '../domain/tenants/tenant-clock.ts'
import { type ChangeOptions, defineChange, reportOutcome, runChange } from './command/change.ts'
import type { CliIo } from './command/cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from './command/define-command.ts'
import { reportNamed } from './command/named.ts'
import { FIRST_PAGE, readId, requireTenant } from './command/options.ts'
import { showTime } from './command/output.ts'
import { assertTenant } from './command/session.ts'

type DecideOptions = ChangeOptions & { tenant: string; reason: string }

export function addReceiptCommands(program: Command, io: CliIo): void {
  const group = program
    .command('receipts')
    .description('Receipts of repayments about which an operator has to decide.')
  addList(group, io)
  addDecision(group, io, {
    name: 'ask-again',
    about:
      'Ask the treasury again, under a new number, about a repayment whose transfer pays another one. Do it once the treasury has corrected its answer.',
    guarded: ASK_AGAIN,
    done: 'The treasury is asked again in a moment.',
  })
  addDecision(group, io, {
    name: 'refuse',
    about:
      'Fail a repayment whose transfer pays another one as not_received. The tenant may still report a transfer of its own for it.',
    guarded: REFUSE_CLAIM,
    done: 'The repayment has failed as not_received.',
  })
  addDecision(group, io, {
    name: 'apply',
    about:
      'Apply what is in suspense of a repayment, as a repayment of its own, at the value date of the receipt. What the debt does not take is refunded to where the latest draw went.',
    guarded: APPLY_SUSPENSE,
    done: 'It is applied in a moment.',
  })
  addReturn(group, io)
}

function addList(group: Command, io: CliIo): void {
  defineCommand(group, 'list', 'List what waits for a decision, of all tenants, oldest first.', [
    'receipts list',
    'receipts list --json',
  ]).action(async (options: CommonOptions) => {
    await runCommand(io, options, async ({ db, stack }) => {
      const clockFor = createClockFor(stack, io.clock)
      const page = await pageUndecided(db, { ...FIRST_PAGE, clockFor })
      const items = page.items.map(toItem)
      return await reportNamed(db, items, {
        columns: ['repayment', 'tenant', 'reported', 'since', 'why'],
        rows: items.map((item) => [
          ...[item.repayment_id, item.tenant_id, showAmount(item.delivered), showTime(item.since)],
          item.in_suspense
            ? `${showAmount(item.in_suspense)} more were received`
            : `transfer ${item.transfer_id} pays ${item.paid_for}`,
        ]),
        empty: 'No receipt waits for a decision.',
      })
    })
  })
}

function toItem(receipt: Undecided) {
  const transfer = receipt.kind === 'contested' ? receipt.transfer : undefined
  const suspense = receipt.kind === 'in_suspense' ? receipt : undefined
  return {
    kind: receipt.kind,
    repayment_id: receipt.repaymentId,
    tenant_id: receipt.tenantId,
    facility_id: receipt.facilityId,
    delivered: receipt.delivered && formatAmount(receipt.delivered),
    reference: receipt.reference,
    transfer_id: transfer?.id,
    paid_for: transfer?.paidFor?.repaymentId,
    in_suspense: suspense && formatAmount(suspense.amount),
    holds_until: suspense?.holdsUntil,
    final_at: suspense?.finalAt,
    since: receipt.since,
  }
}

function showAmount(amount: ReturnType<typeof formatAmount> | undefined): string {
  return amount ? `${amount.amount} ${amount.asset}` : ''
}

type Decision = {
  name: string
  about: string
  guarded: GuardedAct<OfRepayment, unknown>
  done: string
}

function addDecision(group: Command, io: CliIo, { name, about, guarded, done }: Decision): void {
  const example = `receipts ${name} rep_… --tenant ten_… --reason "checked with the bank"`
  const command = defineChange(group, name, about, [example])
    .argument('<repayment_id>', 'the repayment, rep_…', readId('rep'))
    .requiredOption('--reason <text>', 'why, for the record')
  requireTenant(command).action(async (repaymentId: string, options: DecideOptions) => {
    await runChange(io, options, async (session) => {
      const { tenant, reason } = options
      await assertTenant(session, tenant)
      const request = { tenantId: tenant, repaymentId }
      const outcome = await session.changeOrPropose(guarded, request, reason)
      return reportOutcome(outcome, () => ({ data: { id: repaymentId, reason }, text: done }))
    })
  })
}

type ReturnOptions = DecideOptions & { destination: string }

function addReturn(group: Command, io: CliIo): void {
  const command = defineChange(
    group,
    'return',
    'Pay back what is in suspense of a repayment. Money that can still be taken back is paid when it is final.',
    [
      'receipts return rep_… --tenant ten_… --destination account-4712 --reason "sent twice, as the payer confirms"',
    ],
  )
    .argument('<repayment_id>', 'the repayment, rep_…', readId('rep'))
    .requiredOption('--destination <text>', 'where the money goes')
    .requiredOption('--reason <text>', 'why, for the record')
  requireTenant(command).action(async (repaymentId: string, options: ReturnOptions) => {
    await runChange(io, options, async (session) => {
      const { tenant, destination, reason } = options
      await assertTenant(session, tenant)
      const request = { tenantId: tenant, repaymentId, destination }
      const outcome = await session.changeOrPropose(RETURN_SUSPENSE, request, reason)
      return reportOutcome(outcome, (amount) => ({
        data: { id: repaymentId, amount: formatAmount(amount), destination, reason },
        text: `${showAmount(formatAmount(amount))} go to ${destination}.`,
      }))
    })
  })
}
