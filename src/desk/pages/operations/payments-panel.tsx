import { usePages } from '../../../pages/data/lists.ts'
import { live } from '../../../pages/data/query-client.ts'
import { PagedPanel } from '../../../pages/parts/panels.tsx'
import type { Column } from '../../../pages/parts/table.tsx'
import { Ago, Id, Money, Time } from '../../../pages/parts/values.tsx'
import { type Answer, call, list, type Schemas } from '../../data/operator-api.ts'
import { DecisionPanel } from '../../parts/decision-panel.tsx'
import { facilityColumn, tenantColumn } from '../../parts/tenants.tsx'

type Payment = Schemas['DoubtfulPayment']

const WHY: Readonly<Record<Payment['reason'], string>> = {
  refused: 'refused, after it was done',
  other_amount: 'another amount than before',
  other_content: 'another transfer or reference than before',
  paid_out: 'taken back after it was sent back: a loss',
}

const DECISIONS = {
  checkPayment: {
    act: 'Ask again',
    title: 'Ask the payments provider again?',
    about: 'Do it once the provider has corrected its answer. Money that has come back is booked.',
  },
  dismissPayment: {
    act: 'Dismiss',
    title: 'Take it off the list?',
    about: 'Do it once it is cleared up with the provider. Nothing is booked.',
  },
} as const

const COLUMNS: readonly Column<Payment>[] = [
  tenantColumn('low'),
  facilityColumn('low'),
  { head: 'Payment', keep: 'lowest', cell: ({ id }) => <Id value={id} /> },
  { head: 'The provider answers', breaks: true, cell: ({ reason }) => WHY[reason] },
  { head: 'Since', short: true, keep: 'low', cell: ({ since }) => <Ago at={since} /> },
]

export function PaymentsPanel() {
  return (
    <DecisionPanel<Payment, keyof typeof DECISIONS>
      title="Payments in doubt"
      label="Payments in doubt, one a row"
      queryKey={live('doubtful-payments')}
      read={(from, signal) => list('listDoubtfulPayments', { from, limit: 100 }, signal)}
      columns={COLUMNS}
      idOf={({ id }) => id}
      empty={[
        'No payment is in doubt.',
        'An answer about a payment that was done, and that is neither as before nor its return, comes here.',
      ]}
      may="payments.check"
      decisions={DECISIONS}
      decide={(decision, { tenant_id, id: payment_id }, { reason }) =>
        call(decision, { path: { tenant_id, payment_id }, body: { reason } })
      }
    />
  )
}

type Waiting = Answer<'listWaitingPayments'>['items'][number]

const KINDS: Readonly<Record<Waiting['kind'], string>> = {
  draw: 'Draw',
  refund: 'Refund',
  receipt: 'Receipt, to be final',
}

const WAITING: readonly Column<Waiting>[] = [
  { head: 'Payment', short: true, cell: ({ kind }) => KINDS[kind] },
  tenantColumn('low'),
  facilityColumn('low'),
  { head: 'Id', keep: 'lowest', cell: ({ id }) => <Id value={id} /> },
  { head: 'Amount', align: 'right', short: true, cell: ({ amount }) => <Money {...amount} /> },
  { head: 'Since', short: true, cell: ({ since }) => <Ago at={since} /> },
  {
    head: 'Last answer',
    breaks: true,
    cell: ({ failures, error }) =>
      failures === 0 ? 'pending' : `none, ${failures} times in a row: ${error}`,
  },
  {
    head: 'Asked again',
    short: true,
    keep: 'lowest',
    cell: ({ asked_again_at: at }) => (at === null ? 'now' : <Time at={at} />),
  },
]

/** They are asked for by themselves: nothing is to be decided here. */
export function WaitingPanel() {
  const pages = usePages<Waiting>({
    key: live('waiting-payments'),
    read: (from, signal) => list('listWaitingPayments', { from, limit: 100 }, signal),
  })
  return (
    <PagedPanel
      title="Payments that wait"
      label="Payments that wait, one a row"
      pages={pages}
      columns={WAITING}
      rowKey={({ id }) => id}
      empty={[
        'No payment has waited for an hour.',
        'A draw or refund that the provider has answered “pending” for so long comes here. It is asked again by itself.',
      ]}
    />
  )
}
