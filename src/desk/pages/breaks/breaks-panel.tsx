import { Button } from '@mantine/core'
import { useState } from 'react'
import { useFilters } from '../../../console/data/filters.ts'
import { live } from '../../../console/data/live-keys.ts'
import { usePages } from '../../../console/data/pages.ts'
import { queryClient } from '../../../console/data/query-client.ts'
import { Id } from '../../../console/parts/id.tsx'
import { type Column, PagedTable } from '../../../console/parts/lists/data-table.tsx'
import { Empty } from '../../../console/parts/lists/empty.tsx'
import { FilterBar, FilterSelect } from '../../../console/parts/lists/filters.tsx'
import { Panel } from '../../../console/parts/page.tsx'
import { Ago } from '../../../console/parts/time.tsx'
import { useCan } from '../../../console/sign-in/session.ts'
import { call, list, type Schemas } from '../../data/operator-api.ts'
import { ReasonDialog } from '../../parts/reason-dialog.tsx'

type Break = Schemas['Break']

const BREAKS = live('breaks')

const KINDS: Readonly<Record<Break['kind'], string>> = {
  missing_here: 'Missing here',
  missing_there: 'Missing there',
  other_amount: 'Other amount',
  other_day: 'Other day',
}

const DECISIONS = {
  takeBreak: {
    act: 'Take',
    title: 'See to it yourself?',
    about: 'You become its owner. The reason is shown beside it.',
  },
  resolveBreak: {
    act: 'Resolve',
    title: 'Take it off the list?',
    about: 'Do it once it is cleared up with the provider. Nothing is booked.',
  },
} as const

type Decision = keyof typeof DECISIONS

/** What the books and the providers say differently. */
export function BreaksPanel() {
  const { filters, setFilter, isFiltered } = useFilters(['break_kind', 'break_state'])
  const { break_kind: kind, break_state: state } = filters
  const [deciding, setDeciding] = useState<{ one: Break; decision: Decision }>()
  const mayDecide = useCan('breaks.resolve') && state !== 'resolved'
  const pages = usePages<Break>({
    key: [...BREAKS, filters],
    read: (from, signal) =>
      list(
        'listBreaks',
        { ...(kind && { kind }), ...(state && { state }), from, limit: 100 },
        signal,
      ),
  })
  const columns: readonly Column<Break>[] = [
    { head: 'Break', cell: (one) => KINDS[one.kind] },
    { head: 'In', short: true, keep: 'low', cell: ({ area }) => area },
    { head: 'Item', keep: 'low', cell: ({ item }) => <Id value={item} /> },
    { head: 'Here', breaks: true, keep: 'low', cell: ({ ours }) => showSide(ours) },
    { head: 'There', breaks: true, keep: 'low', cell: ({ theirs }) => showSide(theirs) },
    { head: 'Found', short: true, cell: ({ found_at }) => <Ago at={found_at} /> },
    {
      head: state === 'resolved' ? 'Resolved' : 'Owner',
      breaks: true,
      cell: ({ owner, note, resolved_by, resolution }) =>
        resolved_by ? `${resolved_by}: ${resolution}` : owner ? `${owner}: ${note}` : 'nobody',
    },
    ...(mayDecide
      ? [
          {
            head: 'Act',
            short: true,
            align: 'right' as const,
            cell: (one: Break) =>
              (Object.keys(DECISIONS) as Decision[]).map((decision) => (
                <Button
                  key={decision}
                  size="xs"
                  variant="default"
                  aria-label={`${DECISIONS[decision].act}: ${one.id}`}
                  onClick={() => setDeciding({ one, decision })}
                >
                  {DECISIONS[decision].act}
                </Button>
              )),
          },
        ]
      : []),
  ]
  const shown = DECISIONS[deciding?.decision ?? 'takeBreak']
  return (
    <>
      <FilterBar>
        <FilterSelect
          label="Breaks"
          value={kind}
          options={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
          onChange={(value) => setFilter('break_kind', value)}
        />
        <FilterSelect
          label="State"
          value={state}
          all="Open"
          options={[{ value: 'resolved', label: 'Resolved' }]}
          onChange={(value) => setFilter('break_state', value)}
        />
      </FilterBar>
      <Panel title="Breaks with bank and custodian" flush>
        <PagedTable
          label="Breaks, one a row"
          pages={pages}
          columns={columns}
          rowKey={({ id }) => id}
          empty={
            <Empty title={isFiltered ? 'No break matches.' : 'Books, bank and custodian agree.'}>
              Each day that has ended is compared with what the providers list. What differs comes
              here.
            </Empty>
          }
        />
      </Panel>
      <ReasonDialog
        title={shown.title}
        act={shown.act}
        isOpen={deciding !== undefined}
        onClose={() => setDeciding(undefined)}
        run={async (reason) => {
          if (!deciding) return undefined
          const { tenant_id, id: break_id } = deciding.one
          const path = { tenant_id, break_id }
          const outcome = await call(deciding.decision, { path, body: { reason } })
          await queryClient.invalidateQueries({ queryKey: BREAKS })
          return outcome
        }}
      >
        {shown.about}
      </ReasonDialog>
    </>
  )
}

/** `{"asset":"USD","units":"-5"}` as it is, without what only programs need. */
function showSide(side: string | null): string {
  if (side === null) return 'nothing'
  const given = JSON.parse(side) as Record<string, string>
  return Object.entries(given)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
}
