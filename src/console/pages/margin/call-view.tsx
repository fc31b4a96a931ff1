import type { ReactNode } from 'react'
import type { Facility, MarginCall } from '../../../client/index.ts'
import { formatLine } from '../../../pages/data/figures.ts'
import classes from '../../../pages/lending/lending.module.css'
import { SaleReceipt } from '../../../pages/lending/sale-receipt.tsx'
import { Facts } from '../../../pages/parts/page.tsx'
import { type Column, DataTable } from '../../../pages/parts/table.tsx'
import { groupDigits, Money, Time } from '../../../pages/parts/values.tsx'
import { service } from '../../data/console-api.ts'
import { useFacility } from '../../data/lending.ts'
import { Waterfall } from '../facilities/money/waterfall.tsx'

const OUTCOMES: Record<NonNullable<MarginCall['outcome']>, string> = {
  partial: 'As much was sold as makes the loan safe again.',
  full: 'Everything that the debt needed was sold.',
  not_needed: 'Nothing had to be sold: the floor was clear when the sale would have started.',
  deficit: 'Everything was sold, and it was too little.',
}

type Fill = MarginCall['sold'][number]

const FILLS: readonly Column<Fill>[] = [
  { head: 'Sold', cell: ({ asset }) => asset },
  { head: 'Quantity', align: 'right', cell: ({ quantity }) => groupDigits(quantity) },
  { head: 'Proceeds', align: 'right', cell: ({ proceeds_usd: usd }) => <Money amount={usd} /> },
]

/** What was planned, what was sold, and where the money went. */
export function CallView({ call }: { call: MarginCall }) {
  const { data: facility } = useFacility(call.facility_id)
  return (
    <div className={classes.call}>
      <p>{call.outcome ? OUTCOMES[call.outcome] : 'The sale is running.'}</p>
      <Facts items={factsOf(call, facility)} />
      {call.sold.length > 0 && (
        <DataTable
          label="Fills"
          columns={FILLS}
          rows={call.sold}
          rowKey={({ asset, quantity }) => `${asset} ${quantity}`}
        />
      )}
      {call.status === 'COMPLETED' && call.sold.length > 0 && (
        <Waterfall allocation={call.allocation} />
      )}
      {call.status === 'COMPLETED' && (
        <SaleReceipt
          name={`receipt-${call.facility_id}-${call.number}`}
          read={() => service.getReceipt(call.facility_id, call.number)}
        />
      )}
    </div>
  )
}

function factsOf(
  call: MarginCall,
  facility: Facility | undefined,
): (readonly [string, ReactNode])[] {
  const { planned, target_ltv: target } = call
  const plan = planned.map(({ asset, quantity }) => `${groupDigits(quantity)} ${asset}`).join(', ')
  return [
    ['Planned', plan || '–'],
    ['Down to', target === undefined ? 'the whole debt' : formatLine(target)],
    ['Costs', <Money key="costs" amount={call.costs_usd} />],
    ['Left to the borrower', <Money key="surplus" amount={call.surplus_usd} />],
    ['Deficit', <Money key="deficit" amount={call.deficit_usd} />],
    [
      'The loan owes now',
      facility ? <Money key="debt" amount={facility.outstanding.total} /> : '…',
    ],
    ['Started', <Time key="started" at={call.started_at} />],
    ['Completed', <Time key="completed" at={call.completed_at} />],
  ]
}
