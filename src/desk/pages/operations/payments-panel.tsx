import { Button } from '@mantine/core'
import { useState } from 'react'
import { live } from '../../../console/data/live-keys.ts'
import { usePages } from '../../../console/data/pages.ts'
import { queryClient } from '../../../console/data/query-client.ts'
import { Id } from '../../../console/parts/id.tsx'
import { type Column, PagedTable } from '../../../console/parts/lists/data-table.tsx'
import { Empty } from '../../../console/parts/lists/empty.tsx'
import { Panel } from '../../../console/parts/page.tsx'
import { Ago } from '../../../console/parts/time.tsx'
import { useCan } from '../../../console/sign-in/session.ts'
import { call, list, type Schemas } from '../../data/operator-api.ts'
import { ReasonDialog } from '../../parts/reason-dialog.tsx'
import { TenantLink } from '../../parts/tenants.tsx'

type Payment = Schemas['DoubtfulPayment']

const DOUBTFUL = live('doubtful-payments')

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

type Decision = keyof typeof DECISIONS

export function PaymentsPanel() {
  const [deciding, setDeciding] = useState<{ payment: Payment; decision: Decision }>()
  const mayDecide = useCan('payments.check')
  const pages = usePages<Payment>({
    key: DOUBTFUL,
    read: (from, signal) => list('listDoubtfulPayments', { from, limit: 100 }, signal),
  })
  const columns: readonly Column<Payment>[] = [
    { head: 'Tenant', keep: 'low', cell: ({ tenant_id: id }) => <TenantLink id={id} /> },
    { head: 'Payment', keep: 'lowest', cell: ({ id }) => <Id value={id} /> },
    { head: 'The provider answers', breaks: true, cell: ({ reason }) => WHY[reason] },
    { head: 'Since', short: true, keep: 'low', cell: ({ since }) => <Ago at={since} /> },
    ...(mayDecide
      ? [
          {
            head: 'Act',
            short: true,
            align: 'right' as const,
            cell: (payment: Payment) =>
              (Object.keys(DECISIONS) as Decision[]).map((decision) => (
                <Button
                  key={decision}
                  size="xs"
                  variant="default"
                  aria-label={`${DECISIONS[decision].act}: ${payment.id}`}
                  onClick={() => setDeciding({ payment, decision })}
                >
                  {DECISIONS[decision].act}
                </Button>
              )),
          },
        ]
      : []),
  ]
  const shown = DECISIONS[deciding?.decision ?? 'checkPayment']
  return (
    <>
      <Panel title="Payments in doubt" flush>
        <PagedTable
          label="Payments in doubt, one a row"
          pages={pages}
          columns={columns}
          rowKey={({ id }) => id}
          empty={
            <Empty title="No payment is in doubt.">
              An answer about a payment that was done, and that is neither as before nor its return,
              comes here.
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
          const { tenant_id, id: payment_id } = deciding.payment
          const path = { tenant_id, payment_id }
          const outcome = await call(deciding.decision, { path, body: { reason } })
          await queryClient.invalidateQueries({ queryKey: DOUBTFUL })
          return outcome
        }}
      >
        {shown.about}
      </ReasonDialog>
    </>
  )
}
