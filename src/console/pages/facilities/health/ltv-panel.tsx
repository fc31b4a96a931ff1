import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Facility } from '../../../../client/index.ts'
import { consoleApi, type LtvPoint } from '../../../data/console-api.ts'
import { facilityKey } from '../../../data/lending/lending.ts'
import { useSession } from '../../../data/session.ts'
import { readTenantNow } from '../../../data/tenant-clock.ts'
import { Ratio } from '../../../parts/lending/ratio.tsx'
import { type Column, DataTable } from '../../../parts/lists/data-table.tsx'
import { Empty } from '../../../parts/lists/empty.tsx'
import { Loading } from '../../../parts/loading.tsx'
import { groupDigits } from '../../../parts/money.tsx'
import { ProblemAlert } from '../../../parts/notice.tsx'
import { Panel } from '../../../parts/page.tsx'
import { Time } from '../../../parts/time.tsx'
import { LtvChart } from './ltv-chart.tsx'
import classes from './ltv-panel.module.css'

const HOUR_MS = 3_600_000

/** In hours. Points by the hour go back 14 days, less the time of the request. */
const RANGES = [
  { value: '24', label: '24 h' },
  { value: '335', label: '14 days' },
  { value: '9504', label: '13 months' },
]

const COLUMNS: readonly Column<LtvPoint>[] = [
  { head: 'UTC', short: true, cell: ({ at }) => <Time at={at} brief /> },
  { head: 'LTV', align: 'right', short: true, cell: ({ ltv }) => <Ratio ltv={ltv} /> },
  { head: 'Debt (USD)', align: 'right', cell: ({ debt_usd: debt }) => groupDigits(debt) },
  {
    head: 'Collateral (USD)',
    align: 'right',
    cell: ({ collateral_usd: collateral }) => groupDigits(collateral),
  },
]

/** Loaded by itself: charts are large. */
export function LtvPanel({ facility }: { facility: Facility }) {
  const facilityId = facility.id
  const { stack } = useSession()
  const [hours, setHours] = useState('335')
  const { data, error, isPending } = useQuery({
    queryKey: facilityKey(facilityId, 'ltv', hours),
    queryFn: async ({ signal }) => {
      const now = Date.parse(await readTenantNow(stack))
      const from = new Date(now - Number(hours) * HOUR_MS).toISOString()
      return (await consoleApi.listLtv(facilityId, from, signal)).items
    },
    refetchInterval: 30_000,
  })
  return (
    <Panel
      title="Loan-to-value over time"
      flush
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Range"
          data={RANGES}
          value={hours}
          onChange={setHours}
        />
      }
    >
      <ProblemAlert error={error} />
      {isPending && <Loading lines={8} />}
      {data && data.length === 0 && (
        <Empty title="Nothing is recorded yet">
          The ratio is recorded with the rounds of prices: hourly for 14 days, daily for 13 months.
          The first point appears within the hour.
        </Empty>
      )}
      {data && data.length > 0 && (
        <div className={classes.both}>
          <LtvChart points={data} terms={facility.terms} />
          <div className={classes.table}>
            <DataTable
              label="Loan-to-value at each point"
              columns={COLUMNS}
              rows={data.toReversed()}
              rowKey={({ at }) => at}
            />
          </div>
        </div>
      )}
    </Panel>
  )
}
