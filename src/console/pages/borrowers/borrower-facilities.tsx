import type { Borrower } from '../../../client/index.ts'
import { usePages } from '../../../pages/data/lists.ts'
import { live } from '../../../pages/data/query-client.ts'
import { PagedPanel } from '../../../pages/parts/panels.tsx'
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
  const hasFacility = pages.rows.some(({ state }) => state !== 'DECLINED' && state !== 'CLOSED')
  return (
    <PagedPanel
      title="Facilities"
      actions={<ApplyButton borrower={borrower} hasFacility={hasFacility} />}
      label="Facilities of the borrower"
      columns={COLUMNS}
      pages={pages}
      rowKey={({ id }) => id}
      empty={[
        'No facility yet',
        borrower.eligible
          ? 'Push a portfolio, then apply for a facility.'
          : 'A facility can be applied for once the borrower is eligible.',
      ]}
    />
  )
}
