import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { formatLine } from '../../../pages/data/figures.ts'
import { live } from '../../../pages/data/query-client.ts'
import type { Search } from '../../../pages/frame/application.ts'
import { TablePanel } from '../../../pages/parts/panels.tsx'
import { type Column, timeColumn } from '../../../pages/parts/table.tsx'
import { list, type Schemas } from '../../data/operator-api.ts'

type Action = Schemas['OperatorAction']

const COLUMNS: readonly Column<Action>[] = [
  timeColumn('At', ({ at }) => at),
  { head: 'Who', keep: 'low', cell: ({ actor }) => actor },
  { head: 'Before', cell: ({ before }) => describe(before) },
  { head: 'After', cell: ({ after }) => describe(after) },
  { head: 'Why', keep: 'low', breaks: true, cell: ({ reason }) => reason ?? '–' },
]

/** Of the rule that the address names: each time that it was set. */
export function History() {
  const { rule } = useSearch({ strict: false }) as Search
  if (!rule) return null
  return <RuleHistory rule={rule} />
}

function RuleHistory({ rule }: { rule: string }) {
  const { data, error } = useQuery({
    queryKey: live('actions', rule),
    queryFn: ({ signal }) => list('listActions', { subject_id: rule, limit: 100 }, signal),
  })
  const set = data?.items.filter(({ action }) => action === 'residency.set')
  return (
    <TablePanel
      title={`History of ${rule}`}
      actions={<Link to="/administration/residency">Close</Link>}
      label={`Changes of ${rule}, newest first`}
      columns={COLUMNS}
      rowKey={({ number }) => String(number)}
      rows={set}
      error={error}
      empty={['Not changed here', 'It was written with the sample policy.']}
    />
  )
}

function describe(state: Action['before']): string {
  if (!state) return 'no rule'
  const { allowed, rate, max_limit_usd: most } = state as Record<string, unknown>
  if (allowed !== true) return 'refused'
  const shownRate = typeof rate === 'string' ? formatLine(rate) : 'default'
  return `allowed, rate ${shownRate}, maximum ${most ?? 'default'}`
}
