import { Link } from '@tanstack/react-router'
import type { Facility } from '../../../../client/index.ts'
import { formatLine, formatRatio } from '../../../../pages/data/figures.ts'
import { Notice, Panel, ProblemAlert } from '../../../../pages/parts/page.tsx'
import { groupDigits, Money, roundPrice, Time } from '../../../../pages/parts/values.tsx'
import { useLevels } from '../../../data/lending.ts'
import type { Levels } from '../../../data/lending-types.ts'
import { OpenWarning } from '../../margin/open-warning.tsx'
import { HealthGauge } from './health-gauge.tsx'
import classes from './health-panel.module.css'
import { gaugeLines, LINES } from './lines.ts'

/** The first thing to see of a loan: where it stands, and what comes next. */
export function HealthPanel({ facility }: { facility: Facility }) {
  const isApproved = facility.state === 'APPROVED'
  const { data, error } = useLevels(facility.id, isApproved)
  const ltv = data?.ltv ?? facility.ltv
  return (
    <Panel title="Loan-to-value">
      <div className={classes.figures}>
        <Figure name="Ratio" value={formatRatio(ltv)} />
        <Figure
          name="Debt"
          value={<Money amount={data?.debt_usd ?? facility.outstanding.total} />}
        />
        <Figure
          name="Collateral that counts"
          value={<Money amount={data?.collateral_value_usd ?? facility.collateral_value_usd} />}
        />
        <Figure
          name="Required floor"
          value={<Money amount={data?.required_floor_usd ?? facility.required_floor_usd} />}
        />
      </div>
      <HealthGauge ltv={ltv} lines={gaugeLines(facility.terms)} />
      <ProblemAlert error={error} />
      <p className={classes.next}>
        {data ? describeNext(data.levels) : isApproved && !error && '…'}
      </p>
      {data?.valuation_status === 'STALE' && (
        <Notice tone="warn" title="Prices are stale">
          Without fresh prices nothing is evaluated, and nothing is sold.
        </Notice>
      )}
      {facility.next_terms && <NextTerms {...facility.next_terms} />}
      {facility.health === 'WARNING' && <OpenWarning facility={facility} />}
      {facility.health === 'MARGIN_CALL' && (
        <Notice tone="bad" title="Collateral is being sold">
          A margin call has begun. Its fills arrive under{' '}
          <Link to="/facilities/$id" params={{ id: facility.id }} search={{ tab: 'margin' }}>
            Margin
          </Link>
          .
        </Notice>
      )}
    </Panel>
  )
}

/** An amendment of the lender: what a borrower has to know before it binds. */
function NextTerms({ effective_at: at, terms }: NonNullable<Facility['next_terms']>) {
  const lines = terms.tiers.map(({ above_ltv: line }) => formatLine(line)).join(', ')
  return (
    <Notice tone="warn" title="The lender changes the terms of this loan">
      From <Time at={at} />: warned above {lines}, no time to cure above{' '}
      {formatLine(terms.critical_ltv)}, cured up to {formatLine(terms.cure_ltv)}, at a rate of{' '}
      {formatRatio(terms.rate)} a year. An open warning or margin call ends by the terms of today
      first.
    </Notice>
  )
}

function Figure({ name, value }: { name: string; value: React.ReactNode }) {
  return (
    <div>
      <div className={classes.name}>{name}</div>
      <div className={classes.value}>{value}</div>
    </div>
  )
}

function describeNext(levels: Levels['levels']): string {
  const next = levels.find(({ line, reached }) => !reached && line !== 'sale')
  if (levels.length === 0) return 'Nothing is owed that could be warned about.'
  if (!next) return 'Every line of the ladder is reached.'
  const [first] = next.prices
  const at = first ? `, with ${first.asset} at ${groupDigits(roundPrice(first.price_usd))} USD` : ''
  return `${LINES[next.line]} is reached above ${formatLine(next.ltv)}: after a fall of the collateral by ${Number(next.fall_percent).toFixed(2)} %${at}.`
}
