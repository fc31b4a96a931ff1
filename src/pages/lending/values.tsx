import type { Draw, Facility, MarginCall, MarginWarning, Repayment } from '../../client/index.ts'
import { formatSeconds, secondsBetween } from '../data/figures.ts'
import { formatUtc, Money, Status, type Tone } from '../parts/values.tsx'

type Words<Value extends string> = Record<Value, readonly [tone: Tone, text: string]>

const FACILITY: Words<Facility['state']> = {
  PENDING: ['calm', 'Pending'],
  APPROVED: ['good', 'Approved'],
  DECLINED: ['bad', 'Declined'],
  CLOSING: ['calm', 'Closing'],
  CLOSED: ['plain', 'Closed'],
}

const HEALTH: Words<Facility['health']> = {
  HEALTHY: ['good', 'Healthy'],
  WARNING: ['warn', 'Warning'],
  DEFICIT: ['bad', 'Deficit'],
  MARGIN_CALL: ['bad', 'Margin call'],
}

const WARNING: Words<MarginWarning['status']> = {
  OPEN: ['warn', 'Open'],
  CURED: ['good', 'Cured'],
  ESCALATED: ['bad', 'Escalated'],
}

const CALL: Words<MarginCall['status']> = {
  PENDING: ['warn', 'Pending'],
  SELLING: ['bad', 'Selling'],
  COMPLETED: ['plain', 'Completed'],
}

const DRAW: Words<Draw['status']> = {
  PENDING: ['calm', 'Pending'],
  COMPLETED: ['good', 'Completed'],
  FAILED: ['bad', 'Failed'],
  RETURNED: ['warn', 'Came back'],
}

const REPAYMENT: Words<Repayment['status']> = {
  PENDING: ['calm', 'Announced'],
  REPORTED: ['calm', 'Reported'],
  APPLIED: ['good', 'Applied'],
  FAILED: ['bad', 'Failed'],
  REVERSED: ['bad', 'Taken back'],
}

type Shown = readonly [tone: Tone, text: string]

function Badge({ shown: [tone, text] }: { shown: Shown }) {
  return <Status tone={tone}>{text}</Status>
}

export function FacilityStatus({ of }: { of: Facility['state'] }) {
  return <Badge shown={FACILITY[of]} />
}

export function HealthStatus({ of }: { of: Facility['health'] }) {
  return <Badge shown={HEALTH[of]} />
}

export function WarningStatus({ of }: { of: MarginWarning['status'] }) {
  return <Badge shown={WARNING[of]} />
}

export function CallStatus({ of }: { of: MarginCall['status'] }) {
  return <Badge shown={CALL[of]} />
}

export function DrawStatus({ of }: { of: Draw['status'] }) {
  return <Badge shown={DRAW[of]} />
}

export function RepaymentStatus({ of }: { of: Repayment['status'] }) {
  return <Badge shown={REPAYMENT[of]} />
}

export function EligibleStatus({ eligible }: { eligible: boolean }) {
  return (
    <Status tone={eligible ? 'good' : 'plain'}>{eligible ? 'Eligible' : 'Not eligible'}</Status>
  )
}

type Cures = Pick<MarginWarning, 'cure_amount_usd' | 'cure_additions'>

/** Renders, for example, "a repayment of … , or adding … BTC, worth … in the market". */
export function Cures({
  of: { cure_amount_usd: amount, cure_additions: additions },
}: {
  of: Cures
}) {
  const [addition] = additions ?? []
  return (
    <>
      a repayment of <Money amount={amount} />
      {addition && (
        <>
          , or adding <Money amount={addition.quantity} asset={addition.asset} />, worth{' '}
          <Money amount={addition.market_usd} /> in the market
        </>
      )}
    </>
  )
}

/** The time that is left at `now`; at a deadline that has passed, since when. */
export function TimeLeft({ to, now }: { to: string; now: Date }) {
  const left = secondsBetween(now, to)
  const text = left >= 0 ? `${formatSeconds(left)} left` : `passed ${formatSeconds(-left)} ago`
  return (
    <span className="figures time" title={`${formatUtc(to)} UTC`}>
      {text}
    </span>
  )
}
