import { Button, Group, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import type { Facility } from '../../../../client/index.ts'
import { usePages } from '../../../../pages/data/lists.ts'
import { TextField } from '../../../../pages/parts/fields.tsx'
import { Facts, Panel, ProblemAlert } from '../../../../pages/parts/page.tsx'
import { PagedTable } from '../../../../pages/parts/table.tsx'
import { Money, Time } from '../../../../pages/parts/values.tsx'
import { service } from '../../../data/console-api.ts'
import { facilityKey } from '../../../data/lending.ts'
import { downloadStatement } from './download-statement.ts'
import { PayoffPanel } from './payoff-panel.tsx'
import { STATEMENT_COLUMNS, type StatementRow, statementRows } from './statement-rows.tsx'

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
  const pages = usePages<StatementRow>({
    key: facilityKey(facility.id, 'statement', query),
    read: async (cursor, signal) => {
      const part = { ...query, ...(cursor !== undefined && { cursor }) }
      const page = await service.getStatement(facility.id, part, { signal })
      const { next_cursor, has_more } = page
      return { items: statementRows(page, cursor), has_more, ...(next_cursor && { next_cursor }) }
    },
  })
  const shown = pages.rows[0]?.of
  return (
    <Stack gap="lg">
      {isOwing(facility) && <PayoffPanel facilityId={facility.id} />}
      <Panel
        title="Statement"
        flush
        actions={shown && <Downloads id={facility.id} shown={shown} interest={interest} />}
      >
        <Stack gap="md" p="md">
          <Group align="end" gap="sm">
            <TextField type="date" label="From (UTC)" size="xs" value={from} onChange={setFrom} />
            <TextField type="date" label="To (UTC)" size="xs" value={to} onChange={setTo} />
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
          {shown && (
            <Facts
              items={[
                ['From', <Time key="from" at={shown.from} />],
                ['To', <Time key="to" at={shown.to} />],
                ['Opening balance', <Money key="opening" amount={shown.opening} />],
                ['Closing balance', <Money key="closing" amount={shown.closing} />],
              ]}
            />
          )}
        </Stack>
        <PagedTable
          label="Lines of the statement"
          columns={STATEMENT_COLUMNS}
          pages={pages}
          rowKey={({ key }) => key}
        />
      </Panel>
    </Stack>
  )
}

type DownloadsProps = { id: string; shown: StatementRow['of']; interest: Interest }

/** Of the period that is on screen, so that both are the same. */
function Downloads({ id, shown, interest }: DownloadsProps) {
  const { from, to } = shown
  const [error, setError] = useState<unknown>()
  const download = (form: 'csv' | 'json') =>
    downloadStatement(id, { from, to, interest }, form).then(() => setError(undefined), setError)
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
