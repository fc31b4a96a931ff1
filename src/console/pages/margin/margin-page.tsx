import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Facility, MarginWarning } from '../../../client/index.ts'
import { HealthStatus } from '../../../pages/lending/values.tsx'
import { Notice, Page } from '../../../pages/parts/page.tsx'
import { TablePanel } from '../../../pages/parts/panels.tsx'
import { type Column, moneyColumn } from '../../../pages/parts/table.tsx'
import { Money, Ratio } from '../../../pages/parts/values.tsx'
import { useWarnings } from '../../data/lending.ts'
import { useLoansAtRisk } from './at-risk.ts'
import { Countdown } from './countdown.tsx'
import { MarginEvents } from './margin-events.tsx'
import { MarginLink } from './margin-link.tsx'

const COLUMNS: readonly Column<Facility>[] = [
  { head: 'Facility', cell: ({ id }) => <MarginLink facilityId={id} /> },
  { head: 'Health', short: true, cell: ({ health }) => <HealthStatus of={health} /> },
  { head: 'LTV', align: 'right', short: true, cell: ({ ltv }) => <Ratio ltv={ltv} /> },
  {
    head: 'Tier',
    align: 'right',
    short: true,
    keep: 'low',
    cell: ({ id }) => <OfWarning of={id} show={({ tier }) => tier} />,
  },
  {
    head: 'Time to cure',
    short: true,
    cell: ({ id, on_hold: hold }) =>
      hold ? (
        'On hold'
      ) : (
        <OfWarning of={id} show={({ cure_deadline: at }) => <Countdown to={at} />} />
      ),
  },
  {
    head: 'Cured by',
    align: 'right',
    cell: ({ id }) => (
      <OfWarning of={id} show={({ cure_amount_usd: amount }) => <Money amount={amount} />} />
    ),
  },
  moneyColumn('Debt', ({ outstanding }) => outstanding.total, 'low'),
  moneyColumn('Collateral', ({ collateral_value_usd: value }) => value, 'lowest'),
]

export function MarginPage() {
  const { data, error } = useLoansAtRisk()
  return (
    <Page
      title="Margin"
      about="Loans with an open warning or a running sale, and what came before."
    >
      {data?.isCut && (
        <Notice tone="warn" title="Not every loan was read">
          The newest loans are shown. The event log has every warning.
        </Notice>
      )}
      <TablePanel
        title="Now"
        label="Loans that are not healthy"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rows={data?.loans}
        error={error}
        empty={[
          'No open warning, and no running sale',
          <>
            A loan appears here when its ratio stays above the first line of its terms. On the
            sandbox you can <Link to="/sandbox">play a margin day</Link>.
          </>,
        ]}
      />
      <MarginEvents />
    </Page>
  )
}

/** A mark where there is no open warning, or none is known. */
function OfWarning({ of, show }: { of: string; show: (warning: MarginWarning) => ReactNode }) {
  const { data, error } = useWarnings(of)
  if (!data) return error ? 'Not read' : '…'
  const warning = data.items.find(({ status }) => status === 'OPEN')
  return warning ? show(warning) : '–'
}
