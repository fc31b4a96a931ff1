import { Button } from '@mantine/core'
import { useState } from 'react'
import { useFilters, usePages } from '../../../pages/data/lists.ts'
import { live, queryClient } from '../../../pages/data/query-client.ts'
import { FilterBar, FilterText } from '../../../pages/parts/filters.tsx'
import { Page } from '../../../pages/parts/page.tsx'
import { PagedPanel } from '../../../pages/parts/panels.tsx'
import type { Column } from '../../../pages/parts/table.tsx'
import { Ago, ResourceId } from '../../../pages/parts/values.tsx'
import { useCan } from '../../../pages/sign-in/session.ts'
import { asBody, call, list, type Schemas } from '../../data/operator-api.ts'
import { ReasonDialog } from '../../parts/reason-dialog.tsx'
import { TenantFilter, tenantColumn } from '../../parts/tenants.tsx'
import { BreaksPanel } from '../breaks/breaks-panel.tsx'
import { OperationsTabs } from './operations-tabs.tsx'
import { PaymentsPanel, WaitingPanel } from './payments-panel.tsx'
import { ReceiptsPanel } from './receipts-panel.tsx'
import { RefundsPanel } from './refunds-panel.tsx'

type StuckWork = Schemas['StuckWork']

const STUCK = live('stuck')

export function WorkPage() {
  return (
    <Page
      title="Work"
      about="Work that has failed ten times or more in a row, receipts and payments that wait, breaks, and refunds that the treasury refused. Work and refunds are retried by themselves; a retry here ends the pause."
    >
      <OperationsTabs />
      <StuckPanel />
      <ReceiptsPanel />
      <PaymentsPanel />
      <WaitingPanel />
      <BreaksPanel />
      <RefundsPanel />
    </Page>
  )
}

function StuckPanel() {
  const { filters, bind, isFiltered } = useFilters(['tenant_id', 'topic'])
  const [retrying, setRetrying] = useState<StuckWork>()
  const mayRetry = useCan('work.retry')
  const pages = usePages<StuckWork>({
    key: [...STUCK, filters],
    read: (from, signal) => list('listStuckWork', { ...filters, from, limit: 100 }, signal),
  })
  const columns: readonly Column<StuckWork>[] = [
    { head: 'Work', cell: ({ topic }) => topic },
    tenantColumn('low'),
    {
      head: 'On',
      keep: 'lowest',
      cell: ({ subject_id, tenant_id }) => <ResourceId value={subject_id} tenantId={tenant_id} />,
    },
    {
      head: 'Error',
      breaks: true,
      cell: ({ error }) => <span className="mono">{error}</span>,
    },
    {
      head: 'Failures',
      align: 'right',
      short: true,
      keep: 'low',
      cell: ({ attempts }) => attempts,
    },
    {
      head: 'Failing since',
      short: true,
      keep: 'low',
      cell: ({ failing_since }) => <Ago at={failing_since} />,
    },
    ...(mayRetry
      ? [
          {
            head: 'Act',
            short: true,
            align: 'right' as const,
            cell: (work: StuckWork) => (
              <Button
                size="xs"
                variant="default"
                aria-label={`Retry ${work.topic} of ${work.subject_id}`}
                onClick={() => setRetrying(work)}
              >
                Retry
              </Button>
            ),
          },
        ]
      : []),
  ]
  return (
    <>
      <FilterBar>
        <TenantFilter {...bind('tenant_id')} />
        <FilterText label="Work" placeholder="push-floor" {...bind('topic')} />
      </FilterBar>
      <PagedPanel
        title="Stuck work"
        label="Stuck work, one a row"
        pages={pages}
        columns={columns}
        rowKey={({ tenant_id, topic, subject_id }) => `${tenant_id} ${topic} ${subject_id}`}
        empty={[
          isFiltered ? 'No stuck work matches.' : 'No work is stuck.',
          isFiltered
            ? 'Choose other filters, or none.'
            : 'Work that fails is retried with growing pauses, and comes here after ten failures.',
        ]}
      />
      <ReasonDialog
        title={`Retry ${retrying?.topic ?? ''} now?`}
        act="Retry"
        isOpen={retrying !== undefined}
        onClose={() => setRetrying(undefined)}
        run={async (reason) => {
          if (!retrying) return undefined
          const { tenant_id, topic, subject_id } = retrying
          await call('retryWork', {
            body: asBody('retryWork', { tenant_id, topic, subject_id, reason }),
          })
          await queryClient.invalidateQueries({ queryKey: STUCK })
          return undefined
        }}
      >
        It runs within a second if a worker runs. The count of failures stays until it succeeds.
      </ReasonDialog>
    </>
  )
}
