import { Button, Collapse } from '@mantine/core'
import { useState } from 'react'
import type { MarginDecision } from '../../client/index.ts'
import { formatCents, formatLine, formatPpm, toCents } from '../data/figures.ts'
import { type Column, DataTable, moneyColumn, timeColumn } from '../parts/table.tsx'
import { groupDigits, Money, Status } from '../parts/values.tsx'
import classes from './lending.module.css'
import { ltvPpm, type Recomputed, type RecomputedRound } from './recompute.ts'

type WhyProps = {
  decision: MarginDecision
  reasons: readonly string[]
  recomputed: Recomputed | undefined
}

/** The record of a decision in words, and its figures computed again. */
export function Why({ decision, reasons, recomputed }: WhyProps) {
  const [isOpen, setOpen] = useState(false)
  const { policy, debt } = decision.facts
  return (
    <>
      <Button
        size="compact-xs"
        variant="subtle"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className={classes.why ?? ''}
      >
        {isOpen ? 'Less' : 'Why?'}
      </Button>
      <Collapse expanded={isOpen}>
        <div className={classes.record}>
          <ul>
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
          <h3>What it was computed from</h3>
          <DataTable
            label="Positions of the decision"
            columns={POSITIONS}
            rows={decision.facts.positions}
            rowKey={({ asset }) => asset}
          />
          {recomputed && (
            <>
              <DataTable
                label="Rounds of prices"
                columns={roundColumns(toCents(debt.total_usd))}
                rows={recomputed.rounds}
                rowKey={({ at, valueCents }) => `${at} ${valueCents}`}
              />
              <p>
                <Status tone={recomputed.agrees ? 'good' : 'bad'}>
                  {recomputed.agrees ? 'Recomputed: the same' : 'Recomputed: another result'}
                </Status>{' '}
                highest <Money amount={formatCents(recomputed.highestCents)} />, lowest{' '}
                <Money amount={formatCents(recomputed.lowestCents)} />, debt{' '}
                <Money amount={debt.total_usd} />
              </p>
            </>
          )}
          <p className="quiet">
            Terms {policy.version}: warned above {formatLine(policy.floor_ltv)}, cured at{' '}
            {formatLine(policy.cure_ltv)}, critical above {formatLine(policy.critical_ltv)}.
          </p>
        </div>
      </Collapse>
    </>
  )
}

type Position = MarginDecision['facts']['positions'][number]

const POSITIONS: readonly Column<Position>[] = [
  { head: 'Asset', cell: ({ asset }) => asset },
  { head: 'Quantity', align: 'right', cell: ({ quantity }) => groupDigits(quantity) },
  {
    head: 'Haircut',
    align: 'right',
    keep: 'low',
    cell: ({ haircut }) => (haircut === undefined ? 'does not count' : formatLine(haircut)),
  },
  { head: 'Counted', align: 'right', cell: ({ value_usd: value }) => <Money amount={value} /> },
]

function roundColumns(debtCents: bigint): readonly Column<RecomputedRound>[] {
  return [
    timeColumn('Round', ({ at }) => at),
    {
      head: 'Prices',
      cell: ({ prices }) =>
        prices.map(({ asset, priceUsd }) => `${asset} ${groupDigits(priceUsd)}`).join(', '),
    },
    moneyColumn('Collateral', ({ valueCents }) => formatCents(valueCents)),
    {
      head: 'LTV',
      align: 'right',
      short: true,
      cell: ({ valueCents }) => formatPpm(ltvPpm(debtCents, valueCents)),
    },
  ]
}
