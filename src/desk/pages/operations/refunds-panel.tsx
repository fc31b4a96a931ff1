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

type RefusedRefund = Schemas['RefusedRefund']

const REFUSED = live('refused-refunds')

export function RefundsPanel() {
  const [redirecting, setRedirecting] = useState<RefusedRefund>()
  const mayRedirect = useCan('refunds.redirect')
  const pages = usePages<RefusedRefund>({
    key: REFUSED,
    read: (from, signal) => list('listRefusedRefunds', { from, limit: 100 }, signal),
  })
  const columns: readonly Column<RefusedRefund>[] = [
    { head: 'Tenant', keep: 'low', cell: ({ tenant_id: id }) => <TenantLink id={id} /> },
    { head: 'Refund', keep: 'lowest', cell: ({ id }) => <Id value={id} /> },
    { head: 'Amount', align: 'right', short: true, cell: ({ amount }) => <Money {...amount} /> },
    { head: 'To', breaks: true, cell: ({ destination: to }) => to },
    {
      head: 'Refusals',
      align: 'right',
      short: true,
      keep: 'low',
      cell: ({ refusals }) => refusals,
    },
    {
      head: 'Owed since',
      short: true,
      keep: 'low',
      cell: ({ created_at }) => <Ago at={created_at} />,
    },
    ...(mayRedirect
      ? [
          {
            head: 'Act',
            short: true,
            align: 'right' as const,
            cell: (refund: RefusedRefund) =>
              refund.payment_under_way ? (
                <span className="quiet">payment under way</span>
              ) : (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Redirect ${refund.id}`}
                  onClick={() => setRedirecting(refund)}
                >
                  Redirect
                </Button>
              ),
          },
        ]
      : []),
  ]
  return (
    <>
      <Panel title="Refunds refused" flush>
        <PagedTable
          label="Refused refunds, one a row"
          pages={pages}
          columns={columns}
          rowKey={({ id }) => id}
          empty={
            <Empty title="No refund was refused.">
              A refund that the treasury refuses is ordered again every minute, and comes here.
            </Empty>
          }
        />
      </Panel>
      <ReasonDialog
        title="Pay to another destination?"
        act="Redirect"
        isOpen={redirecting !== undefined}
        onClose={() => setRedirecting(undefined)}
        asksDestination
        run={async (reason, destination) => {
          if (!redirecting) return undefined
          const { tenant_id: tenantId, id } = redirecting
          const outcome = await call('redirectRefund', {
            path: { tenant_id: tenantId, refund_id: id },
            body: { destination, reason },
          })
          await queryClient.invalidateQueries({ queryKey: REFUSED })
          return outcome
        }}
      >
        It is paid at once under a new payment id. Where acts need two operators, another one
        confirms it first.
      </ReasonDialog>
    </>
  )
}
