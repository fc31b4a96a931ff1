import type { Borrower } from '../../../client/index.ts'
import { usePages } from '../../../pages/data/lists.ts'
import { live } from '../../../pages/data/query-client.ts'
import { Empty, Panel } from '../../../pages/parts/page.tsx'
import { PagedTable } from '../../../pages/parts/table.tsx'
import { service } from '../../data/console-api.ts'
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
