import { Link } from '@tanstack/react-router'
import { useFilters, usePages } from '../../../pages/data/lists.ts'
import { live } from '../../../pages/data/query-client.ts'
import { FilterText } from '../../../pages/parts/filters.tsx'
import { ListPage } from '../../../pages/parts/list-page.tsx'
import { type Column, timeColumn } from '../../../pages/parts/table.tsx'
import { ResourceId } from '../../../pages/parts/values.tsx'
import { list, type Schemas } from '../../data/operator-api.ts'
import { TenantFilter } from '../../parts/tenants.tsx'
import { actInWords } from '../../parts/words.ts'
import { ActionDrawer } from './action-drawer.tsx'

type Action = Schemas['OperatorAction']

export function ActionsPage() {
  const { filters, bind, setFilter, isFiltered } = useFilters([
    'actor',
    'subject_id',
    'tenant_id',
    'number',
  ])
  const { number, ...query } = filters
  const pages = usePages<Action>({
    key: live('actions', query),
    read: (from, signal) => list('listActions', { from, limit: 100, ...query }, signal),
  })
  const columns: readonly Column<Action>[] = [
    { head: 'No.', short: true, keep: 'lowest', cell: (action) => action.number },
    { head: 'Who', breaks: true, cell: ({ actor }) => actor },
    {
      head: 'Did',
      cell: (action) => (
        <Link to="/actions" search={{ ...filters, number: String(action.number) }}>
          {actInWords(action.action)}
        </Link>
      ),
    },
    {
      head: 'Of',
      keep: 'low',
      cell: ({ subject, tenant_id }) =>
        subject ? (
          <ResourceId value={subject.id} tenantId={tenant_id} />
        ) : (
          <span className="quiet">–</span>
        ),
    },
    { head: 'Why', keep: 'lowest', breaks: true, cell: ({ reason }) => reason ?? '–' },
    timeColumn('At', ({ at }) => at, 'low'),
  ]
  return (
    <ListPage
      title="Actions"
      about="Who did what, in the desk and by command. The record is chained and never altered; the audit recomputes it."
      filters={
        <>
          <FilterText label="Who" placeholder="ada@lender.example" {...bind('actor')} />
          <FilterText label="Of (id)" placeholder="bor_01m…" {...bind('subject_id')} />
          <TenantFilter {...bind('tenant_id')} />
        </>
      }
      order="Newest first"
      label="Actions, one a row"
      pages={pages}
      columns={columns}
      rowKey={(action) => String(action.number)}
      empty={
        isFiltered
          ? [
              'No action passes the filters',
              'Remove one, or check that it is written as the record has it.',
            ]
          : ['Nothing yet', 'Signing in and every change appear here.']
      }
    >
      <ActionDrawer number={number} onClose={() => setFilter('number', '')} />
    </ListPage>
  )
}
