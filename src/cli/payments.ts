// Refunds, receipts, payments and breaks about which an operator has to decide.
import { formatAmount } from '../core/money.ts'
import { pageDoubts, pageWaiting } from '../domain/facilities/doubts/doubts.ts'
import { listRefusedRefunds } from '../domain/facilities/refunds/redirect-refund.ts'
import { RESOLVE_BREAK, TAKE_BREAK } from '../domain/operators/acts/break-acts.ts'
import {
  CHECK_PAYMENT_AGAIN,
  DISMISS_PAYMENT,
  REDIRECT_REFUND,
} from '../domain/operators/acts/payment-acts.ts'
import {
  APPLY_SUSPENSE,
  ASK_AGAIN,
  REFUSE_CLAIM,
  RETURN_SUSPENSE,
} from '../domain/operators/acts/receipt-acts.ts'
import { BREAK_KINDS, pageBreaks } from '../domain/reconciliation/breaks.ts'
import { pageUndecided, type Undecided } from '../domain/repayments/undecided.ts'
import { act, type CliCommand, list } from './command/commands.ts'
import { OF_TENANT } from './command/members.ts'
import { FIRST_PAGE } from './command/options.ts'
import { optional, withDefault } from './command/parameters.ts'

const REFUNDS: CliCommand[] = [
  list({
    name: 'refunds list',
    about: 'List the refunds, of all tenants, that could not be paid.',
    examples: ['refunds list', 'refunds list --json'],
    list: async ({ db }) =>
      (await listRefusedRefunds(db)).map(({ isOrdered, ...refund }) => ({
        ...refund,
        paymentUnderWay: isOrdered,
      })),
    columns: [
      ...['id', 'tenant_id', 'external_id', 'amount', 'destination', 'refusals', 'created_at'],
      'payment_under_way',
    ],
    empty: 'No refund was refused.',
  }),
  act(REDIRECT_REFUND, {
    name: 'refunds redirect',
    about:
      'Pay a refused refund to another destination, at once and with a new payment id. The change is recorded with its reason. Refused while a payment is under way, because that one may still be paid.',
    examples: [
      'refunds redirect rfd_… --tenant ten_… --destination account-4712 --reason "account closed, letter of 3 November"',
    ],
    needsReason: true,
    done: ({ from }, { refundId: id, destination }, { reason }) => ({
      data: { id, from_destination: from, destination, reason },
      shown: `Refund ${id} goes to ${destination} instead of ${from}; it is paid in a moment.`,
    }),
  }),
]

const receiptExample = (name: string) => [
  `receipts ${name} rep_… --tenant ten_… --reason "checked with the bank"`,
]

const RECEIPTS: CliCommand[] = [
  list({
    name: 'receipts list',
    about: 'List what waits for a decision, of all tenants, oldest first.',
    examples: ['receipts list', 'receipts list --json'],
    list: async ({ db, clockFor }) =>
      (await pageUndecided(db, { ...FIRST_PAGE, clockFor })).items.map(toReceipt),
    columns: [
      ...['repayment_id', 'tenant_id', 'external_id', 'delivered', 'since', 'in_suspense'],
      ...['transfer_id', 'paid_for'],
    ],
    empty: 'No receipt waits for a decision.',
  }),
  act(ASK_AGAIN, {
    name: 'receipts ask-again',
    about:
      'Ask the treasury again, under a new number, about a repayment whose transfer pays another one. Do it once the treasury has corrected its answer.',
    examples: receiptExample('ask-again'),
    needsReason: true,
    done: 'The treasury is asked again in a moment.',
  }),
  act(REFUSE_CLAIM, {
    name: 'receipts refuse',
    about:
      'Fail a repayment whose transfer pays another one as not_received. The tenant may still report a transfer of its own for it.',
    examples: receiptExample('refuse'),
    needsReason: true,
    done: 'The repayment has failed as not_received.',
  }),
  act(APPLY_SUSPENSE, {
    name: 'receipts apply',
    about:
      'Apply what is in suspense of a repayment, as a repayment of its own, at the value date of the receipt. What the debt does not take is refunded to where the latest draw went.',
    examples: receiptExample('apply'),
    needsReason: true,
    done: 'It is applied in a moment.',
  }),
  act(RETURN_SUSPENSE, {
    name: 'receipts return',
    about:
      'Pay back what is in suspense of a repayment. Money that can still be taken back is paid when it is final.',
    examples: [
      'receipts return rep_… --tenant ten_… --destination account-4712 --reason "sent twice, as the payer confirms"',
    ],
    needsReason: true,
    done(units, { repaymentId: id, destination }, { reason }) {
      const amount = formatAmount(units)
      const shown = `${amount.amount} ${amount.asset} go to ${destination}.`
      return { data: { id, amount, destination, reason }, shown }
    },
  }),
]

function toReceipt(receipt: Undecided) {
  const { kind, repaymentId, tenantId, facilityId, delivered, reference, since } = receipt
  const held = { kind, repaymentId, tenantId, facilityId, delivered, reference }
  if (receipt.kind === 'contested') {
    const { id, paidFor } = receipt.transfer
    return { ...held, transferId: id, paidFor: paidFor?.repaymentId, since }
  }
  const { amount, holdsUntil, finalAt } = receipt
  return { ...held, inSuspense: amount, holdsUntil, finalAt, since }
}

const paymentExample = (name: string) => [
  `payments ${name} rep_… --tenant ten_… --reason "as the bank says"`,
]

const PAYMENTS: CliCommand[] = [
  list({
    name: 'payments list',
    about:
      'List the answers that can be neither the one before nor a return, of all tenants, longest first.',
    examples: ['payments list', 'payments list --json'],
    list: async ({ db }) =>
      (await pageDoubts(db, FIRST_PAGE)).items.map(({ subjectId: id, ...doubt }) => ({
        id,
        ...doubt,
      })),
    columns: ['id', 'tenant_id', 'external_id', 'reason', 'since', 'answer'],
    empty: 'No answer about a payment waits for an operator.',
  }),
  list({
    name: 'payments waiting',
    about:
      'List the payments without a final answer for an hour or more, of all tenants, longest first. They are asked for again by themselves.',
    examples: ['payments waiting', 'payments waiting --json'],
    list: async ({ db, now }) => (await pageWaiting(db, now, FIRST_PAGE)).items,
    columns: [
      ...['id', 'tenant_id', 'external_id', 'kind', 'amount', 'since', 'error', 'asked_again_at'],
    ],
    empty: 'No payment has waited for an hour.',
  }),
  act(CHECK_PAYMENT_AGAIN, {
    name: 'payments check',
    about:
      'Ask the payments provider again about a receipt, a draw or a refund that was done. Money that has come back is booked.',
    examples: paymentExample('check'),
    needsReason: true,
    done: 'The provider is asked again in a moment.',
  }),
  act(DISMISS_PAYMENT, {
    name: 'payments dismiss',
    about:
      'Take an answer off the list, once it is cleared up with the provider. Nothing is booked.',
    examples: paymentExample('dismiss'),
    needsReason: true,
    done: 'It is off the list.',
  }),
]

const breakExample = (name: string) => [
  `breaks ${name} brk_… --tenant ten_… --reason "asked the bank"`,
]

const BREAKS: CliCommand[] = [
  list({
    name: 'breaks list',
    about: 'List the breaks of all tenants, longest first.',
    examples: ['breaks list', 'breaks list --state resolved --kind missing_here --json'],
    takes: {
      state: withDefault(
        optional('--state <state>', 'open or resolved', ['open', 'resolved'] as const),
        'open',
      ),
      kind: optional('--kind <kind>', 'of one kind', BREAK_KINDS),
      tenantId: OF_TENANT,
    },
    list: async ({ db }, { state, kind, tenantId }) =>
      (await pageBreaks(db, { state, kind, tenantId }, FIRST_PAGE)).items.map(
        ({ itemId: item, ...found }) => ({ ...found, item }),
      ),
    columns: [
      ...['id', 'tenant_id', 'external_id', 'kind', 'area', 'item', 'day', 'found_at', 'owner'],
    ],
    empty: 'There is no such break.',
  }),
  act(TAKE_BREAK, {
    name: 'breaks take',
    about: 'Become its owner: you see to it. Nothing is booked.',
    examples: breakExample('take'),
    needsReason: true,
    done: 'It is yours.',
  }),
  act(RESOLVE_BREAK, {
    name: 'breaks resolve',
    about: 'Take it off the list, once it is cleared up with the provider. Nothing is booked.',
    examples: breakExample('resolve'),
    needsReason: true,
    done: 'It is resolved.',
  }),
]

export const PAYMENT_COMMANDS = [...REFUNDS, ...RECEIPTS, ...PAYMENTS, ...BREAKS]
