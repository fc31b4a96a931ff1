import { usePages } from '../../../pages/data/lists.ts'
import { live } from '../../../pages/data/query-client.ts'
import { ListPage } from '../../../pages/parts/list-page.tsx'
import { type Column, timeColumn } from '../../../pages/parts/table.tsx'
import { type Answer, list } from '../../data/operator-api.ts'
import { facilityColumn, tenantColumn } from '../../parts/tenants.tsx'
import { HOLD_KINDS } from './hold-band.tsx'
import { MarginTabs } from './margin-tabs.tsx'

type Hold = Answer<'listHolds'>['items'][number]

const COLUMNS: readonly Column<Hold>[] = [
  facilityColumn(),
  tenantColumn('low'),
  { head: 'Kind', cell: ({ kind }) => HOLD_KINDS[kind] },
  { head: 'Reason', keep: 'low', cell: ({ reason }) => reason },
  timeColumn('Since', ({ since }) => since),
]

export function HoldsPage() {
  const pages = usePages<Hold>({
    key: live('margin', 'holds'),
    read: (from, signal) => list('listHolds', { from, limit: 100 }, signal),
  })
  return (
    <ListPage
      title="Holds"
      about="Nothing of a held facility escalates, sells, pays out or is released. A hold is placed and lifted on the facility's page."
      tabs={<MarginTabs />}
      order="Held for longest first"
      label="Holds, one a row"
      pages={pages}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      empty={[
        'No facility is on hold.',
        'Open a facility from the book to put it on hold, with a reason.',
      ]}
    />
  )
}
