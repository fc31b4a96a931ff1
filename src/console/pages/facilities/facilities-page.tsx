import { Select } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Facility, FacilityState } from '../../../client/index.ts'
import { formatCents, toCents } from '../../../pages/data/figures.ts'
import { usePages } from '../../../pages/data/lists.ts'
import { live } from '../../../pages/data/query-client.ts'
import { Page } from '../../../pages/parts/page.tsx'
import { PagedPanel } from '../../../pages/parts/panels.tsx'
import { Money } from '../../../pages/parts/values.tsx'
import { service } from '../../data/console-api.ts'
import { FACILITY_COLUMNS } from './facility-columns.tsx'

const STATES: readonly { value: FacilityState; label: string }[] = [
  { value: 'PENDING', label: 'Pending' },
  { value: 'APPROVED', label: 'Approved' },
  { value: 'DECLINED', label: 'Declined' },
  { value: 'CLOSING', label: 'Closing' },
  { value: 'CLOSED', label: 'Closed' },
]

export function FacilitiesPage() {
  const { state: given } = useSearch({ strict: false }) as { state?: string }
  const navigate = useNavigate()
  const state = STATES.find(({ value }) => value === given)?.value ?? null
  const pages = usePages({
    key: live('facilities', state),
    read: (from, signal) =>
      service.listFacilities(
        { limit: 100, ...(from !== undefined && { from }), ...(state && { state }) },
        { signal },
      ),
    refetchMs: 10_000,
  })
  return (
    <Page title="Facilities" about="Credit lines over collateral, newest first.">
      <PagedPanel
        title="All facilities"
        actions={
          <Select
            aria-label="State"
            placeholder="Any state"
            size="xs"
            w={150}
            clearable
            data={STATES}
            value={state}
            onChange={(value) =>
              void navigate({ to: '/facilities', search: value ? { state: value } : {} })
            }
          />
        }
        label="Facilities"
        columns={FACILITY_COLUMNS}
        pages={pages}
        rowKey={({ id }) => id}
        total={(rows) => (
          <>
            , <Money amount={sumOfDebts(rows)} /> of debt
          </>
        )}
        empty={[
          state === null ? 'No facilities yet' : 'No facility is in this state',
          <>
            A facility is applied for with <span className="mono">POST /v1/facilities</span>, or on
            the page of an eligible <Link to="/borrowers">borrower</Link>. On the sandbox a{' '}
            <Link to="/sandbox">story</Link> opens one for you.
          </>,
        ]}
      />
    </Page>
  )
}

const sumOfDebts = (rows: readonly Facility[]): string =>
  formatCents(rows.reduce((sum, { outstanding }) => sum + toCents(outstanding.total), 0n))
