import { Button } from '@mantine/core'
import { useState } from 'react'
import { live } from '../../../console/data/live-keys.ts'
import { usePages } from '../../../console/data/pages.ts'
import { queryClient } from '../../../console/data/query-client.ts'
import { Id } from '../../../console/parts/id.tsx'
import { type Column, PagedTable } from '../../../console/parts/lists/data-table.tsx'
import { Empty } from '../../../console/parts/lists/empty.tsx'
import { Money } from '../../../console/parts/money.tsx'
import { Panel } from '../../../console/parts/page.tsx'
import { Ago } from '../../../console/parts/time.tsx'
import { useCan } from '../../../console/sign-in/session.ts'
import { call, list, type Schemas } from '../../data/operator-api.ts'
import { ReasonDialog } from '../../parts/reason-dialog.tsx'
import { TenantLink } from '../../parts/tenants.tsx'

type Receipt = Schemas['UndecidedReceipt']

const UNDECIDED = live('undecided-receipts')

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
    about:
      'Money that can still be taken back is paid when it is final. Where acts need two operators, another one confirms it first.',
  },
} as const

type Decision = keyof typeof DECISIONS

const decisionsOn = ({ kind }: Receipt) =>
  (Object.keys(DECISIONS) as Decision[]).filter((decision) => DECISIONS[decision].kind === kind)

export function ReceiptsPanel() {
  const [deciding, setDeciding] = useState<{ receipt: Receipt; decision: Decision }>()
  const mayDecide = useCan('receipts.refuse')
  const pages = usePages<Receipt>({
    key: UNDECIDED,
    read: (from, signal) => list('listUndecidedReceipts', { from, limit: 100 }, signal),
  })
  const columns: readonly Column<Receipt>[] = [
    { head: 'Tenant', keep: 'low', cell: ({ tenant_id: id }) => <TenantLink id={id} /> },
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
    ...(mayDecide
      ? [
          {
            head: 'Act',
            short: true,
            align: 'right' as const,
            cell: (receipt: Receipt) =>
              decisionsOn(receipt).map((decision) => (
                <Button
                  key={decision}
                  size="xs"
                  variant="default"
                  aria-label={`${DECISIONS[decision].act}: ${receipt.repayment_id}`}
                  onClick={() => setDeciding({ receipt, decision })}
                >
                  {DECISIONS[decision].act}
                </Button>
              )),
          },
        ]
      : []),
  ]
  const shown = DECISIONS[deciding?.decision ?? 'askAboutReceipt']
  return (
    <>
      <Panel title="Receipts to decide" flush>
        <PagedTable
          label="Receipts to decide, one a row"
          pages={pages}
          columns={columns}
          rowKey={({ repayment_id }) => repayment_id}
          empty={
            <Empty title="No receipt waits for a decision.">
              A receipt whose transfer has paid another repayment comes here, and one far above what
              was reported.
            </Empty>
          }
        />
      </Panel>
      <ReasonDialog
        title={shown.title}
        act={shown.act}
        isOpen={deciding !== undefined}
        onClose={() => setDeciding(undefined)}
        asksDestination={deciding?.decision === 'returnSuspense'}
        run={async (reason, destination) => {
          if (!deciding) return undefined
          const { tenant_id, repayment_id } = deciding.receipt
          const path = { tenant_id, repayment_id }
          const { decision } = deciding
          const outcome =
            decision === 'returnSuspense'
              ? await call(decision, { path, body: { destination, reason } })
              : await call(decision, { path, body: { reason } })
          await queryClient.invalidateQueries({ queryKey: UNDECIDED })
          return outcome
        }}
      >
        {shown.about}
      </ReasonDialog>
    </>
  )
}
