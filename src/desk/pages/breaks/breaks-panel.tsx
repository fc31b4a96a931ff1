import { useFilters } from '../../../pages/data/lists.ts'
import { live } from '../../../pages/data/query-client.ts'
import { FilterBar, FilterSelect } from '../../../pages/parts/filters.tsx'
import type { Column } from '../../../pages/parts/table.tsx'
import { Ago, Id, Money } from '../../../pages/parts/values.tsx'
import { call, list, type Schemas } from '../../data/operator-api.ts'
import { DecisionPanel } from '../../parts/decision-panel.tsx'
import { FacilityLink, tenantColumn } from '../../parts/tenants.tsx'

type Break = Schemas['Break']

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

/** Lists the differences between the books and the providers. */
export function BreaksPanel() {
  const { filters, setFilter, isFiltered } = useFilters(['break_kind', 'break_state'])
  const { break_kind: kind, break_state: state } = filters
  const columns: readonly Column<Break>[] = [
    { head: 'Break', cell: (one) => KINDS[one.kind] },
    tenantColumn('low'),
    { head: 'In', short: true, keep: 'low', cell: ({ area }) => area },
    {
      head: 'Facility',
      keep: 'lowest',
      cell: ({ tenant_id, facility_id: id }) =>
        id === null ? '–' : <FacilityLink tenantId={tenant_id} facilityId={id} />,
    },
    { head: 'Item', keep: 'lowest', cell: ({ item }) => <Id value={item} /> },
    {
      head: 'Here',
      breaks: true,
      keep: 'low',
      cell: (one) => <Side side={one.ours} amount={one.our_amount} />,
    },
    {
      head: 'There',
      breaks: true,
      keep: 'low',
      cell: (one) => <Side side={one.theirs} amount={one.their_amount} />,
    },
    { head: 'Found', short: true, keep: 'low', cell: ({ found_at }) => <Ago at={found_at} /> },
    {
      head: state === 'resolved' ? 'Resolved' : 'Owner',
      breaks: true,
      cell: ({ owner, note, resolved_by, resolution }) =>
        resolved_by ? `${resolved_by}: ${resolution}` : owner ? `${owner}: ${note}` : 'nobody',
    },
  ]
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
      <DecisionPanel<Break, keyof typeof DECISIONS>
        title="Breaks with bank and custodian"
        label="Breaks, one a row"
        queryKey={live('breaks', kind, state)}
        read={(from, signal) => list('listBreaks', { kind, state, from, limit: 100 }, signal)}
        columns={columns}
        idOf={({ id }) => id}
        empty={[
          isFiltered ? 'No break matches.' : 'Books, bank and custodian agree.',
          'Each day that has ended is compared with what the providers list. What differs comes here.',
        ]}
        may="breaks.resolve"
        decisions={DECISIONS}
        decisionsOn={() =>
          state === 'resolved' ? '–' : (Object.keys(DECISIONS) as (keyof typeof DECISIONS)[])
        }
        decide={(decision, { tenant_id, id: break_id }, { reason }) =>
          call(decision, { path: { tenant_id, break_id }, body: { reason } })
        }
      />
    </>
  )
}

type SideProps = { side: string | null; amount: Break['our_amount'] }

/** The amount, then what else that side says: a day, a transfer. */
function Side({ side, amount }: SideProps) {
  if (side === null) return 'nothing'
  const { asset: _, units: __, ...others } = JSON.parse(side) as Record<string, string>
  const rest = Object.entries(others).map(
    ([name, value]) => `${name.replaceAll('_', ' ')} ${value}`,
  )
  return (
    <>
      {amount && <Money {...amount} />} {rest.join(', ')}
    </>
  )
}
