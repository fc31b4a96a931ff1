import { useQuery } from '@tanstack/react-query'
import { Facts, Loading, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { type Column, DataTable } from '../../../pages/parts/table.tsx'
import { Ago } from '../../../pages/parts/values.tsx'
import { call, type Schemas } from '../../data/operator-api.ts'
import { formatSeconds } from './format.ts'
import classes from './operations.module.css'

type Row = { name: string; waiting: number; oldest: number }

const MOST_COUNTED = 10_000

const COLUMNS: readonly Column<Row>[] = [
  { head: 'Class', cell: ({ name }) => name },
  {
    head: 'Due',
    align: 'right',
    short: true,
    cell: ({ waiting }) =>
      `${waiting.toLocaleString('en')}${waiting === MOST_COUNTED ? ' or more' : ''}`,
  },
  {
    head: 'Oldest waits',
    align: 'right',
    short: true,
    cell: ({ oldest }) => formatSeconds(oldest),
  },
]

export function QueuePanel() {
  const queue = useQuery({
    queryKey: ['operations', 'queue'],
    queryFn: () => call('getQueueLag', {}),
    refetchInterval: 5_000,
  })
  const { data, error, isPending } = queue
  return (
    <Panel title="Queue" flush={data !== undefined}>
      <ProblemAlert error={error} />
      {isPending && <Loading />}
      {data && (
        <>
          <div className={classes.body}>
            <Facts
              items={[
                ['Worker last seen', <Ago key="seen" at={data.worker_seen_at} />],
                ['Running now', data.running.toLocaleString('en')],
                ['Webhooks with something due', data.deliveries.webhooks.toLocaleString('en')],
              ]}
            />
          </div>
          <Waiting rows={toRows(data)} />
        </>
      )}
    </Panel>
  )
}

function Waiting({ rows }: { rows: readonly Row[] }) {
  if (rows.length === 0) {
    return <p className={`${classes.body} quiet`}>No work and no delivery waits.</p>
  }
  return (
    <DataTable
      label="Classes of work, one a row"
      columns={COLUMNS}
      rows={rows}
      rowKey={({ name }) => name}
    />
  )
}

/** Those in which something waits. */
function toRows({ classes: work, deliveries }: Schemas['QueueLag']): Row[] {
  const rows = work.map(({ name, ready, oldest_seconds }) => ({
    ...{ name, waiting: ready, oldest: oldest_seconds },
  }))
  const { due, oldest_seconds: oldest } = deliveries
  return [...rows, { name: 'deliveries to webhooks', waiting: due, oldest }].filter(
    (row) => row.waiting > 0 || row.oldest > 0,
  )
}
