import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatLine } from '../../../pages/data/figures.ts'
import { SaleReceipt } from '../../../pages/lending/sale-receipt.tsx'
import { CallStatus } from '../../../pages/lending/values.tsx'
import { Facts, Loading, Page, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { TablePanel } from '../../../pages/parts/panels.tsx'
import { type Column, timeColumn } from '../../../pages/parts/table.tsx'
import { groupDigits, Money, Status, Time, type Tone } from '../../../pages/parts/values.tsx'
import { type DeskCall, readReceipt, useCall } from '../../data/margin.ts'
import { BorrowerLink, TenantLink } from '../../parts/tenants.tsx'
import { FacilityCrumbs, WarningLink } from './margin-links.tsx'

type Order = DeskCall['orders'][number]

const ORDER_STATES: Record<Order['status'], readonly [Tone, string]> = {
  ORDERED: ['warn', 'At the custodian'],
  FILLED: ['good', 'Filled'],
  REFUSED: ['bad', 'Refused'],
}

const ORDERS: readonly Column<Order>[] = [
  { head: 'Order', short: true, cell: ({ number }) => number },
  {
    head: 'Status',
    short: true,
    keep: 'low',
    cell: ({ status }) => <Status tone={ORDER_STATES[status][0]}>{ORDER_STATES[status][1]}</Status>,
  },
  {
    head: 'Ordered',
    align: 'right',
    cell: ({ asset, quantity }) => `${groupDigits(quantity)} ${asset}`,
  },
  {
    head: 'Filled',
    align: 'right',
    keep: 'low',
    cell: ({ asset, fill }) => (fill ? `${groupDigits(fill.quantity)} ${asset}` : '–'),
  },
  {
    head: 'Proceeds',
    align: 'right',
    cell: ({ fill }) => (fill ? <Money amount={fill.proceeds_usd} /> : '–'),
  },
  {
    head: 'Costs',
    align: 'right',
    keep: 'low',
    cell: ({ fill }) => (fill ? <Money amount={fill.costs_usd} /> : '–'),
  },
  timeColumn('Ordered', ({ ordered_at: at }) => at, 'lowest'),
  timeColumn('Filled', ({ fill }) => fill?.executed_at, 'lowest'),
]

export function CallPage() {
  const of = useParams({ from: '/margin/$tenantId/$facilityId/calls/$number' })
  const { data: call, error } = useCall(of)
  const title = `Margin call ${of.number}`
  const crumbs = <FacilityCrumbs {...of} />
  if (!call) {
    return (
      <Page title={title} crumbs={crumbs}>
        <Panel title={title}>{error ? <ProblemAlert error={error} /> : <Loading />}</Panel>
      </Page>
    )
  }
  return (
    <Page title={title} crumbs={crumbs} beside={<CallStatus of={call.status} />}>
      <ProblemAlert error={error} />
      <Panel title="Call">
        <Facts items={factsOf(call)} />
        {call.status === 'COMPLETED' && (
          <SaleReceipt
            name={`receipt-${call.facility_id}-${call.number}`}
            read={() => readReceipt(of)}
          />
        )}
      </Panel>
      <TablePanel
        title="Orders and fills"
        label="Orders, one a row"
        columns={ORDERS}
        rowKey={({ number }) => String(number)}
        rows={call.orders}
        empty={[
          'There is no order',
          'Nothing is ordered before the custodian has confirmed what it holds, and nothing if the floor is clear by then.',
        ]}
      />
    </Page>
  )
}

const OUTCOMES: Record<NonNullable<DeskCall['outcome']>, string> = {
  partial: 'As much was sold as makes the loan safe again',
  full: 'Everything that the debt needed was sold',
  not_needed: 'Nothing had to be sold',
  deficit: 'Everything was sold, and it was too little',
}

function factsOf(call: DeskCall): (readonly [string, ReactNode])[] {
  const { outcome, target_ltv: target, allocation } = call
  const list = (positions: readonly { asset: string; quantity: string }[]) =>
    positions.map(({ asset, quantity }) => `${groupDigits(quantity)} ${asset}`).join(', ') || '–'
  const facility = { tenantId: call.tenant_id, facilityId: call.facility_id }
  return [
    ['Tenant', <TenantLink key="tenant" id={call.tenant_id} />],
    [
      'Borrower',
      <BorrowerLink key="borrower" tenantId={call.tenant_id} borrowerId={call.borrower_id} />,
    ],
    ['After', <WarningLink key="warning" {...facility} number={call.margin_warning_number} />],
    ['Outcome', outcome ? OUTCOMES[outcome] : 'The sale is running'],
    ['Planned', list(call.planned)],
    ['Down to', target === undefined ? 'the whole debt' : formatLine(target)],
    ['Sold', list(call.sold)],
    ['Costs', <Money key="costs" amount={call.costs_usd} />],
    ['Interest paid', <Money key="interest" {...allocation.interest} />],
    ['Principal paid', <Money key="principal" {...allocation.principal} />],
    ['Left to the borrower', <Money key="surplus" amount={call.surplus_usd} />],
    ['Deficit', <Money key="deficit" amount={call.deficit_usd} />],
    ['The loan owes now', <Money key="debt" amount={call.debt_usd} />],
    ['Began', <Time key="began" at={call.created_at} />],
    ['First order', <Time key="started" at={call.started_at} />],
    ['Ended', <Time key="ended" at={call.completed_at} />],
  ]
}
