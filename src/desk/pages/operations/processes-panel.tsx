import { useQuery } from '@tanstack/react-query'
import { TablePanel } from '../../../pages/parts/panels.tsx'
import type { Column } from '../../../pages/parts/table.tsx'
import { Ago, Status } from '../../../pages/parts/values.tsx'
import { call, type Schemas } from '../../data/operator-api.ts'
import { formatSeconds } from './format.ts'

type RunningProcess = Schemas['Process']

const COLUMNS: readonly Column<RunningProcess>[] = [
  {
    head: 'Process',
    cell: ({ kind, host }) => (
      <>
        {kind === 'api' ? 'API' : 'Worker'} <span className="quiet">on {host}</span>
      </>
    ),
  },
  {
    head: 'State',
    short: true,
    cell: ({ silent, age_seconds }) => (
      <Status tone={silent ? 'bad' : 'good'}>
        {silent ? `Silent for ${formatSeconds(age_seconds)}` : 'Running'}
      </Status>
    ),
  },
  {
    head: 'Version',
    short: true,
    cell: ({ version, schema }) => (
      <>
        {version} <span className="quiet">{schema}</span>
      </>
    ),
  },
  { head: 'Started', short: true, keep: 'low', cell: ({ started_at }) => <Ago at={started_at} /> },
  {
    head: 'Redis',
    short: true,
    keep: 'low',
    cell: ({ redis }) => (
      <Status tone={redis === 'ok' ? 'good' : 'warn'}>
        {redis === 'ok' ? 'Answers' : 'Does not answer'}
      </Status>
    ),
  },
  {
    head: 'Connections used',
    align: 'right',
    short: true,
    keep: 'low',
    cell: ({ connections: { used, idle, waiting } }) =>
      `${used} of ${used + idle}${waiting > 0 ? `, ${waiting} wait` : ''}`,
  },
]

export function ProcessesPanel() {
  const processes = useQuery({
    queryKey: ['operations', 'processes'],
    queryFn: () => call('listProcesses', {}),
    refetchInterval: 10_000,
  })
  const { data, error } = processes
  return (
    <TablePanel
      title="Processes"
      label="Processes, one a row"
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rows={data?.items}
      error={error}
      empty={[
        'No process has reported within the hour.',
        'Each API process and worker reports every 10 seconds. Read their logs: “process report failed” has the reason.',
      ]}
    />
  )
}
