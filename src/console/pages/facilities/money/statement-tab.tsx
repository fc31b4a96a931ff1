import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Facility } from '../../../../client/index.ts'
import { facilityKey } from '../../../data/lending/lending.ts'
import { service } from '../../../data/service.ts'
import { Facts } from '../../../parts/facts.tsx'
import { DataTable } from '../../../parts/lists/data-table.tsx'
import { Loading } from '../../../parts/loading.tsx'
import { Money } from '../../../parts/money.tsx'
import { ProblemAlert } from '../../../parts/notice.tsx'
import { Panel } from '../../../parts/page.tsx'
import { Time } from '../../../parts/time.tsx'
import { downloadStatement } from './download-statement.ts'
import { PayoffPanel } from './payoff-panel.tsx'
import { STATEMENT_COLUMNS, statementRows } from './statement-rows.tsx'

type Interest = 'period' | 'day'

/** A day of the form as the instant at which it begins. */
const beginningOf = (day: string) => `${day}T00:00:00.000Z`

const isOwing = ({ outstanding, charged_off: chargedOff }: Facility) =>
  outstanding.total !== '0.00' || chargedOff !== undefined

export function StatementTab({ facility }: { facility: Facility }) {
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [interest, setInterest] = useState<Interest>('period')
  const query = {
    ...(from !== '' && { from: beginningOf(from) }),
    ...(to !== '' && { to: beginningOf(to) }),
    interest,
  }
  const { data, error, isPending } = useQuery({
    queryKey: facilityKey(facility.id, 'statement', query),
    queryFn: ({ signal }) => service.getStatement(facility.id, query, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <Stack gap="lg">
      {isOwing(facility) && <PayoffPanel facilityId={facility.id} />}
      <Panel
        title="Statement"
        flush
        actions={data && <Downloads shown={data} interest={interest} />}
      >
        <Stack gap="md" p="md">
          <Group align="end" gap="sm">
            <TextInput
              type="date"
              label="From (UTC)"
              size="xs"
              value={from}
              onChange={(event) => setFrom(event.currentTarget.value)}
            />
            <TextInput
              type="date"
              label="To (UTC)"
              size="xs"
              value={to}
              onChange={(event) => setTo(event.currentTarget.value)}
            />
            <Select
              label="Interest"
              size="xs"
              w={190}
              allowDeselect={false}
              data={[
                { value: 'period', label: 'Before each movement' },
                { value: 'day', label: 'Each day' },
              ]}
              value={interest}
              onChange={(value) => setInterest(value as Interest)}
            />
          </Group>
          <ProblemAlert error={error} />
          {data && (
            <Facts
              items={[
                ['From', <Time key="from" at={data.from} />],
                ['To', <Time key="to" at={data.to} />],
                ['Opening balance', <Money key="opening" amount={data.opening.total} />],
                ['Closing balance', <Money key="closing" amount={data.closing.total} />],
              ]}
            />
          )}
        </Stack>
        {isPending && <Loading lines={6} />}
        {data && (
          <DataTable
            label="Lines of the statement"
            columns={STATEMENT_COLUMNS}
            rows={statementRows(data)}
            rowKey={({ key }) => key}
          />
        )}
      </Panel>
    </Stack>
  )
}

type Shown = { facility_id: string; from: string; to: string }

/** Of the period that is on screen, so that both are the same. */
function Downloads({ shown, interest }: { shown: Shown; interest: Interest }) {
  const { facility_id: facilityId, from, to } = shown
  const [error, setError] = useState<unknown>()
  const download = (form: 'csv' | 'json') =>
    downloadStatement(facilityId, { from, to, interest }, form).then(
      () => setError(undefined),
      setError,
    )
  return (
    <>
      {error !== undefined && <ProblemAlert error={error} />}
      <Button size="xs" variant="default" onClick={() => void download('csv')}>
        Download CSV
      </Button>
      <Button size="xs" variant="default" onClick={() => void download('json')}>
        Download JSON
      </Button>
    </>
  )
}
