import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Facility } from '../../../../client/index.ts'
import { Empty, Loading, Panel, ProblemAlert } from '../../../../pages/parts/page.tsx'
import { type Column, DataTable } from '../../../../pages/parts/table.tsx'
import { groupDigits, Ratio, Time } from '../../../../pages/parts/values.tsx'
import { consoleApi, type LtvPoint, useSession } from '../../../data/console-api.ts'
import { facilityKey } from '../../../data/lending.ts'
import { readTenantNow } from '../../../data/tenant-clock.ts'
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
        <Empty title="Nothing is recorded">
          The ratio is recorded with the rounds of prices: hourly for 14 days, daily for 13 months.
          {facility.state === 'APPROVED' && ' The first point appears within the hour.'}
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
