import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Loading, Notice, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { type Column, DataTable } from '../../../pages/parts/table.tsx'
import { Ago, Status } from '../../../pages/parts/values.tsx'
import { call, type Schemas } from '../../data/operator-api.ts'

type Problem = Schemas['Problems']['items'][number]

/** Where each is read about, beyond this page. */
const PLACES: Partial<Record<Problem['kind'], string>> = {
  work_stuck: '/operations/work',
  refunds_refused: '/operations/work',
  receipts_undecided: '/operations/work',
  deliveries_overdue: '/operations/webhooks',
  webhooks_disabled: '/operations/webhooks',
  webhooks_failing: '/operations/webhooks',
  price_old: '/operations/prices',
  prices_differ: '/operations/prices',
  invariant_violated: '/operations/audit',
  audit_late: '/operations/audit',
  audit_unfinished: '/operations/audit',
  key_missing: '/operations/stores',
  partitions_missing: '/operations/stores',
}

const COLUMNS: readonly Column<Problem>[] = [
  {
    head: 'Urgency',
    short: true,
    cell: ({ severity }) => (
      <Status tone={severity === 'page' ? 'bad' : 'warn'}>
        {severity === 'page' ? 'Now' : 'In the morning'}
      </Status>
    ),
  },
  {
    head: 'What',
    cell: ({ kind, summary }) => {
      const to = PLACES[kind]
      return to === undefined ? summary : <Link to={to}>{summary}</Link>
    },
  },
]

export function ProblemsPanel() {
  const problems = useQuery({
    queryKey: ['operations', 'problems'],
    queryFn: () => call('listProblems', {}),
    refetchInterval: 15_000,
  })
  const { data, error, isPending } = problems
  return (
    <Panel
      title="What is wrong"
      actions={
        data && (
          <span className="quiet">
            as of <Ago at={data.at} />
          </span>
        )
      }
      flush={data !== undefined && data.items.length > 0}
    >
      <ProblemAlert error={error} />
      {isPending && <Loading />}
      {data && data.items.length === 0 && (
        <Notice tone="good" title="Nothing is wrong.">
          Everything is within the limits of the alarms.
        </Notice>
      )}
      {data && data.items.length > 0 && (
        <DataTable
          label="Problems, one a row"
          columns={COLUMNS}
          rows={data.items}
          rowKey={({ kind, summary }) => `${kind} ${summary}`}
        />
      )}
    </Panel>
  )
}
