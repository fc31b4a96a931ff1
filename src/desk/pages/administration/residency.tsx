import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatLine } from '../../../pages/data/figures.ts'
import { live } from '../../../pages/data/query-client.ts'
import { Page } from '../../../pages/parts/page.tsx'
import { TablePanel } from '../../../pages/parts/panels.tsx'
import type { Column } from '../../../pages/parts/table.tsx'
import { Status } from '../../../pages/parts/values.tsx'
import { call, type Schemas } from '../../data/operator-api.ts'
import { AdministrationTabs } from './administration-tabs.tsx'
import { History } from './history.tsx'
import { SetRule } from './set-rule.tsx'

type Rule = Schemas['ResidencyRule']

const COLUMNS: readonly Column<Rule>[] = [
  {
    head: 'Place',
    cell: ({ country, state }) => (state === null ? country : `${country}-${state}`),
  },
  { head: 'Borrower', cell: ({ borrower_type: type }) => type },
  {
    head: 'May borrow',
    short: true,
    cell: ({ allowed }) =>
      allowed ? <Status tone="good">Yes</Status> : <Status tone="plain">No</Status>,
  },
  {
    head: 'Rate',
    short: true,
    align: 'right',
    keep: 'low',
    cell: ({ rate }) => (rate === null ? 'default' : formatLine(rate)),
  },
  {
    head: 'Maximum (USD)',
    short: true,
    align: 'right',
    keep: 'low',
    cell: ({ max_limit_usd: most }) => most ?? 'default',
  },
  {
    head: 'History',
    short: true,
    align: 'right',
    cell: ({ id }) => (
      <Link to="/administration/residency" search={{ rule: id }}>
        Show
      </Link>
    ),
  },
]

export function ResidencyPage() {
  const policy = useQuery({
    queryKey: live('residency'),
    queryFn: ({ signal }) => call('listResidencyRules', { signal }),
  })
  return (
    <Page
      title="Residency policy"
      about="Who may borrow, by residence and type. What has no rule is refused."
      actions={<SetRule rules={policy.data?.items ?? []} />}
    >
      <AdministrationTabs />
      <History />
      <TablePanel
        title="Rules"
        label="Rules, one a row"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rows={policy.data?.items}
        error={policy.error}
        empty={[
          'No rules yet',
          'No borrower is accepted: set a rule for each place that you may lend in.',
        ]}
      />
    </Page>
  )
}
