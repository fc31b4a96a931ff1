import { Select } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Borrower } from '../../../client/index.ts'
import { usePages } from '../../../pages/data/lists.ts'
import { live } from '../../../pages/data/query-client.ts'
import { EligibleStatus } from '../../../pages/lending/values.tsx'
import { Page } from '../../../pages/parts/page.tsx'
import { PagedPanel } from '../../../pages/parts/panels.tsx'
import { type Column, timeColumn } from '../../../pages/parts/table.tsx'
import { ResourceId } from '../../../pages/parts/values.tsx'
import { service } from '../../data/console-api.ts'
import { BORROWER_TYPES, describeResidency } from './describe-borrower.ts'

const COLUMNS: readonly Column<Borrower>[] = [
  { head: 'Borrower', cell: ({ id }) => <ResourceId value={id} /> },
  { head: 'Eligible', short: true, cell: ({ eligible }) => <EligibleStatus eligible={eligible} /> },
  { head: 'Type', short: true, keep: 'low', cell: ({ type }) => BORROWER_TYPES[type] },
  { head: 'Residency', keep: 'low', cell: describeResidency },
  timeColumn('Created', ({ created_at: at }) => at, 'lowest'),
]

const FILTERS = [
  { value: 'true', label: 'Eligible' },
  { value: 'false', label: 'Not eligible' },
]

export function BorrowersPage() {
  const { eligible } = useSearch({ strict: false }) as { eligible?: string }
  const navigate = useNavigate()
  const isEligible = eligible === 'true' ? 'true' : eligible === 'false' ? 'false' : undefined
  const pages = usePages({
    key: live('borrowers', isEligible),
    read: (from, signal) =>
      service.listBorrowers(
        {
          limit: 100,
          ...(from !== undefined && { from }),
          ...(isEligible && { eligible: isEligible === 'true' }),
        },
        { signal },
      ),
  })
  return (
    <Page title="Borrowers" about="The people and businesses you lend to, newest first.">
      <PagedPanel
        title="All borrowers"
        actions={
          <Select
            aria-label="Eligibility"
            placeholder="Any eligibility"
            size="xs"
            w={160}
            clearable
            data={FILTERS}
            value={isEligible ?? null}
            onChange={(value) =>
              void navigate({ to: '/borrowers', search: value ? { eligible: value } : {} })
            }
          />
        }
        label="Borrowers"
        columns={COLUMNS}
        pages={pages}
        rowKey={({ id }) => id}
        empty={[
          isEligible === undefined ? 'No borrowers yet' : 'There is none of these',
          <>
            A borrower is created with <span className="mono">POST /v1/borrowers</span>, signs your
            documents, and becomes eligible when the checks have passed. On the sandbox a{' '}
            <Link to="/sandbox">story</Link> does all of it.
          </>,
        ]}
      />
    </Page>
  )
}
