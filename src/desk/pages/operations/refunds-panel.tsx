import { live } from '../../../pages/data/query-client.ts'
import type { Column } from '../../../pages/parts/table.tsx'
import { Ago, Id, Money } from '../../../pages/parts/values.tsx'
import { call, list, type Schemas } from '../../data/operator-api.ts'
import { DecisionPanel } from '../../parts/decision-panel.tsx'
import { facilityColumn, tenantColumn } from '../../parts/tenants.tsx'

type RefusedRefund = Schemas['RefusedRefund']

const DECISIONS = {
  redirectRefund: {
    act: 'Redirect',
    title: 'Pay to another destination?',
    about:
      'It is paid at once under a new payment id. Where acts need two operators, another one confirms it first.',
    asksDestination: true,
  },
} as const

const COLUMNS: readonly Column<RefusedRefund>[] = [
  tenantColumn('low'),
  facilityColumn('low'),
  { head: 'Refund', keep: 'lowest', cell: ({ id }) => <Id value={id} /> },
  { head: 'Amount', align: 'right', short: true, cell: ({ amount }) => <Money {...amount} /> },
  { head: 'To', breaks: true, cell: ({ destination: to }) => to },
  { head: 'Refusals', align: 'right', short: true, keep: 'low', cell: ({ refusals }) => refusals },
  { head: 'Owed since', short: true, keep: 'low', cell: ({ created_at: at }) => <Ago at={at} /> },
]

export function RefundsPanel() {
  return (
    <DecisionPanel<RefusedRefund, keyof typeof DECISIONS>
      title="Refunds refused"
      label="Refused refunds, one a row"
      queryKey={live('refused-refunds')}
      read={(from, signal) => list('listRefusedRefunds', { from, limit: 100 }, signal)}
      columns={COLUMNS}
      idOf={({ id }) => id}
      empty={[
        'No refund was refused.',
        'A refund that the treasury refuses is ordered again every minute, and comes here.',
      ]}
      may="refunds.redirect"
      decisions={DECISIONS}
      decisionsOn={(refund) =>
        refund.payment_under_way ? 'payment under way' : ['redirectRefund']
      }
      decide={(decision, { tenant_id, id: refund_id }, { reason, destination }) =>
        call(decision, { path: { tenant_id, refund_id }, body: { destination, reason } })
      }
    />
  )
}
