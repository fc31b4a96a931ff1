import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatLine } from '../../../console/data/figures/ratio.ts'
import { live } from '../../../console/data/live-keys.ts'
import { type Column, DataTable } from '../../../console/parts/lists/data-table.tsx'
import { Empty } from '../../../console/parts/lists/empty.tsx'
import { Loading } from '../../../console/parts/loading.tsx'
import { ProblemAlert } from '../../../console/parts/notice.tsx'
import { Page, Panel } from '../../../console/parts/page.tsx'
import { Status } from '../../../console/parts/status.tsx'
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
      <Panel title="Rules" flush>
        <ProblemAlert error={policy.error} />
        {policy.isPending && <Loading />}
        {policy.data?.items.length === 0 && (
          <Empty title="No rules yet">
            No borrower is accepted: set a rule for each place that you may lend in.
          </Empty>
        )}
        {policy.data && policy.data.items.length > 0 && (
          <DataTable
            label="Rules, one a row"
            columns={COLUMNS}
            rows={policy.data.items}
            rowKey={({ id }) => id}
          />
        )}
      </Panel>
    </Page>
  )
}
