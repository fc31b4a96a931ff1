import { useQuery } from '@tanstack/react-query'
import { TablePanel } from '../../../pages/parts/panels.tsx'
import type { Column } from '../../../pages/parts/table.tsx'
import { Ago, Status, type Tone } from '../../../pages/parts/values.tsx'
import { call, type Schemas } from '../../data/operator-api.ts'

type Provider = Schemas['Provider']

const BREAKERS: Record<Provider['breaker'], { tone: Tone; label: string }> = {
  closed: { tone: 'good', label: 'Closed' },
  half_open: { tone: 'warn', label: 'Trying again' },
  open: { tone: 'bad', label: 'Open' },
}

/** Without calls there is no duration; above the last class there is no end. */
function formatMs(ms: number | null, calls: number): string {
  if (ms !== null) return `≤ ${ms.toLocaleString('en')} ms`
  return calls === 0 ? '–' : '> 15 s'
}

const COLUMNS: readonly Column<Provider>[] = [
  { head: 'Provider', cell: ({ provider }) => provider },
  {
    head: 'Breaker',
    short: true,
    cell: ({ breaker, processes }) => (
      <span
        title={processes.map(({ process_id, breaker: own }) => `${process_id}: ${own}`).join('\n')}
      >
        <Status tone={BREAKERS[breaker].tone}>{BREAKERS[breaker].label}</Status>
      </span>
    ),
  },
  { head: 'Answered', align: 'right', short: true, cell: ({ answered }) => answered },
  { head: 'Failed', align: 'right', short: true, cell: ({ failed }) => failed },
  {
    head: 'Held back',
    align: 'right',
    short: true,
    keep: 'low',
    cell: ({ held_back }) => held_back,
  },
  {
    head: 'Half within',
    align: 'right',
    short: true,
    keep: 'low',
    cell: ({ p50_ms, answered, failed }) => formatMs(p50_ms, answered + failed),
  },
  {
    head: '95 % within',
    align: 'right',
    short: true,
    keep: 'low',
    cell: ({ p95_ms, answered, failed }) => formatMs(p95_ms, answered + failed),
  },
  {
    head: 'Last failure',
    keep: 'low',
    cell: ({ last_failure }) =>
      last_failure ? (
        <>
          {last_failure.outcome}, <Ago at={last_failure.at} />
        </>
      ) : (
        <span className="quiet">none since the start</span>
      ),
  },
]

export function ProvidersPanel() {
  const providers = useQuery({
    queryKey: ['operations', 'providers'],
    queryFn: () => call('listProviders', {}),
    refetchInterval: 10_000,
  })
  const { data, error } = providers
  return (
    <TablePanel
      title="Providers"
      actions={
        data &&
        data.oldest_report_seconds !== null && (
          <span className="quiet">
            calls of five minutes, reported {data.oldest_report_seconds} s ago
          </span>
        )
      }
      label="Providers, one a row"
      columns={COLUMNS}
      rowKey={({ provider }) => provider}
      rows={data?.items}
      error={error}
      empty={[
        'No process calls a provider over HTTP.',
        'A sandbox has simulated providers. On live, set KYC, AML, custodian and payments as the documentation of providers shows.',
      ]}
    />
  )
}
