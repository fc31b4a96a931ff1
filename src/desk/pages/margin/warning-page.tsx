import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import classes from '../../../pages/lending/lending.module.css'
import { Cures, WarningStatus } from '../../../pages/lending/values.tsx'
import {
  Empty,
  Facts,
  Loading,
  Notice,
  Page,
  Panel,
  ProblemAlert,
} from '../../../pages/parts/page.tsx'
import { type Column, DataTable, timeColumn } from '../../../pages/parts/table.tsx'
import { Id, Money, Ratio, Time } from '../../../pages/parts/values.tsx'
import { type DeskWarning, useWarning } from '../../data/margin.ts'
import { BorrowerLink, TenantLink } from '../../parts/tenants.tsx'
import { Countdown } from './countdown.tsx'
import { CustodianPanel, HELD_COLUMNS } from './custodian-panel.tsx'
import { DecisionEntry } from './decision-entry.tsx'
import { FacilityCrumbs } from './margin-links.tsx'

export function WarningPage() {
  const of = useParams({ from: '/margin/$tenantId/$facilityId/warnings/$number' })
  const { data: warning, error } = useWarning(of)
  const title = `Warning ${of.number}`
  const crumbs = <FacilityCrumbs {...of} />
  if (!warning) {
    return (
      <Page title={title} crumbs={crumbs}>
        <Panel title={title}>{error ? <ProblemAlert error={error} /> : <Loading />}</Panel>
      </Page>
    )
  }
  return (
    <Page title={title} crumbs={crumbs} beside={<WarningStatus of={warning.status} />}>
      <ProblemAlert error={error} />
      {warning.status === 'OPEN' && <WhatCures warning={warning} />}
      <Panel title="Warning">
        <Facts items={factsOf(warning)} />
      </Panel>
      <NoticesPanel warning={warning} />
      <UnconfirmedPanel warning={warning} />
      <CustodianPanel reading={warning.custodian} />
      <Panel title="Decisions">
        <ol className={classes.story}>
          {warning.decisions.map((decision) => (
            <li key={decision.number} data-kind={decision.kind}>
              <Time at={decision.decided_at} />
              <DecisionEntry decision={decision} />
            </li>
          ))}
        </ol>
      </Panel>
    </Page>
  )
}

function WhatCures({ warning }: { warning: DeskWarning }) {
  const { if_escalated: sale } = warning
  return (
    <Notice tone="warn" title={`Open at tier ${warning.tier}`}>
      {warning.on_hold ? (
        'On hold: the deadline stands still, and nothing is sold.'
      ) : (
        <>
          <Countdown warning={warning} />, until <Time at={warning.cure_deadline} />.
        </>
      )}{' '}
      What cures it: <Cures of={warning} />.
      {sale && !warning.on_hold && (
        <>
          {' '}
          Otherwise collateral worth <Money amount={sale.sale_usd} /> would be sold, by the debt and
          prices of now.
        </>
      )}
    </Notice>
  )
}

function factsOf(warning: DeskWarning): (readonly [string, ReactNode])[] {
  const { latest_ltv: latest, cured_at: cured, escalated_at: escalated } = warning
  return [
    ['Tenant', <TenantLink key="tenant" id={warning.tenant_id} />],
    [
      'Borrower',
      <BorrowerLink key="borrower" tenantId={warning.tenant_id} borrowerId={warning.borrower_id} />,
    ],
    ['Tier', warning.tier],
    ['Raised', <Time key="raised" at={warning.raised_at} />],
    ['LTV when raised', <Ratio key="raise" ltv={warning.ltv_at_raise} />],
    ['LTV now', latest === undefined ? '–' : <Ratio key="latest" ltv={latest} />],
    ['Debt', <Money key="debt" amount={warning.debt_usd} />],
    ['Collateral', <Money key="value" amount={warning.collateral_value_usd} />],
    ['Prices', warning.valuation_status === 'FRESH' ? 'Fresh' : 'Old or missing'],
    ['Deadline', <Time key="deadline" at={warning.cure_deadline} />],
    ['Deadline moved by', `${warning.extended_seconds} s`],
    ['Cured', cured ? <Time key="cured" at={cured} /> : '–'],
    ['Escalated', escalated ? <Time key="escalated" at={escalated} /> : '–'],
  ]
}

type Raise = NonNullable<DeskWarning['raises']>[number]

const RAISES: readonly Column<Raise>[] = [
  timeColumn('Raised', ({ raised_at: at }) => at),
  { head: 'Event', keep: 'low', cell: ({ event_id: id }) => <Id value={id} /> },
  {
    head: 'Told by',
    cell: ({ notices }) =>
      notices.length === 0
        ? 'No notice is on record'
        : notices.map(({ channel, at }) => `${channel} at ${at.slice(11, 16)}`).join(', '),
  },
]

/** Shows the notices, which prove that the borrower was informed. */
function NoticesPanel({ warning: { raises = [] } }: { warning: DeskWarning }) {
  if (raises.length === 0) return null
  return (
    <Panel title="Notices" flush>
      <DataTable
        label="Raises, each with its notices"
        columns={RAISES}
        rows={raises}
        rowKey={({ event_id: id }) => id}
      />
    </Panel>
  )
}

type Reported = DeskWarning['reported'][number]

const REPORTED: readonly Column<Reported>[] = [
  { head: 'Repayment', cell: ({ repayment_id: id }) => <Id value={id} /> },
  { head: 'Amount', align: 'right', cell: ({ amount }) => <Money {...amount} /> },
  timeColumn('Reported', ({ reported_at: at }) => at, 'low'),
  timeColumn('Holds until', ({ holds_until: at }) => at),
]

/** What the borrower reported, and neither treasury nor custodian has confirmed. */
function UnconfirmedPanel({ warning: { reported, claimed } }: { warning: DeskWarning }) {
  return (
    <Panel title="Reported and not confirmed" flush>
      {reported.length > 0 && (
        <DataTable
          label="Repayments that were reported"
          columns={REPORTED}
          rows={reported}
          rowKey={({ repayment_id: id }) => id}
        />
      )}
      {claimed && (
        <>
          <p className="quiet" style={{ padding: '0 16px' }}>
            Pushed <Time at={claimed.pushed_at} />. The custodian is{' '}
            {claimed.asked_since ? (
              <>
                asked since <Time at={claimed.asked_since} />
              </>
            ) : (
              'not asked yet'
            )}
            .
          </p>
          <DataTable
            label="Collateral that was pushed"
            columns={HELD_COLUMNS}
            rows={claimed.positions}
            rowKey={({ asset }) => asset}
          />
        </>
      )}
      {reported.length === 0 && !claimed && (
        <Empty title="Nothing is under way">
          A repayment appears here from its report until the treasury confirms it, collateral from
          its push until the custodian does.
        </Empty>
      )}
    </Panel>
  )
}
