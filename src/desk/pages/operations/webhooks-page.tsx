import { useFilters, usePages } from '../../../pages/data/lists.ts'
import { live } from '../../../pages/data/query-client.ts'
import { FilterSelect } from '../../../pages/parts/filters.tsx'
import { ListPage } from '../../../pages/parts/list-page.tsx'
import type { Column } from '../../../pages/parts/table.tsx'
import { Ago, Status } from '../../../pages/parts/values.tsx'
import { list, type Schemas } from '../../data/operator-api.ts'
import { TenantFilter, tenantColumn } from '../../parts/tenants.tsx'
import { OperationsTabs } from './operations-tabs.tsx'

type TroubledWebhook = Schemas['TroubledWebhook']

const COLUMNS: readonly Column<TroubledWebhook>[] = [
  tenantColumn(),
  {
    head: 'Webhook',
    breaks: true,
    cell: ({ origin, webhook_id }) => <span title={webhook_id}>{origin}</span>,
  },
  {
    head: 'State',
    short: true,
    cell: ({ state, failed_attempts }) => (
      <Status tone={state === 'disabled' ? 'bad' : 'warn'}>
        {state === 'disabled' ? 'Disabled' : `Failing: ${failed_attempts} in a row`}
      </Status>
    ),
  },
  {
    head: 'Last answer',
    keep: 'low',
    cell: ({ last_attempt }) =>
      last_attempt ? (
        <>
          {last_attempt.answer}, <Ago at={last_attempt.at} />
        </>
      ) : (
        <span className="quiet">–</span>
      ),
  },
  {
    head: 'Oldest due',
    short: true,
    keep: 'low',
    cell: ({ oldest_due_at }) =>
      oldest_due_at ? <Ago at={oldest_due_at} /> : <span className="quiet">nothing</span>,
  },
]

const TROUBLES = [
  { value: 'failing', label: 'Failing' },
  { value: 'disabled', label: 'Disabled' },
]

export function WebhooksPage() {
  const { filters, bind, isFiltered } = useFilters(['tenant_id', 'trouble'])
  const pages = usePages<TroubledWebhook>({
    key: live('troubled-webhooks', filters),
    read: (from, signal) => list('listTroubledWebhooks', { ...filters, from, limit: 100 }, signal),
  })
  return (
    <ListPage
      title="Webhooks"
      about="Webhooks whose last attempts failed, or that are disabled after a hundred. A tenant repairs its endpoint, and registers another webhook."
      tabs={<OperationsTabs />}
      filters={
        <>
          <TenantFilter {...bind('tenant_id')} />
          <FilterSelect label="State" options={TROUBLES} {...bind('trouble')} />
        </>
      }
      order="By tenant"
      label="Webhooks, one a row"
      pages={pages}
      columns={COLUMNS}
      rowKey={({ webhook_id }) => webhook_id}
      empty={
        isFiltered
          ? ['No webhook matches.', 'Choose other filters, or none.']
          : [
              'No webhook fails or is disabled.',
              'A webhook comes here with its first failed attempt, and leaves with the next delivery.',
            ]
      }
    />
  )
}
