import { Link } from '@tanstack/react-router'
import { live } from '../../../console/data/live-keys.ts'
import { usePages } from '../../../console/data/pages.ts'
import { type Column, PagedTable } from '../../../console/parts/lists/data-table.tsx'
import { Empty } from '../../../console/parts/lists/empty.tsx'
import { Name } from '../../../console/parts/name.tsx'
import { Page, Panel } from '../../../console/parts/page.tsx'
import { Time } from '../../../console/parts/time.tsx'
import { type Answer, list } from '../../data/operator-api.ts'
import { HOLD_KINDS } from './hold-band.tsx'
import { TenantId } from './margin-links.tsx'
import { MarginTabs } from './margin-tabs.tsx'

type Hold = Answer<'listHolds'>['items'][number]

const COLUMNS: readonly Column<Hold>[] = [
  {
    head: 'Facility',
    cell: ({ tenant_id, facility_id }) => (
      <Link
        to="/margin/$tenantId/$facilityId"
        params={{ tenantId: tenant_id, facilityId: facility_id }}
        className="mono"
      >
        <Name value={facility_id} tenantId={tenant_id} isShort />
      </Link>
    ),
  },
  { head: 'Tenant', keep: 'low', cell: ({ tenant_id }) => <TenantId value={tenant_id} /> },
  { head: 'Kind', cell: ({ kind }) => HOLD_KINDS[kind] },
  { head: 'Reason', keep: 'low', cell: ({ reason }) => reason },
  { head: 'Since (UTC)', short: true, cell: ({ since }) => <Time at={since} brief /> },
]

export function HoldsPage() {
  const pages = usePages<Hold>({
    key: live('margin', 'holds'),
    read: (from, signal) => list('listHolds', { from, limit: 100 }, signal),
  })
  return (
    <Page
      title="Holds"
      about="Nothing of a held facility escalates, sells, pays out or is released. A hold is placed and lifted on the facility's page."
    >
      <MarginTabs />
      <Panel title="Held for longest first" flush>
        <PagedTable
          label="Holds, one a row"
          pages={pages}
          columns={COLUMNS}
          rowKey={({ id }) => id}
          empty={
            <Empty title="No facility is on hold.">
              Open a facility from the book to put it on hold, with a reason.
            </Empty>
          }
        />
      </Panel>
    </Page>
  )
}
