import type { ReactNode } from 'react'
import type { Facility } from '../../../../client/index.ts'
import { Cures, HealthStatus } from '../../../../pages/lending/values.tsx'
import { Notice } from '../../../../pages/parts/page.tsx'
import { type Column, DataTable } from '../../../../pages/parts/table.tsx'
import { Money, Ratio, Time } from '../../../../pages/parts/values.tsx'
import type { Levels, Preview } from '../../../data/lending-types.ts'
import { HealthGauge } from '../health/health-gauge.tsx'
import { gaugeLines } from '../health/lines.ts'
import classes from './preview.module.css'

type Row = { name: string; before: ReactNode; after: ReactNode }

const COLUMNS: readonly Column<Row>[] = [
  { head: 'Figure', cell: ({ name }) => name },
  { head: 'Now', align: 'right', cell: ({ before }) => before },
  { head: 'Then', align: 'right', cell: ({ after }) => after },
]

/** What the acts of a refusal are called. */
const ACTS: Record<Preview['refusals'][number]['act'], string> = {
  draw: 'The draw would be refused',
  repayment: 'The repayment would be refused',
  withdrawal: 'The withdrawal would be refused',
}

type PreviewAnswerProps = { now: Levels; then: Preview; terms: Facility['terms'] }

/** The loan as it is beside the loan as it would be. */
export function PreviewAnswer({ now, then, terms }: PreviewAnswerProps) {
  const lines = gaugeLines(terms)
  return (
    <>
      <div className={classes.gauges}>
        <div>
          <h3>Now</h3>
          <HealthGauge ltv={now.ltv} lines={lines} />
        </div>
        <div>
          <h3>
            Then, <Time at={then.at} />
          </h3>
          <HealthGauge ltv={then.ltv} lines={lines} />
        </div>
      </div>
      <DataTable
        label="Now and then"
        columns={COLUMNS}
        rows={rowsOf(now, then)}
        rowKey={({ name }) => name}
      />
      <div className={classes.after}>
        {then.refusals.map(({ act, code, detail }) => (
          <Notice key={`${act} ${code}`} tone="bad" title={ACTS[act]}>
            {detail} <span className="mono">{code}</span>
          </Notice>
        ))}
        <Outcome then={then} />
      </div>
    </>
  )
}

function rowsOf(now: Levels, then: Preview): Row[] {
  const both = (name: string, of: (from: Levels | Preview) => ReactNode): Row => ({
    name,
    before: of(now),
    after: of(then),
  })
  return [
    both('Loan-to-value', ({ ltv }) => <Ratio ltv={ltv} />),
    both('Health', ({ health }) => <HealthStatus of={health} />),
    both('Debt', ({ debt_usd: debt }) => <Money amount={debt} />),
    both('Collateral that counts', ({ collateral_value_usd: value }) => <Money amount={value} />),
    both('Required floor', ({ required_floor_usd: floor }) => <Money amount={floor} />),
  ]
}

function Outcome({ then }: { then: Preview }) {
  const { warning, sale, events, refund_due_usd: refund } = then
  return (
    <>
      {refund !== undefined && (
        <Notice tone="calm" title="A refund would be due">
          <Money amount={refund} />
        </Notice>
      )}
      {sale && (
        <Notice tone="bad" title="Collateral would be sold">
          Worth <Money amount={sale.sale_usd} />, down to a debt of{' '}
          <Money amount={sale.debt_after_usd} />.
        </Notice>
      )}
      {warning && (
        <Notice
          tone="warn"
          title={`Warning ${warning.number} would be open at tier ${warning.tier}`}
        >
          What would cure it until <Time at={warning.cure_deadline} />: <Cures of={warning} />.
          Otherwise collateral worth <Money amount={warning.if_escalated.sale_usd} /> would be sold.
        </Notice>
      )}
      {!warning && !sale && then.refusals.length === 0 && (
        <Notice tone="good" title="No warning would be open" />
      )}
      {events.length > 0 && (
        <section aria-label="On the way">
          <h3>On the way</h3>
          <ol className={classes.events}>
            {events.map(({ type, occurred_at: at }) => (
              <li key={`${type} ${at}`}>
                <span className="mono">{type}</span> at <Time at={at} />
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  )
}
