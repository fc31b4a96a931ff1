import { live } from '../../../pages/data/query-client.ts'
import type { Column } from '../../../pages/parts/table.tsx'
import { Ago, Id, Money } from '../../../pages/parts/values.tsx'
import { call, list, type Schemas } from '../../data/operator-api.ts'
import { DecisionPanel } from '../../parts/decision-panel.tsx'
import { facilityColumn, tenantColumn } from '../../parts/tenants.tsx'

type Receipt = Schemas['UndecidedReceipt']

const DECISIONS = {
  askAboutReceipt: {
    kind: 'contested',
    act: 'Ask again',
    title: 'Ask the treasury again?',
    about: 'It is asked under a new number. Do it once the treasury has corrected its answer.',
  },
  refuseReceipt: {
    kind: 'contested',
    act: 'Refuse',
    title: 'Fail the repayment as not received?',
    about: 'The tenant may still report a transfer of its own for it.',
  },
  applySuspense: {
    kind: 'in_suspense',
    act: 'Apply',
    title: 'Apply it as a repayment of its own?',
    about:
      'It counts from its receipt. What the debt does not take is refunded to where the latest draw went. Where acts need two operators, another one confirms it first.',
  },
  returnSuspense: {
    kind: 'in_suspense',
    act: 'Return',
    title: 'Pay it back?',
    asksDestination: true,
    about:
      'Money that can still be taken back is paid when it is final. Where acts need two operators, another one confirms it first.',
  },
} as const

type Decision = keyof typeof DECISIONS

const decisionsOn = ({ kind }: Receipt) =>
  (Object.keys(DECISIONS) as Decision[]).filter((decision) => DECISIONS[decision].kind === kind)

const COLUMNS: readonly Column<Receipt>[] = [
  tenantColumn('low'),
  facilityColumn('low'),
  { head: 'Repayment', keep: 'lowest', cell: ({ repayment_id }) => <Id value={repayment_id} /> },
  {
    head: 'Reported',
    align: 'right',
    short: true,
    cell: ({ delivered }) => delivered && <Money {...delivered} />,
  },
  {
    head: 'Why',
    breaks: true,
    cell: ({ paid_for, in_suspense }) =>
      in_suspense ? (
        <>
          <Money {...in_suspense} /> more were received
        </>
      ) : (
        paid_for && (
          <>
            its transfer pays <Id value={paid_for.repayment_id} />
          </>
        )
      ),
  },
  { head: 'Since', short: true, keep: 'low', cell: ({ since }) => <Ago at={since} /> },
]

export function ReceiptsPanel() {
  return (
    <DecisionPanel<Receipt, Decision>
      title="Receipts to decide"
      label="Receipts to decide, one a row"
      queryKey={live('undecided-receipts')}
      read={(from, signal) => list('listUndecidedReceipts', { from, limit: 100 }, signal)}
      columns={COLUMNS}
      idOf={({ repayment_id }) => repayment_id}
      empty={[
        'No receipt waits for a decision.',
        'A receipt whose transfer has paid another repayment comes here, and one far above what was reported.',
      ]}
      may="receipts.refuse"
      decisions={DECISIONS}
      decisionsOn={decisionsOn}
      decide={(decision, { tenant_id, repayment_id }, { reason, destination }) => {
        const path = { tenant_id, repayment_id }
        return decision === 'returnSuspense'
          ? call(decision, { path, body: { destination, reason } })
          : call(decision, { path, body: { reason } })
      }}
    />
  )
}
