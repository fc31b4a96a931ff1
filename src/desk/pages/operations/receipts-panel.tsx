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

type Receipt = Schemas['UndecidedReceipt']

const UNDECIDED = live('undecided-receipts')

const DECISIONS = {
  askAboutReceipt: {
    act: 'Ask again',
    title: 'Ask the treasury again?',
    about: 'It is asked under a new number. Do it once the treasury has corrected its answer.',
  },
  refuseReceipt: {
    act: 'Refuse',
    title: 'Fail the repayment as not received?',
    about: 'The tenant may still report a transfer of its own for it.',
  },
} as const

type Decision = keyof typeof DECISIONS

export function ReceiptsPanel() {
  const [deciding, setDeciding] = useState<{ receipt: Receipt; decision: Decision }>()
  const mayDecide = useCan('receipts.refuse')
  const pages = usePages<Receipt>({
    key: UNDECIDED,
    read: (from, signal) => list('listUndecidedReceipts', { from, limit: 100 }, signal),
  })
  const columns: readonly Column<Receipt>[] = [
    { head: 'Repayment', keep: 'low', cell: ({ repayment_id }) => <Id value={repayment_id} /> },
    {
      head: 'Reported',
      align: 'right',
      short: true,
      cell: ({ delivered }) => delivered && <Money {...delivered} />,
    },
    {
      head: 'Its transfer pays',
      breaks: true,
      cell: ({ paid_for }) => paid_for && <Id value={paid_for.repayment_id} />,
    },
    { head: 'Since', short: true, keep: 'low', cell: ({ since }) => <Ago at={since} /> },
    ...(mayDecide
      ? [
          {
            head: 'Act',
            short: true,
            align: 'right' as const,
            cell: (receipt: Receipt) =>
              (Object.keys(DECISIONS) as Decision[]).map((decision) => (
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
              A receipt whose transfer has paid another repayment comes here.
            </Empty>
          }
        />
      </Panel>
      <ReasonDialog
        title={shown.title}
        act={shown.act}
        isOpen={deciding !== undefined}
        onClose={() => setDeciding(undefined)}
        run={async (reason) => {
          if (!deciding) return undefined
          const { tenant_id, repayment_id } = deciding.receipt
          const path = { tenant_id, repayment_id }
          const outcome = await call(deciding.decision, { path, body: { reason } })
          await queryClient.invalidateQueries({ queryKey: UNDECIDED })
          return outcome
        }}
      >
        {shown.about}
      </ReasonDialog>
    </>
  )
}
