import type { Borrower } from '../../../client/index.ts'
import { live } from '../../data/live-keys.ts'
import { usePages } from '../../data/pages.ts'
import { service } from '../../data/service.ts'
import { PagedTable } from '../../parts/lists/data-table.tsx'
import { Empty } from '../../parts/lists/empty.tsx'
import { Panel } from '../../parts/page.tsx'
import { FACILITY_COLUMNS } from '../facilities/facility-columns.tsx'
import { ApplyButton } from './apply-button.tsx'

const COLUMNS = FACILITY_COLUMNS.filter(({ head }) => head !== 'Borrower')

export function BorrowerFacilities({ borrower }: { borrower: Borrower }) {
  const pages = usePages({
    key: live('facilities', 'of', borrower.id),
    read: (from, signal) =>
      service.listFacilities(
        { borrower_id: borrower.id, limit: 50, ...(from !== undefined && { from }) },
        { signal },
      ),
    refetchMs: 10_000,
  })
  return (
    <Panel title="Facilities" flush actions={<ApplyButton borrower={borrower} />}>
      <PagedTable
        label="Facilities of the borrower"
        columns={COLUMNS}
        pages={pages}
        rowKey={({ id }) => id}
        empty={
          <Empty title="No facility yet">
            {borrower.eligible
              ? 'Push a portfolio, then apply for a facility.'
              : 'A facility can be applied for once the borrower is eligible.'}
          </Empty>
        }
      />
    </Panel>
  )
}
